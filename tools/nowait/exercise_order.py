"""In which order the exercises come: ./nowait exercise numbers them so, and so do the pages of the course."""


def place(course, lecture, kind, minutes, name):
    """To sort by. course: the folders of the lectures in their order; a lecture that is not listed comes last."""
    return course.index(lecture) if lecture in course else len(course), lecture, kind != "repair", minutes, name
