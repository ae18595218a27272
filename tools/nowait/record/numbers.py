"""Figures as texts have them."""

import re
from typing import Sequence

_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
          "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def in_words(figure: str) -> str | None:
    """The words of a whole number below a hundred. Returns None for anything else."""
    if not re.fullmatch(r"[0-9]{1,2}", figure):
        return None
    number = int(figure)
    if number < len(_WORDS):
        return _WORDS[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (f"-{_WORDS[ones]}" if ones else "")


def median(figures: Sequence[str]) -> str | None:
    """The one in the middle, as it was printed (of an even number, the lower one). Returns None if one is no number."""
    try:
        ordered = sorted(figures, key=lambda figure: float(figure.replace(",", "")))
    except ValueError:
        return None
    return ordered[(len(ordered) - 1) // 2]
