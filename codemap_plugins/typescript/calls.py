"""What calls give: the signature that is chosen, type arguments that plain parameters take from arguments, and what functions that are
handed to a call are called with."""

from __future__ import annotations

from abc import ABC, abstractmethod

from codemap_plugins.typescript.held_types import parameter_of, result_of
from codemap_plugins.typescript.table import Meaning, Module
from codemap_plugins.typescript.types import (
    Array,
    Built,
    Callable,
    Environment,
    Instance,
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
    def meaning(self, module: Module, name: str, scope: int, space: Space) -> Binding | Meaning | None:
        """What a name means; null where nothing in view is so called."""

    @abstractmethod
    def type_of(self, module: Module, at: int, environment: Environment = ()) -> Type | None:
        """Of an expression its type, of a written type what it means; null where that is unknown."""

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
            return None
        function = self._chosen(callee, len(node.items))
        if function is None:
            return None
        inner = self._inferred(module, node, callee, function, environment)
        return self._given(callee.module, function, inner)

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
        """The type of a parameter of a function that is handed to a call."""
        node = module.unit.nodes[binding.call]
        callee = self.type_of(module, node.a, environment)
        if isinstance(callee, Built):
            return parameter_of(callee, binding.argument, binding.parameter)
        function: Function | None = None
        inner: Environment = ()
        of: Module | None = None
        if isinstance(callee, Callable):
            function, of = self._chosen(callee, len(node.items)), callee.module
            if function is not None:
                inner = self._known_arguments(module, node, callee, function, environment)
        elif isinstance(callee, Static) and callee.symbol.kind is Kind.CLASS:
            constructor = callee.symbol.members.get("constructor")
            if constructor is not None:
                whole = Callable(callee.symbol.module, constructor.declared.functions, ())
                function, of = self._chosen(whole, len(node.items)), whole.module
        if function is None or of is None or binding.argument >= len(function.parameters):
            return None
        expected = self.type_of(of, function.parameters[binding.argument].type, inner)
        if isinstance(expected, Union):
            callables = [each for each in expected.items if isinstance(each, Callable)]
            expected = callables[0] if len(callables) == 1 else None
        if not isinstance(expected, Callable):
            return None
        handed = self._chosen(expected, NONE)
        if handed is None or binding.parameter >= len(handed.parameters):
            return None
        found = self.type_of(expected.module, handed.parameters[binding.parameter].type, expected.environment)
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
