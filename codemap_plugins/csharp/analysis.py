"""The analyse stage of C#: the text of one file to its encoded unit.

Pure: the same text, defines, condition and ``fingerprint`` give the same unit, whatever the path, so units are cached by content.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from codemap_core.hooks.contracts import AnalysedDocument, AnalysisSettings
from codemap_core.model import DocumentStatus
from codemap_plugins.csharp.declarations import DeclarationWalker
from codemap_plugins.csharp.declarations.roots import Root, encode_roots
from codemap_plugins.csharp.grammar import CSHARP
from codemap_plugins.csharp.page_names import PROTOBUF, RAZOR, XAML
from codemap_plugins.csharp.parsing import ParsedAlternative, ParsedSource, parse_source
from codemap_plugins.csharp.preprocessor import InactiveRegion
from codemap_plugins.csharp.protobuf.compilation import ParsedProto, parse_proto
from codemap_plugins.csharp.razor.compilation import ParsedPage as RazorPage
from codemap_plugins.csharp.razor.compilation import parse_page as parse_razor
from codemap_plugins.csharp.surface import surface_of
from codemap_plugins.csharp.unit import DocumentUnit, Members, Region, RootRole, encode_unit, region_at
from codemap_plugins.csharp.xaml.compilation import ParsedPage as XamlPage
from codemap_plugins.csharp.xaml.compilation import parse_page as parse_xaml

_GENERATED_MARK: Final = re.compile(rb"<auto-?generated", re.IGNORECASE)
_HEAD_BYTES: Final = 2000
"""How far into a file the mark of generated code is sought; it stands in the leading comment."""


def analyse(content: bytes, settings: AnalysisSettings) -> AnalysedDocument:
    """Never raises for bad source; what is wrong with it is in ``status`` and ``problems``."""
    page = _parsed_page(content, settings)
    if page is not None:
        parsed = page.parsed
        unit = page.placed(build_unit(parsed, page.lowered))
        surface = replace(surface_of(unit, parsed.source), later=True)
    else:
        parsed = parse_source(content, settings.defines)
        unit = _left_out(parsed, settings.condition) if settings.condition else build_unit(parsed)
        surface = surface_of(unit, content)
    return AnalysedDocument(
        unit=encode_unit(unit),
        line_count=parsed.line_index.line_count,
        status=parsed.status,
        problems=parsed.problems,
        generated=_GENERATED_MARK.search(content, 0, _HEAD_BYTES) is not None,
        surface=surface,
    )


def _parsed_page(content: bytes, settings: AnalysisSettings) -> RazorPage | XamlPage | ParsedProto | None:
    """Null for C#."""
    if settings.dialect == RAZOR:
        return parse_razor(content, settings)
    if settings.dialect == XAML:
        return parse_xaml(content)
    return parse_proto(content, settings.file_path) if settings.dialect == PROTOBUF else None


def build_unit(parsed: ParsedSource, rewritten: Callable[[list[Any]], list[Any]] | None = None) -> DocumentUnit:
    """The unit of a parsed file; no node of its trees is kept. ``rewritten``: as for ``encode_roots``."""
    walker = DeclarationWalker(parsed.source, parsed.line_index)
    walker.walk(parsed.tree.root_node, parsed.active)
    alternative: DocumentUnit | None = None
    if parsed.inactive:
        for each in parsed.alternatives():
            walker.walk_alternative(each.tree.root_node, each.active, each.regions)
            if alternative is None and rewritten is None:
                alternative = _alternative(parsed, each)
    return DocumentUnit(
        outline=walker.outline(parsed.status is DocumentStatus.FALLBACK),
        members=Members(walker.members()),
        bodies=encode_roots(parsed.source, walker.roots, rewritten),
        alternative=alternative,
    )


def _left_out(parsed: ParsedSource, condition: str) -> DocumentUnit:
    """The unit of a file that only another configuration compiles: it is as if a directive stood around all of it."""
    whole = InactiveRegion(0, len(parsed.source), condition)
    walker = DeclarationWalker(parsed.source, parsed.line_index)
    walker.walk(CSHARP.parse(b"").root_node, b"")
    walker.walk_alternative(parsed.tree.root_node, parsed.active, (whole,))
    unit = build_unit(parsed)
    region = Region(whole.start, whole.end, condition)
    return DocumentUnit(
        outline=walker.outline(parsed.status is DocumentStatus.FALLBACK),
        members=Members(walker.members()),
        bodies=encode_roots(parsed.source, walker.roots),
        alternative=replace(unit, outline=replace(unit.outline, regions=(region,)), alternative=None),
    )


def _alternative(parsed: ParsedSource, alternative: ParsedAlternative) -> DocumentUnit | None:
    """The file with ``regions`` compiled; null where they hold nothing that could ever be compiled, or are not understood."""
    regions = tuple(Region(each.start, each.end, each.condition) for each in alternative.regions if each.is_satisfiable)
    if not regions or alternative.error_count:
        return None
    walker = DeclarationWalker(parsed.source, parsed.line_index)
    walker.walk(alternative.tree.root_node, alternative.active)
    outline = walker.outline(has_errors=False)
    roots = [_within(each, regions) for each in walker.roots]
    return DocumentUnit(
        outline=replace(outline, regions=regions),
        members=Members(walker.members()),
        bodies=encode_roots(parsed.source, roots),
    )


def _within(roots: Sequence[Root], regions: Sequence[Region]) -> Sequence[Root]:
    """Those that hold some of the regions, and initialisers, whose values others read. Top-level statements are one body."""
    held = [region_at(regions, node.start_byte, node.end_byte) is not None for _, _, node in roots]
    statements = any(is_held and role is RootRole.STATEMENT for is_held, (role, _, _) in zip(held, roots, strict=True))
    return [
        root
        for is_held, root in zip(held, roots, strict=True)
        if is_held or root[0] is RootRole.INITIALIZER or (statements and root[0] is RootRole.STATEMENT)
    ]
