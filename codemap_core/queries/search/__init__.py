"""Searching: symbols by words, and regular expressions over the text of all files."""
