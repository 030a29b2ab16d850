"""Lectures: scenes that a room sees, one a screen, each a question that it votes on or an explorer in a state."""

from workbook.lectures.scenes import Lecture, LectureError, Scene, find, known, read

__all__ = ["Lecture", "LectureError", "Scene", "find", "known", "read"]
