"""What ./nowait check has found, as a table and as a page."""
