"""./nowait check --deep: far beyond what every check does, for hours, in pieces, on many machines."""
