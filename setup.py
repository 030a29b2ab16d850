"""All but one thing stands in pyproject.toml. The one thing: README.md for PyPI, which resolves no relative address."""

import re
import runpy
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).parent
ADDRESSES = runpy.run_path(str(HERE / "workbook" / "home.py"))["addresses"](HERE)
VERSION = re.search(r'__version__ = "(.+)"', (HERE / "nbcore" / "__init__.py").read_text("utf-8"))[1]

text = (HERE / "README.md").read_text("utf-8")
if ADDRESSES["home"]:
    text = re.sub(r"(!\[[^\]]*\]\()(?!https:)", rf"\1{ADDRESSES['raw']}v{VERSION}/", text)
    text = re.sub(r"(\]\()(?!https:|#)", rf"\1{ADDRESSES['repository']}/blob/v{VERSION}/", text)
setup(long_description=text, long_description_content_type="text/markdown")
