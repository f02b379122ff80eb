"""What calls give: the signature that is chosen, type arguments that plain parameters take from arguments, and what functions that are
handed to a call are called with."""

from __future__ import annotations

from abc import ABC, abstractmethod

from codemap_plugins.typescript.held_types import argument_of, parameter_of, result_of
from codemap_plugins.typescript.library_calls import gives_instance
from codemap_plugins.typescript.table import Meaning, Module, Symbol
from codemap_plugins.typescript.types import (
    Array,
    Built,
    Callable,
    Environment,
    Instance,
    Intersection,
    Member,
    Parameter,
    Plain,
    Promise,
    Static,
    Type,
    Union,
    either,
)
from codemap_plugins.typescript.unit import NONE, Binding, Function, Kind, Node, Op, Space


class CallEvaluation(ABC):
    """The part of evaluation that follows calls."""

    @abstractmethod
    def meaning(self, module: Module, name: str, scope: int, space: int) -> Binding | Meaning | None:
        """What a name means; null where nothing in view is so called."""

    @abstractmethod
    def type_of(self, module: Module, at: int, environment: Environment = ()) -> Type | None:
        """Of an expression its type, of a written type what it means; null where that is unknown."""

    @abstractmethod
    def type_of_symbol(self, symbol: Symbol, environment: Environment) -> Type | None:
        """Of a value: what reading it gives."""

    @abstractmethod
    def member(self, of: Type | None, name: str, depth: int = 0) -> Member:
        """The member of that name of a value of a type."""

    @abstractmethod
    def built_in(self, name: str, arguments: tuple[Type | None, ...]) -> Type | None:
        """A type of the standard library."""

    def arguments(self, module: Module, items: tuple[int, ...], environment: Environment) -> tuple[Type | None, ...]:
        return tuple(self.type_of(module, each, environment) for each in items)

    def result(self, module: Module, node: Node, environment: Environment) -> Type | None:
        callee = self.type_of(module, node.a, environment)
        if isinstance(callee, Built):
            given = [self.type_of(module, each, environment) for each in node.items]
            return result_of(callee, [self._given_by(each) for each in given], given)
        if not isinstance(callee, Callable):
            return self._of_library(module, node, environment) if callee is None else None
        function = self._chosen(callee, len(node.items))
        if function is None:
            return None
        inner = self._inferred(module, node, callee, function, environment)
        return self._given(callee.module, function, inner)

    def _of_library(self, module: Module, node: Node, environment: Environment) -> Type | None:
        """What calling a library's function gives, of which more is known than that."""
        if not gives_instance(module, node.a):
            return None
        if node.b != NONE:
            (written, *_) = self.arguments(module, module.unit.nodes[node.b].items, environment) or (None,)
            return written
        token = self.type_of(module, node.items[0], environment) if node.items else None
        return Instance(token.symbol, ()) if isinstance(token, Static) and token.symbol.kind is Kind.CLASS else None

    def _given_by(self, of: Type | None) -> Type | None:
        """What calling a value gives."""
        if not isinstance(of, Callable):
            return None
        function = self._chosen(of, NONE)
        return self._given(of.module, function, of.environment) if function is not None else None

    def _given(self, module: Module, function: Function, environment: Environment) -> Type | None:
        if function.is_predicate:
            return Plain("boolean")
        if function.result != NONE:
            return self.type_of(module, function.result, environment)
        if not function.has_body or function.is_generator:
            return None
        found = [self.type_of(module, each, environment) for each in function.returns]
        result = either(found) if found else Plain("void")
        if function.is_async:
            return Promise(result.item if isinstance(result, Promise) else result)
        return result

    def _chosen(self, callee: Callable, count: int) -> Function | None:
        """The signature that is called: the only one, or the only one that this number of arguments fits."""
        functions = [callee.module.unit.functions[each] for each in callee.functions]
        if len(functions) > 1:
            functions = [each for each in functions if not each.has_body] or functions
        if len(functions) > 1 and count != NONE:
            functions = [each for each in functions if _fits(each, count)]
        return functions[0] if len(functions) == 1 else None

    def _inferred(
        self, module: Module, node: Node, callee: Callable, function: Function, environment: Environment
    ) -> Environment:
        """The environment within a call: type arguments that are written, or that plain parameters take from arguments."""
        if not function.type_parameters:
            return callee.environment
        found: dict[str, Type | None] = dict(callee.environment)
        if node.b != NONE:
            written = self.arguments(module, module.unit.nodes[node.b].items, environment)
            found.update(zip(function.type_parameters, written, strict=False))
        else:
            for parameter, given in zip(function.parameters, node.items, strict=False):
                if parameter.type == NONE:
                    continue
                of = callee.module.unit.nodes[parameter.type]
                if of.op is Op.TYPE_NAME and of.name in function.type_parameters:
                    if of.name not in found:
                        found[of.name] = self.type_of(module, given, environment)
                elif of.op is Op.ARRAY_OF and of.a != NONE:
                    item = callee.module.unit.nodes[of.a]
                    held = self.type_of(module, given, environment)
                    if item.op is Op.TYPE_NAME and item.name in function.type_parameters and isinstance(held, Array):
                        found.setdefault(item.name, held.item)
            for name in function.type_parameters:
                found.setdefault(name, None)
        return tuple(found.items())

    def created(self, module: Module, node: Node, environment: Environment) -> Type | None:
        target = self.type_of(module, node.a, environment)
        arguments = self.arguments(module, module.unit.nodes[node.b].items, environment) if node.b != NONE else ()
        if isinstance(target, Static) and target.symbol.kind is Kind.CLASS:
            return Instance(target.symbol, arguments)
        callee = module.unit.nodes[node.a] if node.a != NONE else None
        if callee is not None and callee.op is Op.NAME and target is None:
            meant = self.meaning(module, callee.name, callee.scope, Space.VALUE)
            if meant is None:
                return self.built_in(callee.name, arguments)
        return None

    def handed(self, module: Module, binding: Binding, environment: Environment) -> Type | None:
        """The type of a parameter whose function something is expected of."""
        node = module.unit.nodes[binding.context]
        if node.name == "argument":
            callee = self.type_of(module, module.unit.nodes[node.a].a, environment)
            known = parameter_of(callee, node.b, binding.parameter) if isinstance(callee, Built) else None
            if known is not None:
                return known
        expected = _called(self.type_of(module, binding.context, environment))
        if expected is None:
            return None
        function = self._chosen(expected, NONE)
        if function is None or binding.parameter >= len(function.parameters):
            return None
        found = self.type_of(expected.module, function.parameters[binding.parameter].type, expected.environment)
        return found.constraint if isinstance(found, Parameter) else found

    def expected(self, module: Module, node: Node, environment: Environment) -> Type | None:
        """The type that an ``EXPECTED`` says."""
        if node.name == "argument":
            return self._argument(module, module.unit.nodes[node.a], node.b, environment)
        of = self.type_of(module, node.a, environment)
        match node.name:
            case "type" | "given":
                return of
            case "awaited":
                return of.item if isinstance(of, Promise) else of
            case "element":
                return of.item if isinstance(of, Array) and not of.parts else None
            case "result":
                called = _called(of)
                function = self._chosen(called, NONE) if called is not None else None
                if called is None or function is None or function.result == NONE:
                    return None
                return self.type_of(called.module, function.result, called.environment)
            case _:
                found = self.member(of, node.name[1:])
                return self.type_of_symbol(found.symbol, found.environment) if found.symbol is not None else found.type

    def _argument(self, module: Module, node: Node, place: int, environment: Environment) -> Type | None:
        """What a call expects of an argument."""
        callee = self.type_of(module, node.a, environment)
        inner: Environment = ()
        if isinstance(callee, Built):
            return argument_of(callee, place)
        if isinstance(callee, Static) and callee.symbol.kind is Kind.CLASS:
            constructor = self.member(Instance(callee.symbol, ()), "constructor").symbol
            if constructor is None:
                return None
            callee = Callable(constructor.module, constructor.declared.functions, ())
        if not isinstance(callee, Callable):
            return None
        function = self._chosen(callee, len(node.items))
        if function is None or place >= len(function.parameters) or function.parameters[place].is_rest:
            return None
        inner = self._known_arguments(module, node, callee, function, environment)
        found = self.type_of(callee.module, function.parameters[place].type, inner)
        return found.constraint if isinstance(found, Parameter) else found

    def _known_arguments(
        self, module: Module, node: Node, callee: Callable, function: Function, environment: Environment
    ) -> Environment:
        """As ``_inferred``, without arguments that are functions: these may depend on the parameter that is asked about."""
        plain = tuple(
            each if each != NONE and module.unit.nodes[each].op is not Op.FUNCTION else NONE for each in node.items
        )
        return self._inferred(
            module, Node(node.op, a=node.a, b=node.b, items=plain, scope=node.scope), callee, function, environment
        )


def _fits(function: Function, count: int) -> bool:
    needed = sum(not each.is_optional and not each.is_rest for each in function.parameters)
    is_open = any(each.is_rest for each in function.parameters)
    return needed <= count and (is_open or count <= len(function.parameters))


def _called(of: Type | None) -> Callable | None:
    """What is called where a function of a type is: the type, or the only one of a union or an intersection that can be."""
    if isinstance(of, Union | Intersection):
        callables = [each for each in of.items if isinstance(each, Callable)]
        return callables[0] if len(callables) == 1 else None
    return of if isinstance(of, Callable) else None
