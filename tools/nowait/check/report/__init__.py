"""The findings of ./nowait check, as a table and as a page."""
