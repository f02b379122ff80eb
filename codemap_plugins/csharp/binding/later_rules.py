"""What rules ask of rules that are made after them: conversions and inference, which method of a group is meant; overload resolution,
which extension method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from codemap_plugins.csharp.binding.bound_expressions import BoundMethodGroup
from codemap_plugins.csharp.binding.locals import LocalScope
from codemap_plugins.csharp.binding.operands import Argument, BoundExpression
from codemap_plugins.csharp.binding.resolution import OverloadResolution
from codemap_plugins.csharp.symbols.types import FunctionPointerType, Type


class GroupRules(Protocol):
    def method_for_delegate(self, group: BoundMethodGroup, target: Type) -> OverloadResolution: ...

    def method_for_pointer(self, group: BoundMethodGroup, target: FunctionPointerType) -> OverloadResolution: ...

    def group_result(
        self, group: BoundMethodGroup, types: tuple[Type, ...], passings: Sequence[int]
    ) -> Type | None: ...


class ExtensionRules(Protocol):
    def resolve(
        self,
        scope: LocalScope,
        name: str,
        receiver: BoundExpression,
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        to_delegate: bool = False,
    ) -> OverloadResolution: ...


class LaterRules(Protocol):
    """Not to be asked before all rules are made."""

    @property
    def overloads(self) -> GroupRules: ...

    @property
    def extensions(self) -> ExtensionRules: ...
