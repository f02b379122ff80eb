"""What a change of a member's own declaration breaks: parameters, type, accessors, modifiers, value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from codemap_core.model import SymbolKind, SymbolRow
from codemap_core.queries.difference.views import Break
from codemap_plugins.difference_tools.rules import Rule
from codemap_plugins.difference_tools.signatures import Parameter, Signature

_MODES: Final = frozenset({"ref", "out", "in"})
_OVERRIDABLE: Final = frozenset({"virtual", "abstract", "override"})
_HIDDEN: Final = frozenset({"private", "internal", "private protected"})

_ZERO: Final = re.compile(r"default\b|new\b[^({]*\(\s*\)$")

SameType = Callable[[str, str], bool]


def member_breaks(
    old: SymbolRow,
    new: SymbolRow,
    before: Signature,
    after: Signature,
    same_type: SameType,
    *,
    can_be_overridden: bool = True,
) -> Iterator[Break]:
    """Of two members, or delegates, of one kind. ``can_be_overridden``: somebody else can derive from the type."""
    is_delegate = old.kind is SymbolKind.DELEGATE  # whose ids say nothing of what it returns and takes
    may_differ = is_delegate or old.stable_id != new.stable_id
    by_reference = _reference(before.type), _reference(after.type)
    if by_reference[0] != by_reference[1] or (may_differ and not same_type(before.type, after.type)):
        yield Rule.TYPE_CHANGED.said(f"{before.type} → {after.type}")
    yield from _of_parameters(old, new, before.parameters, after.parameters, same_type)
    yield from _of_accessors(before, after)
    yield from _of_modifiers(old, new, before, after, can_be_overridden)
    if old.kind is SymbolKind.CONSTANT and before.value != after.value:
        yield Rule.CONSTANT_CHANGED.said(f"{before.value} → {after.value}")


def _reference(type_name: str) -> str:
    """``ref`` or ``ref readonly`` before a type."""
    return " ".join(word for word in type_name.split()[:2] if word in ("ref", "readonly"))


def _of_parameters(
    old: SymbolRow, new: SymbolRow, before: Sequence[Parameter], after: Sequence[Parameter], same_type: SameType
) -> Iterator[Break]:
    is_same = len(before) == len(after) and all(
        same_type(left.type, right.type) for left, right in zip(before, after, strict=True)
    )
    is_one_id = old.kind is not SymbolKind.DELEGATE and _parameter_ids(old) == _parameter_ids(new)
    if not (is_one_id or is_same):
        starts_alike = all(same_type(left.type, right.type) for left, right in zip(before, after, strict=False))
        if len(after) > len(before) and starts_alike and all(each.default for each in after[len(before) :]):
            added = ", ".join(f"{each.type} {each.name}" for each in after[len(before) :])
            yield Rule.OPTIONAL_PARAMETER_ADDED.said(f"({added}) in addition")
        else:
            yield Rule.PARAMETERS_CHANGED.said(f"({_types(before)}) → ({_types(after)})")
            return
    for left, right in zip(before, after, strict=False):
        yield from _of_parameter(left, right)


def _parameter_ids(row: SymbolRow) -> str:
    """What the id says of the parameters."""
    return row.symbol_id.partition("(")[2]


def _of_parameter(old: Parameter, new: Parameter) -> Iterator[Break]:
    if old.name != new.name:
        yield Rule.PARAMETER_RENAMED.said(f"{old.name} is {new.name}")
    before, after = _mode(old), _mode(new)
    if before != after and not (before == "ref" and after == "ref readonly"):
        yield Rule.PARAMETER_MODE_CHANGED.said(f"{old.name}: {before or 'by value'} → {after or 'by value'}")
    for word in ("params", "this"):
        if word in old.modifiers and word not in new.modifiers:
            yield Rule.PARAMS_LOST.said(f"{new.name} is not {word}")
    if old.default and not new.default and "params" not in new.modifiers:
        yield Rule.DEFAULT_LOST.said(f"{new.name} must be given")
    elif old.default and new.default and _value(old.default) != _value(new.default):
        yield Rule.DEFAULT_CHANGED.said(f"{new.name} = {old.default} → {new.default}")


def _mode(parameter: Parameter) -> str:
    mode = next((word for word in parameter.modifiers if word in _MODES), "")
    return f"{mode} readonly" if mode == "ref" and "readonly" in parameter.modifiers else mode


def _value(text: str) -> str:
    """A default value; ``default``, ``default(T)``, ``new T()`` and ``null`` are one where several can stand, and ``!`` says nothing."""
    plain = text.replace("!", "")
    return "null" if _ZERO.match(plain) else plain


def _types(parameters: Sequence[Parameter]) -> str:
    return ", ".join(" ".join((*each.modifiers, each.type)) for each in parameters)


def _of_accessors(before: Signature, after: Signature) -> Iterator[Break]:
    now = dict(after.accessors)
    for name, visibility in before.accessors:
        if visibility in _HIDDEN:
            continue
        if name not in now:
            if not (name == "init" and "set" in now):
                yield Rule.ACCESSOR_LOST.said(f"no {name}" + (", but init" if name == "set" and "init" in now else ""))
        elif now[name] != visibility and (now[name] in _HIDDEN or not visibility):
            yield Rule.ACCESSOR_LOST.said(f"{name} is {now[name]}")


def _of_modifiers(
    old: SymbolRow, new: SymbolRow, before: Signature, after: Signature, can_be_overridden: bool
) -> Iterator[Break]:
    added, lost = after.modifiers - before.modifiers, before.modifiers - after.modifiers
    if old.is_static != new.is_static:
        yield Rule.STATIC_CHANGED.said(f"{new.name} is {'static' if new.is_static else 'an instance member'}")
    if old.kind is SymbolKind.FIELD and "readonly" in added:
        yield Rule.READONLY_FIELD.said(f"{new.name} is readonly")
    if "required" in added:
        yield Rule.REQUIRED_ADDED.said(f"{new.name} must be set")
    if not can_be_overridden or old.is_static:
        return
    was_open = bool(before.modifiers & _OVERRIDABLE) and "sealed" not in before.modifiers
    is_open = bool(after.modifiers & _OVERRIDABLE) and "sealed" not in after.modifiers
    if "abstract" in added:
        yield Rule.ABSTRACT_ADDED.said(f"{new.name} is abstract")
    elif was_open and not is_open:
        yield Rule.VIRTUAL_LOST.said(
            f"{new.name} is {'sealed' if 'sealed' in added else 'not ' + ', '.join(sorted(lost & _OVERRIDABLE))}"
        )
    elif not was_open and "virtual" in added:
        yield Rule.VIRTUAL_ADDED.said(f"{new.name} is virtual")
