"""./nowait check: the models, which search the interleavings of the lock-free structures."""
