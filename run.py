#!/usr/bin/env python3
"""The workbook's one command: python3 run.py VERB (Windows: py run.py VERB); the verbs stand in tools/verbs.py."""
# This file's syntax stays one that Python 2.7 and 3.0 can read, so that an old Python reaches the sentence below.
import os
import sys


def too_old(version):
    """One sentence when this Python is too old, None when it will do."""
    if version[:2] >= (3, 11):
        return None
    found = ".".join(map(str, version[:2]))
    return ("run.py: this is Python " + found + ", and the workbook needs 3.11 or newer: install one from python.org, "
            "then start run.py with it, e.g. python3.12 run.py lab (Windows: py -3.12 run.py lab).")


if __name__ == "__main__":
    if too_old(tuple(sys.version_info)):
        sys.exit(too_old(tuple(sys.version_info)))
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from tools.verbs import main

    sys.exit(main(sys.argv[1:]))
