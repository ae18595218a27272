"""./nowait check --spin: what must come to an end, with Spin."""
