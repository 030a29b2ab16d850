"""Lectures on a page of their own: the script, style and scenes that the site and `run.py present` show."""
