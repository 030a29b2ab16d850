"""All but one thing stands in pyproject.toml. The one thing: README.md for PyPI, which resolves no relative address."""

import re
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).parent
GITHUB = "naive-bayes-workbook/naive-bayes-workbook"
VERSION = re.search(r'__version__ = "(.+)"', (HERE / "nbcore" / "__init__.py").read_text("utf-8"))[1]
PICTURES = f"https://raw.githubusercontent.com/{GITHUB}/v{VERSION}/"
PAGES = f"https://github.com/{GITHUB}/blob/v{VERSION}/"

text = (HERE / "README.md").read_text("utf-8")
text = re.sub(r'(!\[[^\]]*\]\(|<img src=")(?!https:)', rf"\1{PICTURES}", text)
text = re.sub(r"(\]\()(?!https:|#)", rf"\1{PAGES}", text)
setup(long_description=text, long_description_content_type="text/markdown")
