"""Numbers and verdicts on the site are those of the notebooks: one table of answers, run through both."""

from pathlib import Path

import numpy as np
import pytest

from workbook import site
from workbook.page.compare import alike, same
from workbook.page.numbers import read_number, say

pytestmark = pytest.mark.browser
SITE = Path(site.__file__).parent
PLAIN = """
0 1 -1 +1 0.25 .25 0. 1. 00 007 09.5 09e1 0_0 1_000 1__0 _1 1_ 0x10 0xg 0b11 0b12 0o17 0XFF 1e5 1E-3 1e+2 1e 1e400 -1e400 1e-400 2.5e-1
1e5_0 1.e3 .5e1 5j 1J 0.1.2 1..2 1.2.3 ٥ ½ ² 1² x e pi inf -inf nan NaN INF True False None half exit() [1] (1) ((2)) () (1,) (1,2) {1}
1/4 1/0 0/0 0**-1 0^-1 0**0 1/2/ 1/2/4 88*93/108**2 88*93*103/108**3 2**3**2 -2**2 (-2)**2 2**-1 -2**-2 --5 -+-5 ~5 +5 2^10 2^^3 2***3
2**0.5 (-1)**0.5 (-8)**(1/3) 9**9**9**9 1e308*10 10**308*10 10**309 inf-inf inf*0 inf/inf inf**0 1**inf (-1)**inf 0**inf 0**-inf 1**(inf-inf)
log(2) ln(2) exp(1) sqrt(2) log(0) log(-1) log() log(2,) log(2,3) log(a) log(True) exp(1000) exp(-1000) sqrt(-1) sqrt(inf) log(inf)
np.log(9)/math.sqrt(4) math.log(2) np.random.log(2) log.log(2) (log)(2) log2(8) log10(100) log[2] log(x=2) log(*2) sin(1) 5.log(2) -log(0.2)
2log(3) 2(3) (2)3 2x 3e x2 1if 5//2 5%3 7%% 7% 12.5% 12,5% .5% 0.5%% %5 % -% 1/8% 1e2% 50%*2 -50% 5; 5: a=5 5:=6 5@6 5|6 5&6 5<6 5==5
1,5 1,000 -7,203 1,609% 1,234.5 1,000,000 12,345,678.5 1,00,000 0,125,000 1,000,00 1234,567 0,25 9,6/89,6 2*1,000 1,000*2 1,2,3 ,5 5, 1.000,5
1.000.000 1,234,567.8,9 0,5 10,000.0 1,000. -1,000,000 1,5e3 1,000e3 1,000abc abc1,000 a1,5 1,5a 1,5_ _1,5 3,14159 −2 –2 -∞ ∞ 2×3 2·3 6÷3 2*∞
88·93×103/108^3 '5' "5" '1/4' ''5'' '5 5' "'5'" ' "it's" a"b'c \\ \\n ' " '' $5 €5 5€ 5% 1/3 2/3 22/7 355/113 ... … 0.1+0.2 1-0.9 1/3+1/3 1-1/3*2
0.1234567890123456789012345678901234567890123456789 1234567890123456789012345678901234567890123456789x аbc ｌｏｇ(2) ℯ log２(2) １２ 1\u200b0 \ufeff5 5\u00a0%
__import__('os') ().__class__ lambda:5 1if(1)else(2) not(5) 5and3 #5 5#5 5#x% f(5) log.x x.log exp(ln(3)) sqrt(sqrt(16)) exp(-0.5*2^2)/sqrt(2*3.141592653589793)
""".split()  # fmt: skip
SPACED = [
    "", " ", "\t", " 0.125 ", "1 / 8", "12.5 %", "12,5 %", "50 % %", "1 2", "1 000", "1, 000", "1 ,000", "1, 5", "2 1/2", "- 5", "2 * * 3",
    "2 ** 3", "1e 5", "1 e5", "0. 5", "log (2)", "log( 2 )", "np . log(2)", "5 .log(2)", "'88*93*103/108**3'", "88 · 93 × 103 / 108^3",
    "(1 - 0.3/4)^4", "1 if 1 else 2", "5 and 3", "5 # five", "' 5'", "1/0 + x", "x + 1/0", "1/0 // 2", "1/0 % 2", "1/0 %", "log(1/0)", "5\n",
    "\n5", "5\n6", "( 5", "5 )", "( 5 )", "one half", "the answer is 5", "5 apples", "0,5 oder 1/2", "1,000,000 / 4", " 1,609 %", "1,609 + 2,718",
    "it's", 'say "no"', "it's \"so\"", "back\\slash", "tab\there", "\x1f5", "\x855", "naïve", "😀", "a\u2028b", "a\u00adb", "a\ud800b"[:2],
    "(" * 500, "(" * 199 + "1" + ")" * 199, "(" * 201 + "1" + ")" * 201, "9" * 400 + "/1", "9" * 308, "9" * 310, "-" * 90 + "1",
    "0." + "3" * 200, "1" + "+1" * 100, "x" * 100, "'" * 60, "1 " * 30, "1,234 " * 10,
]  # fmt: skip
TABLE = [*dict.fromkeys([*PLAIN, *SPACED])]
NEAR = [0.1, 0.125, 0.0125, 0.995, 0.9995, 1.0, 1.005, 1.015, 2.5, 9.95, 9.995, 10.0, 10.05, 99.5, 123.456, 999.5, 1000.0, 1e-5, 2.675e-7,
        4.5e10, -0.3333333333, -12.5, 0.0, float("inf"), 0.5, 0.615, 0.62, 1 / 3, 5e-324, 1.7e308]  # fmt: skip
