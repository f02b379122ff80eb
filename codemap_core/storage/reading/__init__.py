"""Reading an index: lookups, pages, scans, and whole tables."""
