"""nowait: the one command of this repository. `./nowait help` lists its verbs."""
