"""C#: the analysis of files, their declarations, the symbol table over all projects, and binding."""
