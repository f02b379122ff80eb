"""Walks over references: uses, callers and callees, hierarchies, and what nothing refers to."""
