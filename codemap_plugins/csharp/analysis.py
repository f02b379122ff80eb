"""The analyse stage of C#: the text of one file to its encoded unit.

Pure: the same text, defines, condition and ``fingerprint`` give the same unit, whatever the path, so units are cached by content.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
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
_OR: Final = re.compile(r"\|\||\bor\b", re.IGNORECASE)
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
    alternatives = list(parsed.alternatives()) if parsed.inactive else []
    for each in alternatives:
        walker.walk_alternative(each.tree.root_node, each.active, each.regions)
    compiled = _compiled(alternatives) if rewritten is None else None
    return DocumentUnit(
        outline=walker.outline(parsed.status is DocumentStatus.FALLBACK),
        members=Members(walker.members()),
        bodies=encode_roots(parsed.source, walker.roots, rewritten),
        alternative=_alternative(parsed, compiled, _regions(compiled.regions)) if compiled is not None else None,
    )


def _left_out(parsed: ParsedSource, condition: str) -> DocumentUnit:
    """The unit of a file that only another configuration compiles: it is as if a directive stood around all of it. What its own sections
    leave out is compiled there."""
    walker = DeclarationWalker(parsed.source, parsed.line_index)
    walker.walk(CSHARP.parse(b"").root_node, b"")
    whole = InactiveRegion(0, len(parsed.source), condition)
    walker.walk_alternative(parsed.tree.root_node, parsed.active, (whole,))
    alternatives = list(parsed.alternatives()) if parsed.inactive else []
    for each in alternatives:
        regions = tuple(replace(region, condition=_both(condition, region.condition)) for region in each.regions)
        walker.walk_alternative(each.tree.root_node, each.active, regions)
    compiled = _compiled(alternatives)
    held = tuple(_parts(whole, compiled.regions if compiled is not None else ()))
    return DocumentUnit(
        outline=walker.outline(parsed.status is DocumentStatus.FALLBACK),
        members=Members(walker.members()),
        bodies=encode_roots(parsed.source, walker.roots),
        alternative=_alternative(parsed, compiled or parsed, held),
    )


def _compiled(alternatives: Sequence[ParsedAlternative]) -> ParsedAlternative | None:
    """The first one; null where its regions hold nothing that could ever be compiled, or are not understood."""
    first = alternatives[0] if alternatives else None
    if first is None or first.error_count or not any(each.is_satisfiable for each in first.regions):
        return None
    return first


def _regions(regions: Iterable[InactiveRegion]) -> tuple[Region, ...]:
    return tuple(Region(each.start, each.end, each.condition) for each in regions if each.is_satisfiable)


def _parts(whole: InactiveRegion, regions: Iterable[InactiveRegion]) -> Iterator[Region]:
    """A region without those in it, and these, which hold on its condition too."""
    at = whole.start
    for each in regions:
        if at < each.start:
            yield Region(at, each.start, whole.condition)
        if each.is_satisfiable:
            yield Region(each.start, each.end, _both(whole.condition, each.condition))
        at = each.end
    if at < whole.end:
        yield Region(at, whole.end, whole.condition)


def _both(*conditions: str) -> str:
    """Of a project and of a section, each in its own language."""
    return " && ".join(f"({each})" if _OR.search(each) else each for each in conditions)


def _alternative(
    parsed: ParsedSource, compiled: ParsedSource | ParsedAlternative, regions: tuple[Region, ...]
) -> DocumentUnit:
    """The file as ``compiled`` reads it, of which ``regions`` are else left out."""
    walker = DeclarationWalker(parsed.source, parsed.line_index)
    walker.walk(compiled.tree.root_node, compiled.active)
    outline = walker.outline(has_errors=bool(compiled.error_count))
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
