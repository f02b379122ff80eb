"""Modifiers as plain integers, for what asks for those of every member: an ``IntFlag`` costs a Python call for each ``&`` and ``in``."""

from __future__ import annotations

from typing import Final

from codemap_plugins.csharp.unit import Modifiers

STATIC: Final = int(Modifiers.STATIC)
ABSTRACT: Final = int(Modifiers.ABSTRACT)
VIRTUAL_OR_ABSTRACT: Final = int(Modifiers.VIRTUAL | Modifiers.ABSTRACT)
OVERRIDE: Final = int(Modifiers.OVERRIDE)
SEALED: Final = int(Modifiers.SEALED)
PARTIAL: Final = int(Modifiers.PARTIAL)
PUBLIC: Final = int(Modifiers.PUBLIC)
ASYNC: Final = int(Modifiers.ASYNC)
FIXED: Final = int(Modifiers.FIXED)
ACCESSIBILITY: Final = int(Modifiers.PUBLIC | Modifiers.INTERNAL | Modifiers.PROTECTED | Modifiers.PRIVATE)
