"""The registry of export formats: a module each, found by its name, with `HOW` and `write(folder, chapters)`."""
