"""The end of a build: one line with the place and the mistake."""


from nowait.errors import Failure


class Complaint(Failure):
    """A mistake in the course. FILE:LINE comes first, as editors expect, and not the command's name."""

    def __init__(self, where, line, what):
        place = f"{where}:{line}" if line else f"{where}"
        super().__init__(f"{place}: {what}")

    @property
    def line(self) -> str:
        return str(self)


def line_of(text, part, default=1):
    """The number of the first line of text that holds part."""
    at = text.find(part)
    return default if at < 0 else text.count("\n", 0, at) + 1
