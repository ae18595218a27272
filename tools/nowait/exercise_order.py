"""In which order the exercises come: ./nowait exercise numbers them so, and so do the pages of the course."""


def place(lecture, kind, minutes, name):
    """To sort by. lecture: its folder, which begins with its number."""
    return lecture, kind != "repair", minutes, name