FACTORS = [1, 1 + 1e-9, 1.0009, 1.001, 1.004, 1.0049, 1.005, 1.0051, 1.01, 1.02, 1.05, 0.999, 0.995, 0.9951, 0.99, 0.96, -1, 0, 10, 0.01]
TOLERANCES = [5e-3, 2e-3, 3e-2, 3.6e-2]


@pytest.fixture(scope="module")
def page(browser):
    opened = browser.new_page()
    opened.set_content("<p></p>")
    names = "numbers.js", "digits.js", "compare.js"
    opened.add_script_tag(content="\n".join((SITE / name).read_text(encoding="utf-8") for name in names))
    yield opened
    opened.close()


def read(text):
    """As the notebook reads it: a number (as its hexadecimal digits), or what it says."""
    try:
        return read_number(text)
    except ValueError as problem:
        return str(problem)


def number(value):
    """A number as a page can hold it."""
    return value if np.isfinite(value) else str(value)


def test_the_table_is_long_and_knows_every_outcome():
    read_ = [read(text) for text in TABLE]
    assert len(TABLE) >= 300
    words = [one for one in read_ if isinstance(one, str)]
    assert 80 <= len(read_) - len(words)
    for kind in ("is not a number I can read", "divides by 0", "two ways", "nan is not a number"):
        assert sum(kind in one for one in words) >= 3


def test_every_answer_is_read_alike(page):
    ours = page.evaluate("""table => table.map((text) => {
        try { const value = readNumber(text); return Number.isFinite(value) ? value : unbounded(value); }
        catch (problem) { if (!(problem instanceof Unread)) throw problem; return { words: problem.message }; }
    })""", TABLE)
    different = []
    for text, got in zip(TABLE, ours, strict=True):
        wanted = read(text)
        if isinstance(got, dict) or isinstance(wanted, str):
            alike_ = isinstance(got, dict) and got["words"] == wanted
        else:
            got, wanted = float(got), float(wanted)
            alike_ = got == wanted or abs(got - wanted) <= 1e-14 * abs(wanted)
        if not alike_:
            different.append((text, wanted, got))
    assert different == [], different


def pairs():
    return [(b * factor, b) for b in NEAR for factor in FACTORS if not np.isnan(b * factor)]


def test_the_same_answers_count_as_the_same(page):
    cases = [(number(a), number(b), t) for a, b in pairs() for t in TOLERANCES]
    ours = page.evaluate(
        "cases => cases.map(([a, b, t]) => sameAnswer(Number(String(a).replace('inf', 'Infinity')), "
        "Number(String(b).replace('inf', 'Infinity')), t))", cases
    )
    wanted = [same(np.array(a), np.array(b), t) for a, b in pairs() for t in TOLERANCES]
    assert 0.1 < np.mean(wanted) < 0.9
    assert [case for case, x, y in zip(cases, ours, wanted, strict=True) if x != y] == []


def test_the_same_answers_are_nearly_right(page):
    cases = [(a, b) for a, b in pairs() if np.isfinite([a, b]).all()]
    ours = page.evaluate("cases => cases.map(([a, b]) => alike(a, b))", cases)
    wanted = [bool(alike(a, b)) for a, b in cases]
    assert 0.1 < np.mean(wanted) < 0.9
    assert [case for case, x, y in zip(cases, ours, wanted, strict=True) if x != y] == []


def test_numbers_are_said_alike(page):
    """Also where a digit is exactly halfway: 0.125 is 0.12 and 0.375 is 0.38."""
    values = [*NEAR, *(k / 1000 for k in range(-1500, 1500, 7)), *(k / 16 for k in range(200)), *(k / 2**20 for k in range(0, 9999, 99)),
              *(2.0**k for k in range(-60, 70, 3)), *(x + 0.5 for x in range(990, 1010)), *(12345 * 10.0**k for k in range(-9, 9))]  # fmt: skip
    values = [value for value in values if np.isfinite(value)]
    threes, twos = page.evaluate("values => [values.map(threeDigits), values.map((value) => fixed(value, 2))]", values)
    assert threes == [say(value) for value in values]
    small = [k for k, value in enumerate(values) if abs(value) < 1e20]
    assert [twos[k] for k in small] == [f"{values[k]:.2f}" for k in small]
