"""A plug-in for CodeMap with one of everything that a plug-in can provide."""
