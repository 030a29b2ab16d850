"""One module a format of `run.py export`, found by its name: HOW a file gets in, and `write(folder, chapters)`."""
