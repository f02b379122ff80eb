"""The built-in plug-ins, one folder each. They reach CodeMap through the entry-point group ``codemap``, as any third party's do."""
