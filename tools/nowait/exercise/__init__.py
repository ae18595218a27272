"""./nowait exercise: the exercises of the course, begun, checked on each save, and kept count of."""
