"""./nowait learn: the course, as a site."""
