"""The book's questions as files for other programs: Moodle, whatever reads QTI, Anki."""
