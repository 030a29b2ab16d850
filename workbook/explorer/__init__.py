"""Explorers and their display: controls, view, theme, marks, still pictures. Imports nothing from the chapters."""
