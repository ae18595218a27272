"""./nowait check --spin: the calls that must come to an end, with Spin."""
