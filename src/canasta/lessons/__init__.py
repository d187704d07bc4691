"""Lessons: a path of fixed deals from the first card to each family of games, and tips with positions to try.

The engine checks the goals. This package contains the positions and the goals; the browser table's catalogues
contain the texts.
"""

from canasta.lessons.lessons import Lesson, LessonStep, Tip, lessons, practice_of, tip_to_try, tips

__all__ = ["Lesson", "LessonStep", "Tip", "lessons", "practice_of", "tip_to_try", "tips"]
