#!/usr/bin/env python3
"""The workbook's one command: python3 run.py VERB (Windows: py run.py VERB); the verbs stand in tools/verbs.py."""
# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///
# The lines above are for `uv run run.py VERB`: uv starts this file and leaves the environment in .venv to it.
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


def main(arguments):
    """Run the verbs of tools/ here, and no other: neither they nor Python's modules are looked for in this folder."""
    if not sys.flags.safe_path:
        del sys.path[0]
    import importlib.util

    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools")
    spec = importlib.util.spec_from_file_location("tools", os.path.join(folder, "__init__.py"))
    sys.modules["tools"] = importlib.util.module_from_spec(spec)
    from tools.verbs import main

    return main(arguments)


if __name__ == "__main__":
    if too_old(tuple(sys.version_info)):
        sys.exit(too_old(tuple(sys.version_info)))
    try:
        code = main(sys.argv[1:])
    except KeyboardInterrupt:  # so early that tools/verbs.py is not there yet
        sys.stderr.write("\nStopped.\n")
        code = 130
    sys.exit(code)
