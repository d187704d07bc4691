"""Lessons: a path of fixed deals from the first card to each family of games; and advice, with positions to
try. The engine checks the goals.

What is said in them stands with the texts of the browser table; here is what is on the table and what is to
be done.
"""

from canasta.lessons.advice import Tip, tip_to_try, tips
from canasta.lessons.path import Lesson, Step, lessons, practice_of

__all__ = ["Lesson", "Step", "Tip", "lessons", "practice_of", "tip_to_try", "tips"]
