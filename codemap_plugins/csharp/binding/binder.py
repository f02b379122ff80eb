"""The binder of one file: dispatches lowered nodes to their rules, records references, converts operands to their targets.

Rules live in the modules named below and register themselves by opcode. A rule returns a ``BoundExpression``; references go to
its recording as they are found. What is bound speculatively, a lambda's body, has a binder and a recording of its own, kept with the
result until it is chosen. Nothing of a binder changes but its recording: where other rules hold, another binder is handed down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from codemap_core.model import Confidence, RefKind, UnresolvedReason
from codemap_plugins.csharp.binding.bound_expressions import (
    UNKNOWN_VALUE,
    BoundAddress,
    BoundChoice,
    BoundCollection,
    BoundMethodGroup,
    BoundTuple,
    BoundValue,
    OutVariable,
    UnboundLambda,
    UnboundNew,
    in_doubt,
    value,
)
from codemap_plugins.csharp.binding.context import BindContext, FileContext
from codemap_plugins.csharp.binding.dispatch import DISPATCHED_KINDS, is_dispatched
from codemap_plugins.csharp.binding.doubt import is_sure_member
from codemap_plugins.csharp.binding.hierarchy import Bounds
from codemap_plugins.csharp.binding.locals import LocalScope, variable
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.binding.operands import Argument, BoundExpression
from codemap_plugins.csharp.binding.recording import Recording
from codemap_plugins.csharp.binding.reference import Reference, Use
from codemap_plugins.csharp.binding.resolution import Candidate, Contest, OverloadResolution
from codemap_plugins.csharp.binding.special_types import is_void_type, nullable_element, tuple_elements
from codemap_plugins.csharp.binding.usage import Usage
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.metadata.framework_additions import is_absent
from codemap_plugins.csharp.page_names import OF_XAML
from codemap_plugins.csharp.symbols.scopes import TypeResolver, generic_type, tuple_type
from codemap_plugins.csharp.symbols.types import (
    DynamicType,
    FunctionPointerType,
    NamedType,
    Type,
    TypeDefinition,
    contains_error,
)
from codemap_plugins.csharp.type_reader import name_at

MAX_DEPTH: Final = 150
"""Expressions nested deeper are left unbound; real code stays below 40."""

_POSTFIX: Final = Op.POSTFIX.value
_ARGUMENT: Final = Op.ARGUMENT.value


Rule = Callable[["Binder", Lowered, LocalScope, Type | None], BoundExpression]
RULES: Final[dict[int, Rule]] = {}
TargetRule = Callable[["Binder", Lowered, LocalScope, Usage], BoundValue]
TARGETS: Final[dict[int, TargetRule]] = {}
"""Of expressions that can be assigned to."""
Settlement = Callable[["Binder", Any, Type, bool], None]
SETTLEMENTS: Final[dict[type[BoundExpression], Settlement]] = {}
"""Of operands that are bound only when their type is known."""


def binds(*opcodes: int) -> Callable[[Rule], Rule]:
    """Registers the rule for opcodes."""

    def register(rule: Rule) -> Rule:
        for opcode in opcodes:
            RULES[int(opcode)] = rule
        return rule

    return register


def binds_target(*opcodes: int) -> Callable[[TargetRule], TargetRule]:
    """Registers the rule for targets of these opcodes."""

    def register(rule: TargetRule) -> TargetRule:
        for opcode in opcodes:
            TARGETS[int(opcode)] = rule
        return rule

    return register


def settles(kind: type[BoundExpression]) -> Callable[[Settlement], Settlement]:
    """Registers what settles operands of a kind."""

    def register(rule: Settlement) -> Settlement:
        SETTLEMENTS[kind] = rule
        return rule

    return register


class Binder:
    def __init__(self, file: FileContext, shared: BindContext, recording: Recording, depth: int = 0) -> None:
        """``shared``: the rules as they hold among the type parameters in scope. ``depth``: below how many expressions it begins."""
        self.file: Final = file
        self.keeps_uses: Final = file.keeps_uses
        self.document: Final = file.document
        self.shared: Final = shared
        self.hierarchy: Final = shared.hierarchy
        self.conversions: Final = shared.conversions
        self.overloads: Final = shared.overloads
        self.natural_types: Final = shared.natural_types
        self.language: Final = shared.project.language
        self.recording: Final = recording
        self.references: Final = recording.references
        self._depth = depth

    def within(self, bounds: Bounds) -> Binder:
        """Where these type parameters are in scope as well."""
        return Binder(self.file, self.shared.within(bounds), self.recording, self._depth)

    @property
    def depth(self) -> int:
        """Expressions around the one that is being bound."""
        return self._depth

    # Types

    def system(self, name: str) -> NamedType:
        return self.hierarchy.system(name)

    def generic(self, namespace: str, name: str, *arguments: Type) -> Type:
        return generic_type(self.shared.project, namespace, name, arguments)

    def type(self, lowered: Sequence[Any], resolver: TypeResolver, kind: RefKind = RefKind.TYPE) -> Type:
        """A type as written, ``[text, offset, …]``: its names become references of ``kind``."""
        text: str = lowered[0]
        if len(lowered) > 1:
            for ordinal, definition in resolver.names(text):
                if ordinal + 1 < len(lowered):
                    self.written_type_reference(lowered[ordinal + 1], definition, text, ordinal, kind)
        return resolver.resolve(text)

    def written_type_reference(
        self, offset: int, definition: TypeDefinition | None, text: str, ordinal: int, kind: RefKind = RefKind.TYPE
    ) -> None:
        """What a type text names where its identifier with this ordinal stands, found or not."""
        if definition is not None:
            self.type_reference(offset, definition, kind)
        else:
            written = name_at(text, ordinal)
            hint = written.container if self.document.outline.page not in OF_XAML else None
            self.unresolved(kind, offset, written.name, UnresolvedReason.TYPE_NOT_FOUND, hint)

    def type_reference(
        self,
        offset: int,
        definition: TypeDefinition,
        kind: RefKind = RefKind.TYPE,
        confidence: Confidence = Confidence.HIGH,
    ) -> None:
        target, external = definition.documentation_id, definition.external
        confidence = self.as_sure_as(definition, target, confidence)
        self.references.append(Reference(kind, offset, definition.name, target, external, confidence=confidence))

    def as_sure_as(self, definition: TypeDefinition, symbol_id: str, confidence: Confidence) -> Confidence:
        """Of a type, or a member of it: low where a library has it and the project's own framework lacks it, no more than medium where
        another project declares it and only that one's package, of whatever version, is referenced."""
        project = self.shared.project
        if definition.external:
            return Confidence.LOW if project.absent and is_absent(symbol_id, project.absent) else confidence
        is_packaged = bool(project.packaged) and project.has_as_package(definition)
        return Confidence.MEDIUM if is_packaged and confidence is Confidence.HIGH else confidence

    # Expressions

    def expression(self, node: Lowered | None, scope: LocalScope, target: Type | None = None) -> BoundExpression:
        """Binds an expression. ``target``: the type it is about to be converted to, where that is known."""
        if node is None:
            return UNKNOWN_VALUE
        rule = RULES.get(node[0])
        if rule is None or self._depth > MAX_DEPTH:
            return UNKNOWN_VALUE
        self._depth += 1
        try:
            return rule(self, node, scope, target)
        finally:
            self._depth -= 1

    def value_of(self, node: Lowered | None, scope: LocalScope, target: Type | None = None) -> Type:
        """The type of an expression that is used as a value; what takes its type from elsewhere takes ``target``."""
        operand = self.expression(node, scope, target)
        return self.convert(operand, target)

    def settled(self, node: Lowered | None, scope: LocalScope) -> BoundValue:
        """An expression that others take their types from, as a value."""
        return self.as_value(self.expression(node, scope))

    def as_value(self, operand: BoundExpression) -> BoundValue:
        """``finish``: what is then known of the value."""
        if isinstance(operand, BoundValue):
            return operand
        parts = operand.parts if isinstance(operand, BoundTuple) else ()
        return BoundValue(self.finish(operand), parts=parts, is_unsure=in_doubt(operand))

    def converted(self, node: Lowered | None, scope: LocalScope, target: Type | None) -> Type:
        """``value_of`` where nothing but a conversion to ``target`` can follow."""
        return self.convert_or_fail(self.expression(node, scope, target), target)

    def convert_or_fail(self, operand: BoundExpression, target: Type | None) -> Type:
        """``convert``: where there is no conversion, the body does not compile."""
        if target is not None and operand.type is not target and not self.conversions.from_operand(operand, target):
            self.recording.note_failure()
        return self.convert(operand, target)

    def statement(self, node: Lowered | None, scope: LocalScope) -> None:
        """A statement, or an expression that is one."""
        if node is not None:
            # Of ``x++;`` nothing takes the value, which decides between operators (C# 14).
            target = self.system("Void") if node[0] == _POSTFIX else None
            self.finish(self.expression(node, scope, target))

    def convert(self, operand: BoundExpression, target: Type | None, is_unsure: bool = False) -> Type:
        """Settles an operand for its target type; every operand is settled once. Answers with its type. ``is_unsure``: the target type is,
        and so is what takes its type from there."""
        if isinstance(operand, BoundValue):
            return operand.type
        if target is None or target is UNKNOWN:
            return self.finish(operand)
        if isinstance(operand, UnboundLambda):
            self.convert_lambda(operand, target, is_unsure)
            return target
        if isinstance(operand, BoundMethodGroup):
            resolution = self.overloads.method_for_delegate(operand, target)
            either = is_unsure and len(operand.found) > 1
            self.method_group_reference(operand, resolution.candidate, resolution.contests, either)
            return target
        if isinstance(operand, BoundAddress):
            if isinstance(target, FunctionPointerType):
                pointed = self.overloads.method_for_pointer(operand.group, target)
                self.method_group_reference(operand.group, pointed.candidate, pointed.contests)
            else:
                self.finish(operand)
            return target
        if isinstance(operand, UnboundNew):
            SETTLEMENTS[UnboundNew](self, operand, nullable_element(target) or target, is_unsure)
            return target
        if isinstance(operand, BoundChoice):
            for part in operand.parts:
                self.convert(part, target, is_unsure)
            return target
        if isinstance(operand, BoundTuple):
            elements = tuple_elements(
                self.conversions.tuple_taken(operand.parts, target) or nullable_element(target) or target
            )
            for index, part in enumerate(operand.parts):
                element = elements[index] if elements is not None and index < len(elements) else None
                self.convert(part, element, is_unsure)
            return target
        if isinstance(operand, BoundCollection):
            SETTLEMENTS[BoundCollection](self, operand, target, is_unsure)
            return target
        return target

    def finish(self, operand: BoundExpression) -> Type:
        """Settles an operand that has no target: what can be said without one is said."""
        if isinstance(operand, BoundValue):
            return operand.type
        if isinstance(operand, UnboundLambda):
            types = tuple(t if t is not None else UNKNOWN for t in operand.shape().types)
            self._finish_lambda(operand, types)
            return self.natural_types.of_lambda(operand, types)
        if isinstance(operand, BoundMethodGroup):
            only = operand.found[0] if len(operand.found) == 1 else None
            candidate = None if only is None else Candidate(only, [], (), False, False)
            self.method_group_reference(operand, candidate)
            return UNKNOWN if only is None else self.natural_types.of_method(only, operand.type_arguments)
        if isinstance(operand, BoundAddress):
            self.finish(operand.group)
            return UNKNOWN
        if isinstance(operand, UnboundNew):
            SETTLEMENTS[UnboundNew](self, operand, UNKNOWN, False)
            return UNKNOWN
        if isinstance(operand, (BoundChoice, BoundCollection)):
            for part in operand.parts:
                self.finish(part)
            return UNKNOWN
        if isinstance(operand, BoundTuple):
            return tuple_type(self.shared.project, tuple(self.finish(part) for part in operand.parts))
        return UNKNOWN

    def _finish_lambda(self, operand: UnboundLambda, types: tuple[Type, ...], is_unsure: bool = False) -> None:
        body = operand.body(types, is_unsure)
        self.recording.adopt(body.recording)
        result = self.natural_types.inferred_return(operand, types, in_task=False)
        for each in body.returns:
            self.convert(each, result)

    def convert_lambda(self, operand: UnboundLambda, target: Type, is_unsure: bool = False) -> None:
        signature = self.hierarchy.delegates.signature(target)
        if signature is None:
            self.finish(operand)
            return
        body = operand.body(signature.types, is_unsure)
        if body.fails:
            self.recording.note_failure()
        self.recording.adopt(body.recording)
        returns: Type | None = signature.returns
        if body.is_async and returns is not None:
            returns = self.conversions.task_result(returns)
        for each in body.returns:
            if not isinstance(each, BoundValue):
                self.convert(each, returns if returns is not None and not is_void_type(returns) else None, is_unsure)

    def target(self, node: Lowered | None, scope: LocalScope, usage: Usage = Usage.WRITE) -> BoundValue:
        """What is assigned to, or passed by reference."""
        if node is None:
            return UNKNOWN_VALUE
        rule = TARGETS.get(node[0])
        return rule(self, node, scope, usage) if rule is not None else self.settled(node, scope)

    def note_type(self, offset: int, operand: BoundExpression) -> None:
        """The type of what stands at ``offset``, for what is drawn from bodies afterwards."""
        if self.keeps_uses and operand.type is not UNKNOWN:
            self.recording.note_type(offset, operand.type)

    # References

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
        """``receiver``: the type of the value whose member it is, where one is written."""
        member = found.member
        if not member.symbol_id:
            return
        is_virtual = kind in DISPATCHED_KINDS and not through_base and is_dispatched(member, receiver)
        name, target = member.name, member.symbol_id
        confidence = self.as_sure_as(found.container.definition, target, confidence)
        if use is None and self.keeps_uses:
            use = Use(found, receiver=receiver)
        self.references.append(
            Reference(
                kind, offset, name, target, member.is_external, confidence=confidence, is_virtual=is_virtual, use=use
            )
        )

    def unresolved(
        self,
        kind: RefKind,
        offset: int,
        name: str,
        reason: UnresolvedReason,
        hint: str | None = None,
        use: Use | None = None,
    ) -> None:
        self.references.append(
            Reference(kind, offset, name, None, False, confidence=Confidence.LOW, reason=reason, hint=hint, use=use)
        )

    def method_group_reference(
        self,
        operand: BoundMethodGroup,
        candidate: Candidate | None,
        contests: Sequence[Contest] = (),
        is_unsure: bool = False,
    ) -> None:
        """``is_unsure``: which of the group is meant is."""
        offset, name = operand.offset, operand.name
        kind, receiver = RefKind.METHOD_GROUP, operand.receiver
        if candidate is not None:
            found, through_base = candidate.found, operand.through_base
            use = Use(found, receiver=receiver, contests=contests) if self.keeps_uses else None
            sure = not is_unsure and is_sure_member(self.hierarchy, operand, found)
            confidence = Confidence.HIGH if sure else Confidence.LOW
            self.member_reference(kind, offset, found, confidence, receiver, through_base, use)
        elif len({f.member.symbol_id for f in operand.found}) == 1:
            confidence = Confidence.LOW if operand.unsure else Confidence.MEDIUM
            self.member_reference(kind, offset, operand.found[0], confidence, receiver, operand.through_base)
        elif operand.found:
            use = Use(None, receiver=receiver, contests=contests) if self.shared.keeps_losers else None
            self.unresolved(kind, offset, name, UnresolvedReason.SEVERAL_OF_GROUP_FIT, use=use)

    # Calls

    def arguments(self, nodes: Sequence[Lowered] | None, scope: LocalScope) -> list[Argument]:
        found: list[Argument] = []
        for node in nodes or ():
            name, passing, inner = "", 0, node
            if node[0] == _ARGUMENT:
                name, passing, inner = node[2], node[3], node[4]
            found.append(Argument(self.argument_operand(inner, scope, passing), name, passing, node[1] if name else 0))
        return found

    def argument_operand(self, node: Lowered, scope: LocalScope, passing: int) -> BoundExpression:
        if passing in (1, 2) and node is not None:
            declared = self.out_variable(node, scope)
            if declared is not None:
                return declared
            return self.target(node, scope)
        return self.expression(node, scope)

    def out_variable(self, node: Lowered, scope: LocalScope) -> BoundExpression | None:
        """``out T x``, ``out var x``, ``out _``."""
        if node[0] == Op.DECLARATION:
            name, type_ = node[2], node[3]
            if type_ is None or type_[0] == "var":
                operand = OutVariable("" if name == "_" else name, scope, node[1])
                scope.declare(operand.name, UNKNOWN)
                return operand
            resolved = self.type(type_, scope.resolver)
            if name != "_":
                scope.declare(name, resolved)
            return value(resolved)
        if node[0] == Op.NAME and node[2] == "_" and scope.find("_") is None:
            return OutVariable("", scope)
        return None

    def settle_arguments(
        self, arguments: Sequence[Argument], candidate: Candidate | None, skip: int = 0, is_unsure: bool = False
    ) -> None:
        """After a choice: each argument takes its parameter's type; without one, each is finished alone. ``is_unsure``: the choice is, and
        so are the types that its arguments take from it."""
        for index, argument in enumerate(arguments):
            target = (
                candidate.targets[index + skip][1]
                if candidate is not None and index + skip < len(candidate.targets)
                else None
            )
            self.settle_argument(argument, target, is_unsure)

    def settle_without_choice(self, arguments: Sequence[Argument], resolution: OverloadResolution) -> None:
        """Where several members are left: each argument is finished alone, a lambda with the parameters that all of them give it."""
        skip = len(resolution.inputs) - len(arguments)
        for index, argument in enumerate(arguments):
            inputs = resolution.inputs[index + skip] if resolution.inputs else None
            if inputs is not None and isinstance(argument.expression, UnboundLambda):
                self._finish_lambda(argument.expression, inputs, True)
            else:
                self.settle_argument(argument, None)

    def settle_argument(self, argument: Argument, target: Type | None, is_unsure: bool = False) -> None:
        """``target``: the type of the parameter that takes it, null where that is not known."""
        operand = argument.expression
        if isinstance(operand, OutVariable):
            given = BoundValue(target if target is not None else UNKNOWN, is_unsure=is_unsure)
            operand.scope.declare(operand.name, variable(given.type, is_unsure))
            self.note_type(operand.offset, given)
        else:
            self.convert(operand, target, is_unsure)

    def resolve(
        self, group: Sequence[Found], arguments: Sequence[Argument], type_arguments: tuple[Type, ...], scope: LocalScope
    ) -> OverloadResolution:
        return self.overloads.resolve(group, arguments, type_arguments, scope.within)

    def extensions(
        self,
        scope: LocalScope,
        name: str,
        receiver: BoundExpression,
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
    ) -> OverloadResolution:
        """Overload resolution among the extension methods in view."""
        return self.shared.extensions.resolve(scope, name, receiver, arguments, type_arguments)

    def any_unknown(self, arguments: Sequence[Argument]) -> bool:
        return any(isinstance(a.expression, BoundValue) and contains_error(a.expression.type) for a in arguments)

    def is_dynamic(self, operand: BoundExpression) -> bool:
        return isinstance(operand, BoundValue) and isinstance(operand.type, DynamicType)
