"""What run.py and the authors use; no part of the installed package."""
