"""Explorers, and what shows them on a page: controls, view, theme, still pictures. No chapter is known here."""
