"""The frame of every page: explorers, predictions, exercises. It knows no chapter."""
