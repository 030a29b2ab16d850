"""Wrong answers that readers gave: each gets the hint that fits. And right ones that are written otherwise.

`test_every_question.py` asks the same of the wrong answers that the questions themselves compute.
"""

from math import exp, log

import pytest
from scipy.special import expit

from workbook.learning import contents

SLIPS = {  # exercise -> answer -> part of the hint
    "00/negative": {0.006: "Divide by the share of all negatives", "0.993": "P(well | negative)",
                    "0.006/0.97": "all the well", 0.00223: "one in a hundred"},
    "00/odds": {0.0842: "odds after the test", 2.12: "logarithm"},
    "00/prosecutor": {0.02: "three significant digits", "2 %": "three significant digits", 50: "by chance",
                      51: "in all", "1/50": "one more", "99.99 %": "prosecutor's fallacy"},
    "00/repeats": {2.18: "multiplies the odds", 0.412: "as naive Bayes does"},
    "01/undecided": {-1.604: "what the measurements say"},
    "01/too-sure": {2 / 3: "opposite directions"},
    "01/absent": {0.297: "multinomial model", 0.191: "Chinese is not in this document",
                  0.1395: "only one of the four absent words"},
    "01/height-alone": {7.07: "the odds", 1.955: "the log odds"},
    "01/told-twice": {0.923: "divided the odds by 2", 4.9: "the odds"},
    "02/lidstone": {"0.791": "other class", "0.69": "number of the page", "0.31": "other class",
                    "0.000258": "divided by", "0.000129": "divided by", "0.039": "in your numerators",
                    "0.0609": "grew by alpha", "0.264": "the odds", "0.0918": "one vocabulary"},
    "02/aside": {4.374: "sum", 0.616: "logarithms first", 0.633: "natural logarithm"},
    "02/laplace": {"1/9": "grew by five", "1/6": "grew by two", "2/7": "before alpha", "2/8": "Day 6 is covered",
                   "1/8": "Day 6 is covered"},
    "03/paired-error": {0.218: "differences", 0.0363: "square root", 0.0727: "n − 1"},
    "04/pob-posterior": {0.158: "prior of B times its two zeros", 0.75: "nothing else", 1.75: "odds", 63.6: "percent"},
    "04/flip": {0.36: "ratio of the likelihoods"},
    "04/undo": {0.813: "as a whole", 0.897: "come back in", 2.18: "odds"},
    "05/copies-outvote": {0.84375: "odds of 1 to 5", 0.084375: "numerator of A"},
    "05/which-m": {6: "naive Bayes", 4: "knows the second column"},
    "05/groups": {1: "two different things", 2: "shares nothing"},
    "07/responsibility": {2 / 11: "each word once", 0.25: "before anything was read", 2 / 3: "without P(h|c)",
                          0.4: "after one token", 8 / 11: "P(h|c), or the f2", 0: "hard EM", 0.1024: "if h1 wrote it"},
    "07/document-weights": {7 / 12: "what h1 brings", 1 / 8: "P(f1|h2,c)", 7 / 8: "P(f1|h1,c)"},
    "07/dispersion": {9: "That is the sum", 3: "divided by n", 2.25: "one word only",
                      18: "divided by what was expected"},
    "07/gap": {0.376: "first node", 0.223: "exchanged", -0.193: "nowhere below", 0.278: "in bits"},
    "07/restored-alpha": {0.3: "every node adds its own"},
    "07/far-out": {4: "ratio of the probabilities", 0.513: "x1 / x2"},
    "08/sum-of-products": {0.0279: "second half"},
    "08/fourth": {1.5: "are together", 2.7: "took L(1, 1) away", 1.3: "took L(5, 5) away"},
    "08/diagonal": {6: "everywhere", 8: "two squares of the diagonal"},
    "10/counted": {216 / 217: "Is the −2 of all the others in it", 1 / (1 + exp(-16)): "Is the weight log 6, not 6",
                   1 / (1 + exp(-2) / 216): "do the others speak for male", 0.97: "the third digit counts",
                   "97 %": "the third digit counts", expit(log(18) - 2): "not log 18"},
    "10/weight": {log(0.6 / 0.9): "That is what a 0 says"},
    "10/scaled": {2.294: "A penalty squares it", 0.19: "Upside down", 10: "compares the shares",
                  21.05: "divided by its spread, too", 1: "before the bits are divided"},
    "12/points": {3.74: "what does Biscoe take away", 2.944: "take away", -0.886: "look at the sign"},
    "12/gap-speaks": {8 / 9: "as if there were as many ill", "40 %": "P(gap | ill)", 0.1: "P(ill and gap)"},
    "12/female": {0.45: "as long as the sex is unknown", "2/3": "the other way round"},
}  # fmt: skip


@pytest.mark.parametrize(("key", "answer", "words"), [(key, *one) for key in SLIPS for one in SLIPS[key].items()])
def test_a_wrong_answer_gets_the_hint_that_fits(key, answer, words):
    feedback = contents(key[:2])[key].check(answer)
    assert not feedback.correct
    assert words in feedback.message
