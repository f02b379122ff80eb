"""``explain``: what binding recorded of the names of a line, in words. A file is bound once more for it, with the losers kept."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model import CandidateExplanation, Confidence, Explanation, ReferenceRow, RefKind, UnresolvedReason
from codemap_core.model.counting import counted
from codemap_plugins.csharp.binding.bound_document import Kept
from codemap_plugins.csharp.binding.context import BindContext, FileContext
from codemap_plugins.csharp.binding.document import DocumentBinding
from codemap_plugins.csharp.binding.locals import Local, LocalFunction, LocalVariable
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.loss_sentences import expression_display, type_display, why_lost, why_passed_over
from codemap_plugins.csharp.binding.members import MemberKind
from codemap_plugins.csharp.binding.reference import Use
from codemap_plugins.csharp.binding.resolution import Contest
from codemap_plugins.csharp.binding.stage import CSharpBinding
from codemap_plugins.csharp.page_names import OF_XAML
from codemap_plugins.csharp.symbols.alternatives import alternative_key
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.project_scope import Namespace
from codemap_plugins.csharp.symbols.scopes import Document
from codemap_plugins.csharp.symbols.types import NamedType

_IDENTIFIER: Final = re.compile(r"@?\w+")
_RULES: Final = {
    RefKind.OVERRIDE: "the slot that this member overrides (§15.6.5)",
    RefKind.IMPLEMENTATION: "an interface member that this member implements (§18.6.5)",
    RefKind.OPERATOR: "user-defined operator overload resolution (§12.4.5)",
    RefKind.CTOR_INITIALIZER: "a constructor initializer: overload resolution among constructors (§15.11.2)",
    RefKind.CREF: "a cref attribute of a documentation comment (annex D.4)",
}
_UNRESOLVED: Final[Mapping[str, str]] = {
    UnresolvedReason.RECEIVER_UNKNOWN: "what stands before the dot has no known type, so it has no known members (§12.8.7)",
    UnresolvedReason.NO_DECLARATION_IN_VIEW: (
        "no local, no member of the enclosing types and their bases, no type or namespace in view, nothing imported by using static "
        "bears this name (§12.8.4)"
    ),
    UnresolvedReason.BASE_TYPE_UNKNOWN: (
        "a base that was not found may declare the name (§12.5), or decides which of the candidates fit (§12.6.4)"
    ),
    UnresolvedReason.TYPE_NOT_FOUND: "no type of this name and arity is in an enclosing type or namespace, or imported (§7.8)",
    UnresolvedReason.NO_SUCH_MEMBER: "the type, its bases and the extension members in view have no member of this name (§12.8.7)",
    UnresolvedReason.NAMES_A_GROUP: "several methods bear this name, and nameof gives no arguments that tell them apart (§12.8.23)",
    UnresolvedReason.SEVERAL_OF_GROUP_FIT: "several methods bear this name, and what it converts to does not tell them apart (§10.8)",
    UnresolvedReason.DYNAMIC: "a dynamic operand leaves the choice to run time (§12.3.3)",
}


class Place:
    """The name at a place: its line, first column and text; what stands before it on its line."""

    def __init__(self, text: str, line: int, column: int) -> None:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        written = lines[line - 1] if 0 < line <= len(lines) else ""
        at = len(written.encode("utf-16-le")[: 2 * (column - 1)].decode("utf-16-le", "ignore"))
        name = next((each for each in _IDENTIFIER.finditer(written) if each.start() <= at < each.end()), None)
        start = name.start() if name is not None else at
        self.line: Final = line
        self.name: Final = name.group().removeprefix("@") if name is not None else written[at : at + 1]
        self.column: Final = len(written[:start].encode("utf-16-le")) // 2 + 1
        before = written[:start].rstrip()
        if not before and line > 1:
            before = next((each.rstrip() for each in reversed(lines[: line - 1]) if each.strip()), "")
        self.is_member_access: Final = before.endswith((".", "::", "->", "?."))


class _Bound:
    """The names of one line as they are bound."""

    def __init__(self, binding: CSharpBinding, document: Document, line: int) -> None:
        self.document: Final = document
        self.uses: Final[dict[tuple[int, RefKind, str | None], Use]] = {}
        """By column, kind and target."""
        self.locals: Final[dict[int, Local]] = {}
        """By column."""
        position = document.outline.lines.index().position

        def keep(kept: Kept) -> None:
            for reference in kept.found:
                at, column = position(reference.offset)
                if at == line and reference.use is not None:
                    self.uses.setdefault((column, reference.kind, reference.target), reference.use)

        context = BindContext(binding.members, document.project, keeps_losers=True)
        file = FileContext(document, keeps_uses=True, keeps_locals=True)
        rows = DocumentBinding(binding, document, keep, file, context).rows()
        self.rows: Final = [row for row in rows.packed() if row.line == line]
        for offset, local in file.locals.items():
            at, column = position(offset)
            if at == line:
                self.locals[column] = local


def explain(binding: CSharpBinding, unit: UnitKey, text: str, line: int, column: int) -> tuple[Explanation, ...]:
    """As ``Explainer.explain``."""
    bound = _Bound(binding, _document_at(binding, unit, line), line)
    if column:
        return _at(bound, Place(text, line, column))
    columns = sorted({row.column for row in bound.rows})
    return tuple(found for each in columns for found in _at(bound, Place(text, line, each)))


def _document_at(binding: CSharpBinding, unit: UnitKey, line: int) -> Document:
    """The file; where its symbols leave the line out, as it is in the alternative of its project."""
    documents = binding.table.documents
    other = documents.get(alternative_key(unit))
    if other is not None:
        position = binding.table.lines_of(other).position
        if any(position(each.start)[0] <= line <= position(each.end)[0] for each in other.outline.regions):
            return other
    return documents[unit]


def _at(bound: _Bound, place: Place) -> tuple[Explanation, ...]:
    here = [row for row in bound.rows if row.column == place.column]
    if not here and place.column in bound.locals:
        return (_local(place, bound.locals[place.column]),)
    return tuple(_explained(row, place, bound) for row in here)


def _local(place: Place, local: Local) -> Explanation:
    is_function = isinstance(local, LocalFunction)
    if isinstance(local, LocalVariable):
        local = local.type
    return Explanation(
        kind="local",
        name=place.name,
        column=place.column,
        type=type_display(local.returns if isinstance(local, LocalFunction) else local),
        rule=f"a {'local function' if is_function else 'local variable or parameter'} in scope (§12.8.4, first step)",
    )


def _explained(row: ReferenceRow, place: Place, bound: _Bound) -> Explanation:
    use = bound.uses.get((row.column, row.kind, row.to_symbol))
    names_type = row.to_symbol is not None and row.to_symbol.startswith("T:")
    chosen = row.constructor if names_type else row.to_symbol
    candidates: dict[str, CandidateExplanation] = {}
    misfit = ""
    if use is not None:
        lost = [(loser.found, why_lost(loser, contest)) for contest in use.contests for loser in contest.losers]
        lost += [(each.found, why_passed_over(each)) for each in use.passed_over]
        for found, reason in lost:
            symbol_id = found.member.symbol_id
            if symbol_id != chosen:
                candidates.setdefault(symbol_id, CandidateExplanation(symbol_id, reason))
            elif not misfit and row.confidence is not Confidence.HIGH:
                misfit = reason
        if use.contests and chosen is not None:
            candidates = {chosen: CandidateExplanation(chosen, chosen=True), **candidates}
    return Explanation(
        kind=row.kind.value,
        name=place.name,
        column=place.column,
        target=row.to_symbol,
        constructor=row.constructor,
        external=row.external,
        confidence=row.confidence.value,
        reason=row.reason or "",
        from_symbol=row.from_symbol,
        rule=_rule(row, place, use, bound.document, len(candidates))
        + (f"; named though it is not applicable, as no other can be meant: {misfit}" if misfit else ""),
        candidates=tuple(candidates.values()),
    )


def _rule(row: ReferenceRow, place: Place, use: Use | None, document: Document, count: int) -> str:
    """``count``: of the candidates."""
    if row.to_symbol is None:
        if count:
            return "not bound: none of the candidates below was chosen"
        return f"not bound: {_why_unbound(row, place, document)}"
    if row.kind in _RULES:
        return _RULES[row.kind]
    if row.to_symbol.startswith("T:"):
        how = _type_rule(row.to_symbol, place, document)
        if use is None or not use.contests:
            return how
        made = (
            "its constructor by overload resolution"
            if row.constructor is not None
            else "no constructor takes the arguments"
        )
        return f"{how}; {made} (§12.8.17.2)"
    if use is None or use.found is None:
        return "member lookup (§12.5)"
    overloads = f"; overload resolution among {counted(count, 'candidate')} (§12.6.4)" if use.contests else ""
    return _member_rule(use.found, place, document, use.contests) + overloads


def _why_unbound(row: ReferenceRow, place: Place, document: Document) -> str:
    if row.kind is RefKind.CTOR_INITIALIZER and row.reason == UnresolvedReason.BASE_TYPE_UNKNOWN:
        return "the constructors are those of a base that was not found (§15.11.2)"
    if row.reason == UnresolvedReason.TYPE_NOT_FOUND:
        hidden = _inaccessible_type(row, place, document)
        if hidden is not None:
            return f"{hidden.documentation_id} of {hidden.project.path} is internal and not accessible here (§7.5)"
    return _UNRESOLVED.get(row.reason or "", "lookup found nothing to choose from")


def _inaccessible_type(row: ReferenceRow, place: Place, document: Document) -> SourceTypeDefinition | None:
    """What the name of a type would mean if this project could see it."""
    project = document.project
    if place.is_member_access:
        in_view = {row.to_container_hint or ""}
    else:
        levels = document.levels(_innermost(document))
        targets = [target for level in levels if level.scope >= 0 for target, _ in document.imports(level.scope)]
        in_view = {level.namespace for level in levels} | {each.name for each in targets if isinstance(each, Namespace)}
    for (name, arity), namespaces in project.table.homes.items():
        if name == row.to_name:
            for namespace in sorted(in_view.intersection(namespaces)):
                for found in project.table.types[namespace, name, arity]:
                    if found.project.path in project.visible and not found.file_local and not project.can_see(found):
                        return found
    return None


def _member_rule(found: Found, place: Place, document: Document, contests: Sequence[Contest]) -> str:
    container = type_display(found.container)
    if found.member.is_extension and contests and contests[-1].is_extension:
        receiver = contests[-1].given[0].expression
        imported = _namespace_rule(found.container.definition.namespace, document)
        return (
            f"an extension member in {container}, {imported}, on a receiver of type {expression_display(receiver)} "
            "(§12.8.10.3)"
        )
    inherited = ", inherited" if found.level > 0 else ""
    if found.member.kind is MemberKind.INDEXER:
        return f"an indexer of {container}{inherited} (§12.8.12)"
    if document.outline.page in OF_XAML:
        return f"a member of {container}{inherited}: of an element, of what an element shows, or of the page"
    if place.is_member_access:
        return f"a member of {container} (member access, §12.8.7)"
    static = [
        target.definition
        for level in document.levels(_innermost(document))
        if level.scope >= 0
        for target, is_static in document.imports(level.scope)
        if is_static and isinstance(target, NamedType)
    ]
    if found.member.is_static and found.container.definition in static:
        return f"a static member of {container}, imported by using static (§12.8.4)"
    return f"a member of the enclosing type or one around it, {container}{inherited} (simple name, §12.8.4)"


def _type_rule(target: str, place: Place, document: Document) -> str:
    if document.outline.page in OF_XAML:
        return "a type in a namespace that the prefix stands for, or that elements without one are in"
    if place.is_member_access:
        return "a type in the namespace or type before the dot (§7.8)"
    path = re.sub(r"`+\d+", "", target[2:])
    namespace = path
    while namespace and not document.project.has_namespace(namespace):
        namespace = namespace.rpartition(".")[0]
    for scope in document.outline.scopes:
        for using in scope.usings:
            if using.alias == place.name:
                return (
                    f"the alias of line {document.outline.lines.index().position(using.target.offsets[0])[0]} (§14.5.2)"
                )
    inner = path[len(namespace) :].lstrip(".")
    if "." in inner:
        return f"a type nested in {path.rpartition('.')[0]}, seen from within it or inherited (§7.8)"
    return f"a type {_namespace_rule(namespace, document)} (§7.8)"


def _namespace_rule(namespace: str, document: Document) -> str:
    """How the members of a namespace come into view."""
    if not namespace:
        return "of the global namespace"
    for level in document.levels(_innermost(document)):
        if level.namespace == namespace:
            return f"of the enclosing namespace {namespace}"
        if level.scope < 0:
            continue
        for using in document.outline.scopes[level.scope].usings:
            if not using.alias and using.target.text == namespace:
                line = document.outline.lines.index().position(using.target.offsets[0])[0]
                return f"of {namespace}, imported by the using directive of line {line}"
        if any(isinstance(t, Namespace) and t.name == namespace for t, _ in document.imports(level.scope)):
            return f"of {namespace}, imported by a global using"
    return f"of {namespace}"


def _innermost(document: Document) -> int:
    return len(document.outline.scopes) - 1
