"""The book as a website."""
