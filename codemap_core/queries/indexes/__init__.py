"""Which indexes and workspaces there are, which one answers, and what the one that answers holds."""
