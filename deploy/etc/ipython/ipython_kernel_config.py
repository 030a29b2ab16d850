"""A class's kernels: scikit-learn imports pandas wherever it is installed, and needs it for tables of pandas only.

Here pandas comes when a cell asks for it: 29 MB and 0.2 s less for every student who does not.
"""

import sys

if "pandas" not in sys.modules:
    sys.modules["pandas"] = None  # what Python takes for "not installed"
    import sklearn.utils.fixes  # noqa: F401

    del sys.modules["pandas"]
