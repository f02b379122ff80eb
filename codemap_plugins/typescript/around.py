"""What walkers hand on about the statement that a declaration stands in. Apart from them: structs are not compiled."""

from __future__ import annotations

from msgspec import Struct

from codemap_core.syntax import Node as SyntaxNode


class Around(Struct, frozen=True):
    """What stands around a declaration: the statement that is its whole, how it is exported, and whether ``declare`` says that it is
    elsewhere."""

    whole: SyntaxNode
    is_exported: bool = False
    is_default: bool = False
    is_global: bool = False
    is_ambient: bool = False
    prefix: str = ""
