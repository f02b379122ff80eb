"""From a syntax tree to declarations: one walk down the declaration level of a file.

``outline`` walks namespaces and types, ``members`` the members of a type, ``parts`` what both are made of: modifiers, parameters, type
parameters, attributes, header text. No name is looked up here.
"""

from codemap_plugins.csharp.declarations.outline import DeclarationWalker

__all__ = ["DeclarationWalker"]
