"""Implicit conversions (ECMA-334 §10.2) between types and from operands.

What is unknown usually converts to everything, as a missing type must not cost the right overload; overload resolution also asks what
converts for certain, and what possibly (``Doubt``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.binding.bound_expressions import (
    BoundAddress,
    BoundChoice,
    BoundCollection,
    BoundDefault,
    BoundMethodGroup,
    BoundNull,
    BoundThrow,
    BoundTuple,
    BoundTypeName,
    BoundValue,
    OutVariable,
    UnboundLambda,
    UnboundNew,
)
from codemap_plugins.csharp.binding.collection_types import collection_element
from codemap_plugins.csharp.binding.doubt import Doubt, may_become
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.inline_arrays import inline_element
from codemap_plugins.csharp.binding.interpolation import is_formattable, is_handler
from codemap_plugins.csharp.binding.later_rules import LaterRules
from codemap_plugins.csharp.binding.members import UNKNOWN, Passing
from codemap_plugins.csharp.binding.numeric_types import WIDER, holds_constant
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.binding.ref_structs import is_ref_struct
from codemap_plugins.csharp.binding.special_types import (
    SPANS,
    is_plain_value_type,
    is_task,
    is_task_like,
    is_tuple,
    is_void_type,
    nullable_element,
    tuple_elements,
)
from codemap_plugins.csharp.symbols.types import (
    ArrayType,
    DynamicType,
    ErrorType,
    FunctionPointerType,
    NamedType,
    PointerType,
    Type,
    TypeParameterType,
    contains_error,
    has_type_parameters,
    substitute,
)


class Conversions:
    def __init__(
        self,
        hierarchy: Hierarchy,
        later: LaterRules,
        doubt: Doubt = Doubt.USUAL,
        outer: Conversions | None = None,
    ) -> None:
        """``outer``: of the same project and doubt; what does not depend on type parameters is remembered for both."""
        self._later: Final = later
        self._hierarchy: Final = hierarchy
        self.language: Final = hierarchy.project.language
        self.takes_types: Final = doubt is not Doubt.CERTAIN
        """A type that was not found converts to every other, and every other to it."""
        self.takes_bases: Final = doubt is Doubt.POSSIBLE
        """A type some base of which was not found converts to what that base might be."""
        self._known: Final[dict[tuple[Type, Type], bool]] = outer._known if outer is not None else {}
        self._known_of_parameters: Final[dict[tuple[Type, Type], bool]] = {}
        """Between types that hold type parameters: it follows from their constraints here."""
        self._busy: set[tuple[Type, Type]] = set()
        self._cuts = 0

    def forget(self) -> None:
        self._known.clear()
        self._known_of_parameters.clear()

    def identity(self, source: Type, target: Type) -> bool:
        """Equal except for tuple names and ``dynamic`` (ECMA-334 §10.2.2)."""
        if source is target:
            return True
        if isinstance(source, NamedType) and isinstance(target, NamedType):
            return (
                source.definition is target.definition
                and len(source.arguments) == len(target.arguments)
                and all(self.identity(a, b) for a, b in zip(source.arguments, target.arguments, strict=True))
            )
        if isinstance(source, ArrayType) and isinstance(target, ArrayType):
            return source.rank == target.rank and self.identity(source.element, target.element)
        if isinstance(source, TypeParameterType) and isinstance(target, TypeParameterType):
            return source.ordinal == target.ordinal and source.of_method == target.of_method
        if isinstance(source, DynamicType):
            return target is self._hierarchy.object
        return isinstance(target, DynamicType) and source is self._hierarchy.object

    def between(self, source: Type, target: Type) -> bool:
        """An implicit conversion from a value of one type to another, user-defined ones included."""
        if source is target:
            return True
        is_open = has_type_parameters(source) or has_type_parameters(target)
        results = self._known_of_parameters if is_open else self._known
        key = (source, target)
        known = results.get(key)
        if known is not None:
            return known
        if key in self._busy:
            self._cuts += 1
            return False
        outermost, cuts = not self._busy, self._cuts
        self._busy.add(key)
        try:
            found = self._standard(source, target) or self._user_defined(source, target)
        finally:
            self._busy.discard(key)
        # A result that a cycle was cut for holds for the question that was asked first, not for those on the way.
        if outermost or self._cuts == cuts:
            results[key] = found
        return found

    def _standard(self, source: Type, target: Type) -> bool:
        if isinstance(source, ErrorType) or isinstance(target, ErrorType):
            if isinstance(target, PointerType) and (source is not UNKNOWN or not self._hierarchy.project.allows_unsafe):
                # A type that is written without * is not a pointer (§23.3), whatever it is; nothing is one where no code is unsafe (§23.2).
                return False
            if isinstance(source, ErrorType) and source.base is not None:
                return self._of_derived(source, source.base, target)
            return self.takes_types or target is self._hierarchy.object
        if isinstance(source, DynamicType) or isinstance(target, DynamicType) or self.identity(source, target):
            return True
        hierarchy = self._hierarchy
        if target is hierarchy.object:
            return not isinstance(source, (PointerType, FunctionPointerType)) and not is_ref_struct(hierarchy, source)
        if isinstance(source, NamedType) and isinstance(target, NamedType):
            if source.definition.system_name and self._numeric(source, target):
                return True
            inner = nullable_element(target)
            if inner is not None:
                plain = nullable_element(source)
                return self._standard(plain if plain is not None else source, inner)
            if is_tuple(source) and is_tuple(target) and len(source.arguments) == len(target.arguments):
                return all(self.between(a, b) for a, b in zip(source.arguments, target.arguments, strict=True))
        inner = nullable_element(target)
        if inner is not None and isinstance(source, TypeParameterType):
            return self.identity(source, inner)
        if isinstance(source, (PointerType, FunctionPointerType)):
            return isinstance(target, PointerType) and (source is target or is_void_type(target.element))
        return self.reference(source, target) or self.span(source, target)

    def _of_derived(self, source: ErrorType, base: NamedType, target: Type) -> bool:
        """From a type of which no more is known than a class that it derives from: to what that converts to, and perhaps to an interface or
        to a class below it."""
        if isinstance(target, (DynamicType, ErrorType)):
            return source.as_written is target or self.takes_types
        if self._standard(base, target):
            return True
        if not self.takes_types or not isinstance(target, NamedType):
            return False
        return target.definition.kind is SymbolKind.INTERFACE or self.reference(target, base)

    def _numeric(self, source: NamedType, target: NamedType) -> bool:
        return target.definition.system_name in WIDER.get(source.definition.system_name, ())

    def reference(self, source: Type, target: Type) -> bool:
        """Identity, reference or boxing conversion: to a base class, an interface, by variance (ECMA-334 §10.2.8, .9)."""
        hierarchy = self._hierarchy
        if self.identity(source, target):
            return True
        if isinstance(target, ErrorType) or isinstance(source, ErrorType):
            return self.takes_types or target is hierarchy.object
        if target is hierarchy.object:
            return True
        if isinstance(source, ArrayType) and isinstance(target, ArrayType):
            return (
                source.rank == target.rank
                and self.is_reference(source.element)
                and self.reference(source.element, target.element)
            )
        if isinstance(target, TypeParameterType):
            return isinstance(source, TypeParameterType) and any(
                self.reference(bound, target) for bound in hierarchy.constraints(source) if bound is not source
            )
        if not isinstance(target, NamedType):
            return False
        if target.definition.kind is SymbolKind.INTERFACE:
            source = nullable_element(source) or source
            if (
                isinstance(source, NamedType)
                and source.definition is target.definition
                and self._variant(source, target)
            ):
                return True
            for interface in hierarchy.all_interfaces(source):
                if interface.definition is target.definition and self._variant(interface, target):
                    return True
            if isinstance(source, ArrayType) and source.rank == 1 and len(target.arguments) == 1:
                return (
                    self.is_reference(source.element)
                    and any(i.definition is target.definition for i in hierarchy.all_interfaces(source))
                    and self.reference(source.element, target.arguments[0])
                )
            return self.takes_bases and may_become(hierarchy, source, target.definition)
        if (
            isinstance(source, NamedType)
            and source.definition.kind is SymbolKind.DELEGATE
            and source.definition is target.definition
        ):
            return self._variant(source, target)
        for current in hierarchy.class_chain(hierarchy.effective_class(source)):
            if self.identity(current, target):
                return True
        if isinstance(source, NamedType) and source.definition.is_value_type:
            return False
        return self.takes_bases and may_become(hierarchy, source, target.definition)

    def _variant(self, source: NamedType, target: NamedType) -> bool:
        """ECMA-334 §18.2.3.3: arguments equal, or convertible along the parameter's variance."""
        parameters = self._hierarchy.members.type_parameters(source.definition)
        for index, (ours, theirs) in enumerate(zip(source.arguments, target.arguments, strict=False)):
            if self.identity(ours, theirs):
                continue
            if isinstance(ours, ErrorType) or isinstance(theirs, ErrorType):
                if self.takes_types:
                    continue
                return False
            variance = parameters[index].variance if index < len(parameters) else 0
            if variance > 0 and self.is_reference(ours) and self.reference(ours, theirs):
                continue
            if variance < 0 and self.is_reference(theirs) and self.reference(theirs, ours):
                continue
            return False
        return True

    def is_reference(self, type_: Type) -> bool:
        """Known to be a reference type (ECMA-334 §8.2)."""
        if isinstance(type_, NamedType):
            return not type_.definition.is_value_type
        if isinstance(type_, TypeParameterType):
            symbol = self._hierarchy.bounds.get(type_)
            return symbol is not None and (
                symbol.has_class
                or any(
                    isinstance(c, NamedType)
                    and c.definition.kind is not SymbolKind.INTERFACE
                    and not c.definition.is_value_type
                    and c.definition.system_name not in ("Enum", "ValueType", "Object")
                    for c in symbol.constraints
                )
            )
        return isinstance(type_, (ArrayType, DynamicType, ErrorType))

    def span(self, source: Type, target: Type) -> bool:
        """C# 14: arrays and strings convert to spans by themselves; inline arrays since C# 12."""
        if (
            not isinstance(target, NamedType)
            or not target.definition.external
            or target.definition.name not in SPANS
            or not target.arguments
        ):
            return False
        element = target.arguments[0]
        inline = inline_element(self._hierarchy, source)
        if inline is not None and self.identity(inline, element):
            return True
        if not self.language.span_conversions:
            return False
        if isinstance(source, ArrayType) and source.rank == 1:
            return self.identity(source.element, element) or (
                target.definition.name == "ReadOnlySpan"
                and self.is_reference(source.element)
                and self.reference(source.element, element)
            )
        if isinstance(source, NamedType):
            if source.definition.system_name == "String":
                return (
                    target.definition.name == "ReadOnlySpan"
                    and isinstance(element, NamedType)
                    and element.definition.system_name == "Char"
                )
            if (
                source.definition.external
                and source.definition.name in SPANS
                and target.definition.name == "ReadOnlySpan"
                and source.arguments
            ):
                return self.identity(source.arguments[0], element) or (
                    self.is_reference(source.arguments[0]) and self.reference(source.arguments[0], element)
                )
        return False

    def _user_defined(self, source: Type, target: Type) -> bool:
        """ECMA-334 §10.5.4, told by existence alone."""
        plain_target = nullable_element(target) or target
        # Lifted from a nullable source only to what can be null.
        lifts = plain_target is not target or self.is_reference(target)
        plain_source = (nullable_element(source) or source) if lifts else source
        for holder in (plain_source, plain_target):
            for taken, given in self._operators(holder):
                if contains_error(taken) or contains_error(given):
                    continue
                if self._standard(plain_source, taken) and self._standard(given, plain_target):
                    return True
        return False

    def _operators(self, holder: Type) -> list[tuple[Type, Type]]:
        """What the implicit conversions that a type defines take and give."""
        return [
            (substitute(found.member.parameters[0].type, found.container.arguments), self._hierarchy.member_type(found))
            for found in (self._hierarchy.lookup(holder, "op_Implicit") if isinstance(holder, NamedType) else ())
            if len(found.member.parameters) == 1
        ]

    def from_operand(self, operand: BoundExpression, target: Type) -> bool:
        """An implicit conversion from an expression (ECMA-334 §10.2): constants, null, lambdas, groups, target-typed forms too."""
        if isinstance(target, ErrorType):
            type_ = operand.type
            return self.takes_types or type_ is target or (isinstance(type_, ErrorType) and type_.as_written is target)
        if isinstance(operand, BoundValue):
            if self.between(operand.type, target):
                return True
            if operand.interpolation and self.is_handler(target):
                return True
            if operand.interpolation.is_one and is_formattable(target):
                return True
            if not operand.parts:
                return operand.constant is not None and (
                    self._constant(operand, target) or self._constant_taken(operand, target)
                )
        if isinstance(operand, BoundNull):
            if isinstance(target, TypeParameterType) and self._hierarchy.bounds.get(target) is not None:
                return self.is_reference(target)
            return not is_plain_value_type(target) or self._takes_null(target)
        if isinstance(operand, UnboundNew):
            return not isinstance(target, (ArrayType, PointerType))
        if isinstance(operand, (BoundDefault, BoundThrow, OutVariable)):
            return True
        if isinstance(operand, UnboundLambda):
            return self._lambda(operand, target)
        if isinstance(operand, BoundMethodGroup):
            invoke = self._hierarchy.delegates.invoke(target)
            if invoke is None:
                return self._takes_function(target)
            return self._later.overloads.method_for_delegate(operand, target).candidate is not None
        if isinstance(operand, BoundAddress):
            return (
                isinstance(target, FunctionPointerType)
                and self._later.overloads.method_for_pointer(operand.group, target).candidate is not None
            )
        if isinstance(operand, BoundChoice):
            return all(self.from_operand(part, target) for part in operand.parts)
        if isinstance(operand, (BoundTuple, BoundValue)):
            return self._literal_fits(operand.parts, target) or self.tuple_taken(operand.parts, target) is not None
        if isinstance(operand, BoundCollection):
            element_type = collection_element(self._hierarchy, target)
            if element_type is None:
                return False
            return all(
                self.from_operand(part, element_type) for part in operand.parts if not isinstance(part, BoundTypeName)
            )
        return False

    def _literal_fits(self, parts: Sequence[BoundExpression], target: Type) -> bool:
        """A tuple literal converts element by element (ECMA-334 §10.2.13)."""
        elements = tuple_elements(nullable_element(target) or target)
        return (
            elements is not None
            and len(elements) == len(parts)
            and all(self.from_operand(part, element) for part, element in zip(parts, elements, strict=True))
        )

    def tuple_taken(self, parts: Sequence[BoundExpression], target: Type) -> Type | None:
        """The tuple type from which the target has a user-defined conversion (ECMA-334 §10.5.4) that takes such a literal."""
        plain = nullable_element(target) or target
        if not isinstance(plain, NamedType) or tuple_elements(plain) is not None:
            return None
        takes = (taken for taken, _ in self._operators(plain) if is_tuple(taken) and self._literal_fits(parts, taken))
        return next(takes, None)

    def _takes_null(self, target: Type) -> bool:
        """A value type that null becomes by an operator of its own, as the array, string or other reference it converts from
        (ECMA-334 §10.5.4)."""
        return any(
            self.identity(given, target) and not is_plain_value_type(taken) for taken, given in self._operators(target)
        )

    def params_element(self, type_: Type) -> Type | None:
        """Element type of a ``params`` parameter in expanded form; collections since C# 13."""
        if isinstance(type_, ArrayType):
            return type_.element
        if isinstance(type_, ErrorType):
            return UNKNOWN
        return collection_element(self._hierarchy, type_) if self.language.params_collections else None

    def is_handler(self, type_: Type) -> bool:
        """An interpolated string converts to it as to a handler (C# 10)."""
        return self.language.string_handlers and is_handler(type_)

    def _takes_function(self, target: Type) -> bool:
        """No delegate type, but one that the natural type of a lambda or method group converts to (C# 10)."""
        return (
            self.language.natural_function_types
            and isinstance(target, NamedType)
            and target.definition.system_name in ("Delegate", "MulticastDelegate", "Object")
        )

    def _constant(self, operand: BoundValue, target: Type) -> bool:
        """Implicit constant expression conversions (ECMA-334 §10.2.11), and 0 to an enum."""
        plain = nullable_element(target) or target
        constant = operand.constant
        if not isinstance(plain, NamedType) or constant is None or not isinstance(operand.type, NamedType):
            return False
        source = operand.type.definition.system_name
        if plain.definition.kind is SymbolKind.ENUM:
            return constant == 0 and source in WIDER
        return holds_constant(plain.definition.system_name, source, constant)

    def _constant_taken(self, operand: BoundValue, target: Type) -> bool:
        """A user-defined conversion (ECMA-334 §10.5.4) takes what the constant converts to by its value, which is a standard conversion
        (§10.4.2)."""
        plain = nullable_element(target) or target
        operators = self._operators(plain)
        return any(self._constant(operand, taken) and self._standard(given, plain) for taken, given in operators)

    def _lambda(self, operand: UnboundLambda, target: Type) -> bool:
        """ECMA-334 §10.7: parameter lists agree, and what the body returns converts."""
        signature = self._hierarchy.delegates.signature(target)
        shape = operand.shape()
        if signature is None:
            # One whose parameters have no written types has no natural type (§12.19.3, C# 10).
            typed = shape.parameter_count is not None and None not in shape.types
            return typed and self._takes_function(target)
        parameters = signature.parameters
        if shape.parameter_count is not None:
            if shape.parameter_count != len(parameters):
                return False
            pairs = zip(shape.types, signature.types, shape.passings, parameters, strict=True)
            for given, wanted, passing, parameter in pairs:
                if passing != parameter.passing:
                    return False
                if given is not None and not (
                    contains_error(given) or contains_error(wanted) or self.identity(given, wanted)
                ):
                    return False
        elif any(p.passing == Passing.OUT for p in parameters):
            return False
        return self.body_converts(operand, signature.types, signature.returns)

    def takes_other_count(self, operand: UnboundLambda, target: Type) -> bool:
        """A lambda with as many parameters cannot become that delegate: asked before types are inferred, which binds its body."""
        signature = self._hierarchy.delegates.signature(target)
        if signature is None:
            return False
        count = operand.shape().parameter_count
        return count is not None and count != len(signature.types)

    def lambda_fails(self, operand: UnboundLambda, target: Type) -> bool:
        """The body of a lambda that converts to ``target`` by its shape would not compile there."""
        signature = self._hierarchy.delegates.signature(target)
        if signature is None:
            return False
        body = operand.body(signature.types)
        returns = self.task_result(signature.returns) if body.is_async else signature.returns
        return body.fails or (
            returns is not None and any(isinstance(each, UnboundNew) and each.fails(returns) for each in body.returns)
        )

    def body_converts(self, operand: UnboundLambda, parameter_types: tuple[Type, ...], returns: Type) -> bool:
        body = operand.body(parameter_types)
        is_void = is_void_type(returns)
        if body.is_async:
            if is_void:
                return body.can_be_void
            inner = self.task_result(returns)
            if inner is None:
                return not isinstance(returns, NamedType) or is_task_like(returns)
            if is_void_type(inner):
                return body.can_be_void
            return body.has_value and all(self.from_operand(r, inner) for r in body.returns)
        if is_void:
            return body.can_be_void
        if not body.has_value:
            return False
        return all(self.from_operand(r, returns) for r in body.returns)

    def task_result(self, type_: Type) -> Type | None:
        """What awaiting gives for ``Task``, ``Task<T>``, ``ValueTask`` and ``ValueTask<T>``; null for other types."""
        if not isinstance(type_, NamedType) or not is_task(type_):
            return None
        return type_.arguments[0] if type_.arguments else self._hierarchy.system("Void")
