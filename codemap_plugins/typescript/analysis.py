"""The analyse stage of TypeScript: the text of one file to its encoded unit.

Pure: the same text and dialect give the same unit, whatever the path, so units are cached by content.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from msgspec.structs import replace

from codemap_core.hooks.contracts import AnalysedDocument, AnalysisSettings
from codemap_core.model import DocumentStatus, Problem
from codemap_core.syntax import Node, is_missing
from codemap_plugins.typescript.building import Builder
from codemap_plugins.typescript.declaration_walker import DeclarationWalker
from codemap_plugins.typescript.grammar import GRAMMARS
from codemap_plugins.typescript.repair import parse
from codemap_plugins.typescript.source_text import why_not_source
from codemap_plugins.typescript.surface import surface_of
from codemap_plugins.typescript.unit import Unit, encode_unit

_GENERATED: Final = re.compile(
    rb"<auto-?generated|@generated|eslint-disable[^\n]*\n[^\n]*auto-?generated", re.IGNORECASE
)
_HEAD_BYTES: Final = 2000
_WHAT_IS_WRONG: Final = "text that the grammar does not know; names around it may be missing"


def analyse(content: bytes, settings: AnalysisSettings) -> AnalysedDocument:
    """Never raises for bad source; what is wrong with it is in ``status`` and ``problems``."""
    text = content.decode("utf-8", "replace")
    lines = text.count("\n") + (1 if text and not text.endswith("\n") else 0)
    reason = why_not_source(text)
    if reason:
        return AnalysedDocument(
            unit=b"",
            line_count=lines,
            status=DocumentStatus.SKIPPED,
            problems=(Problem("not_source", f"it {reason}: listed, not analysed"),),
        )
    problems: list[Problem] = []
    tree, errors, is_repaired = parse(GRAMMARS[settings.dialect or "typescript"], content)
    unit = build_unit(content, tree.root_node, lines)
    if errors:
        problems.append(Problem("syntax", _WHAT_IS_WRONG, _line_of_first_error(tree.root_node)))
    if is_repaired:
        problems.append(
            Problem("type_arguments", "type arguments before templates were not read; names in them are missing")
        )
    clean = DocumentStatus.REPAIRED if is_repaired else DocumentStatus.CLEAN
    return AnalysedDocument(
        unit=encode_unit(unit),
        line_count=lines,
        status=DocumentStatus.FALLBACK if errors else clean,
        problems=tuple(problems),
        generated=_GENERATED.search(content, 0, _HEAD_BYTES) is not None,
        surface=surface_of(unit),
    )


def _line_of_first_error(root: Node) -> int:
    """1-based."""
    node = root
    while not (node.is_error or is_missing(node)):
        within = next((child for child in node.children if child.has_error), None)
        if within is None:
            break
        node = within
    return node.start_point[0] + 1


def build_unit(source: bytes, root: Node, lines: int) -> Unit:
    """The unit of a parsed file; no node of its tree is kept."""
    builder = Builder(source)
    walker = DeclarationWalker(builder)
    walker.walk(root)
    return Unit(
        nodes=tuple(builder.nodes),
        scopes=tuple(
            replace(scope, bindings=tuple(bindings))
            for scope, bindings in zip(builder.scopes, builder.bindings, strict=True)
        ),
        functions=tuple(builder.functions),
        declarations=tuple(builder.declarations),
        imports=tuple(builder.imports),
        exports=tuple(builder.exports),
        is_module=walker.is_module,
        line_count=lines,
        digest=hashlib.sha256(source).hexdigest()[:16],
    )
