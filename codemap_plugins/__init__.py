"""The built-in plug-ins, one folder each, and ``aspnet``, which two of them share. They reach CodeMap through the entry-point group
``codemap``, as any third party's do.
"""
