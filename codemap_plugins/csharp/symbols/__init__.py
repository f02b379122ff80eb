"""From outlines to symbols: the symbol table over all projects, type names resolved through it, and the rows that an index publishes."""
