"""Four naive Bayes classifiers: given the class the features are independent, so their log probabilities add up.

What differs is the event: a measurement (Gaussian), a token (Multinomial), a word's presence (Bernoulli), a category
(Categorical). Each model counts once; smoothing reads the counts, so that `resmooth` needs no data.

NaN means missing, except for tokens, whose counts make one event. The factor of that feature is left out: as the
features are independent given the class, that is the sum, or the integral, over all values it might have had.

Sources: "IIR" is Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, ch. 13; "W" is
Wikipedia, "Naive Bayes classifier". Shapes: n rows, C classes, F features, K categories. All logs are natural.
"""

from nbcore.naive_bayes.bernoulli import BernoulliNB
from nbcore.naive_bayes.categorical import CategoricalNB
from nbcore.naive_bayes.gaussian import GaussianNB
from nbcore.naive_bayes.linear import linear_score
from nbcore.naive_bayes.multinomial import MultinomialNB

__all__ = ["BernoulliNB", "CategoricalNB", "GaussianNB", "MultinomialNB", "linear_score"]
