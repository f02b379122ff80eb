"""Tools over the whole of an index: the summary of an architecture, and its export as one text."""
