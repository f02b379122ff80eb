"""``explain``: one file bound once more, watched at one place. The binder itself knows nothing of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from codemap_core.hooks.contracts import CandidateExplanation, Explanation, UnitKey
from codemap_core.hooks.interests import NOTHING
from codemap_core.model import Confidence, ReferenceRow, RefKind, UnresolvedReason
from codemap_plugins.csharp.binding.binder import Binder
from codemap_plugins.csharp.binding.bound_expressions import BoundExpression, UnboundNew
from codemap_plugins.csharp.binding.context import BindContext
from codemap_plugins.csharp.binding.document import DocumentBinding
from codemap_plugins.csharp.binding.hierarchy import Found
from codemap_plugins.csharp.binding.inapplicable import (
    Attempt,
    ExplainingOverloads,
    UnrememberedExtensions,
    operand_display,
    type_display,
)
from codemap_plugins.csharp.binding.locals import LocalFunction, LocalScope
from codemap_plugins.csharp.binding.members import Member, MemberKind
from codemap_plugins.csharp.binding.names import primary_parameter
from codemap_plugins.csharp.binding.reference import Use
from codemap_plugins.csharp.binding.stage import CSharpBinding
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.symbols.scopes import Document, Namespace
from codemap_plugins.csharp.symbols.types import NamedType, Type

_IDENTIFIER: Final = re.compile(r"@?\w+")
_TYPE_KINDS: Final = frozenset({RefKind.TYPE, RefKind.ATTRIBUTE, RefKind.INSTANTIATE, RefKind.IMPORT})
_CREATING: Final = frozenset({RefKind.INSTANTIATE, RefKind.ATTRIBUTE, RefKind.CTOR_INITIALIZER})
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

    def is_meant(self, member: Member) -> bool:
        """Whether the place may mean a member of that name."""
        if member.kind in (MemberKind.CONSTRUCTOR, MemberKind.INDEXER, MemberKind.OPERATOR):
            return True
        return member.name == self.name


class _Watch(Binder):
    """Notes what is found at one place; otherwise a binder like any other."""

    def __init__(self, shared: BindContext, document: Document, place: Place, overloads: ExplainingOverloads) -> None:
        super().__init__(shared, document)
        self._place = place
        self._overloads = overloads
        self.found: dict[str, Found] = {}
        self.attempts_before: int | None = None
        """How many resolutions there had been when the place was bound; null where that is not known."""
        self.attempts_since = 0
        """How many there had been when the name before an unresolved one was bound: those in between are its own."""
        self._attempts_bound = 0
        self.local: Type | LocalFunction | None = None

    def _is_here(self, offset: int) -> bool:
        return self.document.outline.lines.position(offset) == (self._place.line, self._place.column)

    def member_reference(
        self,
        kind: RefKind,
        offset: int,
        found: Found,
        confidence: Confidence = Confidence.HIGH,
        receiver: Type | None = None,
        through_base: bool = False,
        use: Use | None = None,
    ) -> None:
        if self._is_here(offset):
            self.found[found.member.symbol_id] = found
            self.attempts_before = len(self._overloads.attempts)
        super().member_reference(kind, offset, found, confidence, receiver, through_base, use)

    def unresolved(
        self,
        kind: RefKind,
        offset: int,
        name: str,
        reason: UnresolvedReason,
        hint: str | None = None,
        use: Use | None = None,
    ) -> None:
        if self._is_here(offset):
            self.attempts_before = len(self._overloads.attempts)
            self.attempts_since = self._attempts_bound
        super().unresolved(kind, offset, name, reason, hint, use)
        self._attempts_bound = len(self._overloads.attempts)

    def expression(self, node: Lowered | None, scope: LocalScope, target: Type | None = None) -> BoundExpression:
        name = node[1] if node is not None and node[0] == Op.CHAIN else node
        if name is not None and name[0] == Op.NAME and self._is_here(name[1]):
            self.local = scope.find(name[2]) or self._captured(name[2], scope)
        operand = super().expression(node, scope, target)
        if node is not None and node[0] == Op.NEW and any(self._is_here(offset) for offset in node[2][1:]):
            self.attempts_before = len(self._overloads.attempts)
        return operand

    def new_of(self, operand: UnboundNew, target: Type) -> None:
        super().new_of(operand, target)
        if self._is_here(operand.node[1]):
            self.attempts_before = len(self._overloads.attempts)

    def _captured(self, name: str, scope: LocalScope) -> Type | None:
        """A parameter of the primary constructor of an enclosing type."""
        for level in scope.within.enclosing() if scope.within is not None else ():
            parameter = primary_parameter(self, level, name)
            if parameter is not None:
                return parameter.type
        return None


def explain(binding: CSharpBinding, unit: UnitKey, text: str, line: int, column: int) -> tuple[Explanation, ...]:
    """As ``Explainer.explain``."""
    if column:
        return _at(binding, unit, text, line, column)
    columns = sorted({row.column for row in binding.bind(unit, NOTHING).references if row.line == line})
    return tuple(found for each in columns for found in _at(binding, unit, text, line, each))


def _at(binding: CSharpBinding, unit: UnitKey, text: str, line: int, column: int) -> tuple[Explanation, ...]:
    document = binding.table.documents[unit]
    place = Place(text, line, column)
    shared = BindContext(
        binding.members,
        document.project,
        lambda context: ExplainingOverloads(context, place.is_meant),
        UnrememberedExtensions,
    )
    assert isinstance(shared.overloads, ExplainingOverloads)
    watch = _Watch(shared, document, place, shared.overloads)
    rows = DocumentBinding(binding, document, watch).rows()
    here = [row for row in rows if (row.line, row.column) == (place.line, place.column)]
    if not here and watch.local is not None:
        return (_local(place, watch.local),)
    return tuple(_explained(row, place, watch, shared.overloads.attempts) for row in here)


def _local(place: Place, local: Type | LocalFunction) -> Explanation:
    is_function = isinstance(local, LocalFunction)
    return Explanation(
        kind="local",
        name=place.name,
        column=place.column,
        type=type_display(local.returns if isinstance(local, LocalFunction) else local),
        rule=f"a {'local function' if is_function else 'local variable or parameter'} in scope (§12.8.4, first step)",
    )


def _explained(row: ReferenceRow, place: Place, watch: _Watch, attempts: Sequence[Attempt]) -> Explanation:
    tried = _attempts_of(row, watch, attempts)
    chosen = row.constructor or row.to_symbol
    candidates: dict[str, CandidateExplanation] = {}
    for attempt in tried:
        for found, reason in attempt.lost:
            symbol_id = found.member.symbol_id
            if symbol_id != chosen:
                candidates.setdefault(symbol_id, CandidateExplanation(symbol_id, reason))
    if tried and chosen is not None:
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
        rule=_rule(row, place, watch, tried),
        candidates=tuple(candidates.values()),
    )


def _attempts_of(row: ReferenceRow, watch: _Watch, attempts: Sequence[Attempt]) -> list[Attempt]:
    """The resolutions of one invocation: the last that chose the target, and those before it over the same arguments. Of what was not
    resolved those that chose nothing since the name before it was bound."""
    wanted = row.constructor or row.to_symbol
    before = attempts[: watch.attempts_before]
    if wanted is None:
        since = before[watch.attempts_since :]
        return [each for each in since if each.chosen is None and each.is_of_constructors is (row.kind in _CREATING)]
    for index in range(len(before) - 1, -1, -1):
        attempt = before[index]
        if attempt.chosen is not None and attempt.chosen.member.symbol_id == wanted:
            return [each for each in before[: index + 1] if each.arguments is attempt.arguments]
    return []


def _rule(row: ReferenceRow, place: Place, watch: _Watch, tried: Sequence[Attempt]) -> str:
    if row.to_symbol is None:
        if any(attempt.lost for attempt in tried):
            return "not bound: none of the candidates below was chosen"
        return f"not bound: {_UNRESOLVED.get(row.reason or '', 'lookup found nothing to choose from')}"
    if row.kind in _RULES:
        return _RULES[row.kind]
    if row.to_symbol.startswith("T:"):
        how = _type_rule(row.to_symbol, place, watch.document)
        created = "; its constructor by overload resolution (§12.8.17.2)" if row.constructor is not None else ""
        return how + created
    found = watch.found.get(row.to_symbol)
    if found is None:
        return "member lookup (§12.5)"
    overloads = f"; overload resolution among {1 + sum(len(a.lost) for a in tried)} (§12.6.4)" if tried else ""
    return _member_rule(found, place, watch, tried) + overloads


def _member_rule(found: Found, place: Place, watch: _Watch, tried: Sequence[Attempt]) -> str:
    container = type_display(found.container)
    receiver = tried[-1].receiver if tried else None
    if found.member.is_extension and receiver is not None:
        imported = _namespace_rule(found.container.definition.namespace, watch.document)
        return (
            f"an extension member in {container}, {imported}, on a receiver of type {operand_display(receiver)} "
            "(§12.8.10.3)"
        )
    inherited = ", inherited" if found.level > 0 else ""
    if found.member.kind is MemberKind.INDEXER:
        return f"an indexer of {container}{inherited} (§12.8.12)"
    if place.is_member_access:
        return f"a member of {container} (member access, §12.8.7)"
    static = [
        target.definition
        for level in watch.document.levels(_innermost(watch.document))
        if level.scope >= 0
        for target, is_static in watch.document.imports(level.scope)
        if is_static and isinstance(target, NamedType)
    ]
    if found.member.is_static and found.container.definition in static:
        return f"a static member of {container}, imported by using static (§12.8.4)"
    return f"a member of the enclosing type or one around it, {container}{inherited} (simple name, §12.8.4)"


def _type_rule(target: str, place: Place, document: Document) -> str:
    if place.is_member_access:
        return "a type in the namespace or type before the dot (§7.8)"
    path = re.sub(r"`+\d+", "", target[2:])
    namespace = path
    while namespace and not document.project.has_namespace(namespace):
        namespace = namespace.rpartition(".")[0]
    for scope in document.outline.scopes:
        for using in scope.usings:
            if using.alias == place.name:
                return f"the alias of line {document.outline.lines.position(using.target.offsets[0])[0]} (§14.5.2)"
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
                line = document.outline.lines.position(using.target.offsets[0])[0]
                return f"of {namespace}, imported by the using directive of line {line}"
        if any(isinstance(t, Namespace) and t.name == namespace for t, _ in document.imports(level.scope)):
            return f"of {namespace}, imported by a global using"
    return f"of {namespace}"


def _innermost(document: Document) -> int:
    return len(document.outline.scopes) - 1
