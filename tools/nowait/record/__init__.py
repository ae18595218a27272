"""./nowait record: figures in texts come from recorded runs."""
