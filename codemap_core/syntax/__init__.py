"""Parsing with tree-sitter: the only package that imports it.

Trees live inside one analysis of one file; no stage keeps a node beyond it. Language plug-ins take ``Grammar`` and
the node types from here.
"""

from codemap_core.syntax.grammar import Grammar, Node, Tree, TreeCursor, count_errors, is_missing

__all__ = ["Grammar", "Node", "Tree", "TreeCursor", "count_errors", "is_missing"]
