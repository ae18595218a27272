"""What ends a build: one line that says where and what."""


from nowait.errors import Failure


class Complaint(Failure):
    """What is wrong, where the reader of an editor finds it: FILE:LINE comes first, and not the command's name."""

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
