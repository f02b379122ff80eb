"""What a TypeScript file shows to others and mentions of them, for ``pipeline.dependencies``.

A file is not told its own path, so a file that comes, goes or moves is said by one name that all files declare (``FILE``) and everything
that imports mentions. What a declaration without an annotation means follows from its initialiser or from what it returns: the names that
lie on that way are its uses and values, and their form is part of its digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from codemap_core.model.surface import Declared, Role, Surface
from codemap_plugins.typescript.unit import MAKERS, NONE, BindingKind, Declaration, ExportKind, Node, Op, Unit

FILE: Final = "file:"
"""Stands for the file itself among names."""
_MENTIONED: Final = frozenset({Op.KEY, Op.IMPORTED, Op.EXPORTED})
_READ: Final = frozenset({Op.TEXT, Op.JOINED, Op.OBJECT, Op.NAME, Op.MEMBER, Op.EITHER})
_NAMED: Final = frozenset({Op.NAME, Op.MEMBER, Op.TYPE_NAME, Op.TYPE_MEMBER, Op.LOOKUP})


def surface_of(unit: Unit) -> Surface:
    mentions = {node.name for node in unit.nodes if node.op in _NAMED or node.op in _MENTIONED}
    lazy = any(node.op is Op.LAZY for node in unit.nodes)
    if unit.imports or lazy or any(each.specifier for each in unit.exports):
        mentions.add(FILE)
    mentions.update(each.name for each in unit.imports)
    declared: list[Declared] = []
    followed = _Followed(unit)
    for index, each in enumerate(unit.declarations):
        if each.is_local:
            continue
        container = unit.declarations[each.parent].name if each.parent != NONE else ""
        uses, form = followed.of(index)
        names = tuple(sorted(uses))
        digest = _digest(
            *(each.kind.name, each.signature if _is_annotated(unit, each) else "", str(each.modifiers)),
            *(each.visibility, str(each.is_exported), str(len(each.parts)), form),
        )
        if each.parent == NONE or each.kind.is_container:
            declared.append(Declared(Role.PART, each.name, "", digest, names, names))
        if each.parent != NONE:
            declared.append(Declared(Role.MEMBER, each.name, container, digest, names, names))
            declared.append(Declared(Role.TYPE, container, "", 0, names))
            mentions.add(each.name)
    stars = sorted(each.specifier for each in unit.exports if each.kind is ExportKind.STAR)
    for export in unit.exports:
        if export.kind in (ExportKind.LOCAL, ExportKind.FROM) and export.name != export.local:
            said = _digest(export.kind.name, export.local, export.specifier)
            declared.append(Declared(Role.PART, export.name, "", said, (export.local,), (export.local,)))
        elif export.kind in (ExportKind.LOCAL, ExportKind.FROM):
            said = _digest(export.kind.name, export.local, export.specifier)
            declared.append(Declared(Role.PART, export.name, "", said))
        elif export.kind is ExportKind.ASSIGNED:
            declared.append(Declared(Role.PART, FILE, "", _digest("=", export.local), (export.local,), (export.local,)))
    declared.append(Declared(Role.PART, FILE, "", _digest(str(unit.is_module), *stars)))
    return Surface("\n".join(sorted(name for name in mentions if name)), tuple(declared))


def _is_annotated(unit: Unit, each: Declaration) -> bool:
    """Whether its signature says everything: else part of a body may stand in it."""
    return each.value == NONE


class _Followed:
    """The names and form of what a declaration's meaning depends on."""

    def __init__(self, unit: Unit) -> None:
        self._unit: Final = unit

    def of(self, index: int) -> tuple[set[str], str]:
        unit, each = self._unit, self._unit.declarations[index]
        seen: set[int] = set()
        names: set[str] = set()
        form: list[str] = []
        starts = [each.type, each.element, *each.bases, *each.interfaces]
        if each.type == NONE or self._is_read(each.value):
            starts.append(each.value)
        for function in each.functions:
            starts += self._of_function(function)
        pending = [start for start in reversed(starts) if start != NONE]
        while pending:
            at = pending.pop()
            if at in seen:
                form.append(f"@{at - (index or 0)}" if at == NONE else "@")
                continue
            seen.add(at)
            node = unit.nodes[at]
            form.append(f"{node.op}:{node.name}:{len(node.items)}")
            if node.op in _NAMED and node.name:
                names.add(node.name)
            if node.op is Op.EXPECTED and node.name.startswith("."):
                names.add(node.name[1:])
            if node.op is Op.LAZY:
                names.add(FILE)
            pending += [each for each in reversed((*self._next(node),)) if each != NONE]
        return names, "|".join(form)

    def _is_read(self, at: int) -> bool:
        """Whether the value of an initialiser is followed whatever type is written (``values``)."""
        node = self._unit.nodes[at] if at != NONE else None
        if node is None or node.op is not Op.CALL:
            return node is not None and node.op in _READ
        return node.a != NONE and self._unit.nodes[node.a].name in MAKERS

    def _of_function(self, number: int) -> list[int]:
        function = self._unit.functions[number]
        found = [parameter.type for parameter in function.parameters]
        return [*found, *((function.result,) if function.result != NONE else function.returns)]

    def _next(self, node: Node) -> Iterator[int]:
        unit = self._unit
        if node.op in (Op.FUNCTION, Op.FUNCTION_TYPE):
            yield from self._of_function(node.a)
            return
        if node.op in (Op.THIS, Op.SUPER):
            return
        if node.op is Op.CLASS:
            held = unit.declarations[node.a]
            yield from (*held.bases, *held.interfaces)
            for each in unit.declarations:
                if each.parent == node.a:
                    yield from (each.type, each.value)
                    for function in each.functions:
                        yield from self._of_function(function)
            return
        if node.op not in (Op.IMPORTED, Op.EXPORTED, Op.LAZY):
            yield node.a
        if node.op in (Op.CALL, Op.NEW):
            yield node.b
        yield from node.items
        if node.op in (Op.NAME, Op.TYPE_NAME):
            yield from self._of_binding(node)

    def _of_binding(self, node: Node) -> Iterator[int]:
        """What a local name is taken from."""
        scope = node.scope
        while scope != NONE:
            held = self._unit.scopes[scope]
            for binding in held.bindings:
                if binding.name != node.name:
                    continue
                if binding.kind in (BindingKind.LOCAL, BindingKind.TYPE_PARAMETER):
                    yield from (binding.type, binding.value, binding.context)
                    return
                if binding.kind is BindingKind.DECLARATION:
                    each = self._unit.declarations[binding.of]
                    if each.is_local:
                        yield from (each.type, each.value, *each.bases)
                        for function in each.functions:
                            yield from self._of_function(function)
                    return
            scope = held.parent


def _digest(*parts: str) -> int:
    said = "\0".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(said).digest()[:8], "big")
