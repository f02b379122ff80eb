"""C#: analysis of files, declarations and binding."""
