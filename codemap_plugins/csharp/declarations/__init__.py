"""From a syntax tree to declarations: one walk down the declaration level of a file. No name is looked up here."""

from codemap_plugins.csharp.declarations.outline import DeclarationWalker

__all__ = ["DeclarationWalker"]
