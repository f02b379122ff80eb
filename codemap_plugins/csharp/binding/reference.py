"""A reference as the binder finds it, before it is a row, and what else was known there."""

from __future__ import annotations

from collections.abc import Sequence

from codemap_core.model import Confidence, RefKind, UnresolvedReason
from codemap_plugins.csharp.binding.lookup import Found, PassedOver
from codemap_plugins.csharp.binding.operands import Argument
from codemap_plugins.csharp.binding.resolution import Contest
from codemap_plugins.csharp.symbols.types import Type


class Use:
    """How a member is used: the member as found, if it was, type arguments of a method, the type of what it is used on, the arguments
    given, and the type of the whole. ``extends``: an extension method called on its first parameter. ``contests``: how it was chosen,
    ``passed_over``: what bears the name without being meant, both where losers are kept."""

    __slots__ = ("arguments", "contests", "extends", "found", "method_arguments", "passed_over", "receiver", "type")

    def __init__(
        self,
        found: Found | None,
        type_: Type | None = None,
        receiver: Type | None = None,
        arguments: Sequence[Argument] = (),
        method_arguments: tuple[Type, ...] = (),
        extends: bool = False,
        contests: Sequence[Contest] = (),
        passed_over: Sequence[PassedOver] = (),
    ) -> None:
        self.found = found
        self.type = type_
        self.receiver = receiver
        self.arguments = arguments
        self.method_arguments = method_arguments
        self.extends = extends
        self.contests = contests
        self.passed_over = passed_over


class Reference:
    """A reference before it is a row. ``target`` null: unresolved, for ``reason``. ``use``: what the binder knew of it beyond the
    row, where that is kept."""

    __slots__ = (
        "confidence",
        "constructor",
        "external",
        "hint",
        "is_virtual",
        "kind",
        "name",
        "offset",
        "reason",
        "target",
        "use",
    )

    def __init__(
        self,
        kind: RefKind,
        offset: int,
        name: str,
        target: str | None,
        external: bool,
        constructor: str | None = None,
        confidence: Confidence = Confidence.HIGH,
        reason: UnresolvedReason | None = None,
        hint: str | None = None,
        is_virtual: bool = False,
        use: Use | None = None,
    ) -> None:
        self.kind = kind
        self.offset = offset
        self.name = name
        self.target = target
        self.external = external
        self.constructor = constructor
        self.confidence = confidence
        self.reason = reason
        self.hint = hint
        self.is_virtual = is_virtual
        self.use = use
