"""The registry of export formats: a module each, found by its name, with `HOW` to import and `write(folder, chapters)`."""
