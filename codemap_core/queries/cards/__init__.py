"""One symbol, type or file in place of its source: cards, outlines, spans and contexts."""
