"""./nowait test: everything that CI runs."""
