"""What an expression or a written type is, as far as the source says it: annotations, initialisers, results and inheritance.

Nothing is guessed: what a library declares, what is generic beyond plain substitution, and what depends on control flow is unknown.
The standard library's arrays, promises, sets and maps are known by what they hold (``held_types``). A result that was cut short because
an expression leads back to itself is not remembered, so that no answer depends on which was asked first.
"""

from __future__ import annotations

from typing import Final

from codemap_plugins.typescript.calls import CallEvaluation
from codemap_plugins.typescript.held_types import ARRAYS, PROMISES, TRANSPARENT
from codemap_plugins.typescript.table import ANY_SPACE, Lack, Meaning, Module, Outside, Package, Symbol
from codemap_plugins.typescript.type_walker import ANY_NAME
from codemap_plugins.typescript.types import (
    ANY,
    Array,
    Built,
    Callable,
    Environment,
    Held,
    Instance,
    Intersection,
    Literal,
    Member,
    Parameter,
    Plain,
    Promise,
    Static,
    Type,
    Union,
    Whole,
    Why,
    either,
)
from codemap_plugins.typescript.unit import NONE, Binding, BindingKind, Kind, Node, Op, Space

_DEPTH: Final = 60


class Evaluation(CallEvaluation):
    """Over the files of one package."""

    def __init__(self, package: Package) -> None:
        self._package: Final = package
        self._types: Final[dict[tuple[str, int, Environment], Type | None]] = {}
        self._active: Final[set[tuple[str, int, Environment]]] = set()
        self._cuts = 0
        self._aliases: Final[set[tuple[str, int]]] = set()
        """Those that are being followed, by the paths of modules and the indices of imports."""

    # Names

    def meaning(self, module: Module, name: str, scope: int, space: int) -> Binding | Meaning | None:
        """What a name means; null where nothing in view is so called."""
        bound = module.bound(name, scope, space)
        if isinstance(bound, Binding):
            if bound.kind is BindingKind.DECLARATION:
                return module.symbol(bound.of)
            if bound.kind is BindingKind.IMPORT:
                alias = module.unit.imports[bound.of].alias
                if alias != NONE:
                    return self._aliased(module, bound.of, alias)
                meant = self._package.import_meant(module, bound.of, space)
                if meant is None:
                    meant = self._package.import_meant(module, bound.of)
                return meant if meant is not None else Outside(module.unit.imports[bound.of].specifier, Lack.EXPORT)
            return bound
        if bound is not None:
            return bound
        return self._package.shared(name, space, module)

    def _aliased(self, module: Module, index: int, target: int) -> Meaning | None:
        """What ``import name = a.b`` means; nothing where it leads back to itself, which is an error of the language."""
        key = (module.path, index)
        if key in self._aliases:
            return None
        self._aliases.add(key)
        try:
            found = self.named(module, target, ())
            return found.symbol or found.meaning
        finally:
            self._aliases.discard(key)

    def named(self, module: Module, at: int, environment: Environment) -> Member:
        """What the name of a node leads to: of ``NAME``, ``MEMBER`` and their like among types."""
        node = module.unit.nodes[at]
        if node.op in (Op.NAME, Op.TYPE_NAME):
            space = Space.VALUE if node.op is Op.NAME else Space.TYPE
            meant = self.meaning(module, node.name, node.scope, space)
            if meant is None or (isinstance(meant, Outside) and meant.lack is not Lack.LIBRARY):
                other = self.meaning(module, node.name, node.scope, Space.VALUE | Space.TYPE | Space.NAMESPACE)
                meant = other if other is not None else meant
            return _member(meant)
        if node.op in (Op.MEMBER, Op.TYPE_MEMBER, Op.LOOKUP):
            left = module.unit.nodes[node.a] if node.a != NONE else None
            if left is not None and left.op is Op.LAZY and not left.a:
                target = self._package.imported(left.name, module)
                if isinstance(target, Module | Outside):
                    return self._of_module(target, node.name)
            if left is not None and left.op in (Op.NAME, Op.MEMBER, Op.TYPE_NAME, Op.TYPE_MEMBER):
                found = self.named(module, node.a, environment)
                if found.meaning is not None:
                    return self._of_module(found.meaning, node.name)
                if found.symbol is not None and (found.symbol.is_namespace or found.symbol.kind is Kind.ENUM):
                    wanted = Space.VALUE if node.op is Op.MEMBER else Space.TYPE
                    held = found.symbol.held(node.name, wanted) or found.symbol.held(node.name, ANY_SPACE)
                    if held is not None or found.symbol.kind is not Kind.CLASS:
                        return Member(held) if held is not None else Member(why=Why.NO_MEMBER)
            if node.op is Op.TYPE_MEMBER or node.a == NONE:
                return Member(why=Why.NOT_IN_VIEW)
            return self.member(self.type_of(module, node.a, environment), node.name)
        return Member(why=Why.NONE)

    def _of_module(self, meaning: Module | Outside, name: str) -> Member:
        if isinstance(meaning, Outside):
            return Member(meaning=meaning)
        found = self._package.exported(meaning, name)
        return _member(found) if found is not None else Member(why=Why.NO_EXPORT)

    # Members

    def member(self, of: Type | None, name: str, depth: int = 0) -> Member:
        """The member of that name of a value of a type."""
        if of is None or depth > _DEPTH:
            return Member(why=Why.UNKNOWN)
        match of:
            case Instance():
                return self._of_instance(of, name, depth)
            case Static():
                return self._of_static(of.symbol, name, depth)
            case Whole():
                return self._of_module(of.module, name)
            case Union():
                return self._of_union(of, name, depth)
            case Intersection():
                return self._of_intersection(of, name, depth)
            case Literal():
                return self._of_literal(of, name)
            case Parameter():
                return self.member(of.constraint, name, depth + 1)
            case Held(name="Record") if len(of.items) == 2 and of.items[1] is not None:
                return Member(type=of.items[1])
            case Array() | Promise() | Held():
                return Member(type=Built(of, name))
            case Plain():
                return Member(why=Why.DYNAMIC if of == ANY else Why.LIBRARY)
            case _:
                return Member(why=Why.LIBRARY)

    def _of_literal(self, of: Literal, name: str) -> Member:
        node = of.module.unit.nodes[of.node]
        names = node.name.split("\n") if node.name else []
        if name in names:
            return Member(type=self.type_of(of.module, node.items[names.index(name)], of.environment) or Plain("?"))
        if ANY_NAME in names:
            held = self.type_of(of.module, node.items[names.index(ANY_NAME)], of.environment)
            return Member(type=held) if held is not None else Member(why=Why.UNKNOWN)
        if "..." in names:
            for place, each in enumerate(names):
                if each == "...":
                    found = self.member(self.type_of(of.module, node.items[place], of.environment), name)
                    if found.symbol is not None or found.type is not None:
                        return found
            return Member(why=Why.UNKNOWN)
        return Member(why=Why.NO_MEMBER)

    def _of_union(self, of: Union, name: str, depth: int) -> Member:
        found = [self.member(each, name, depth + 1) for each in of.items]
        symbols = {each.symbol for each in found if each.symbol is not None}
        if len(symbols) == 1 and all(each.symbol is not None for each in found):
            return found[0]
        if all(each.type is not None for each in found) and found:
            return Member(type=either([each.type for each in found]))
        if len(symbols) > 1:
            return Member(why=Why.AMBIGUOUS)
        return Member(why=Why.UNKNOWN)

    def _of_intersection(self, of: Intersection, name: str, depth: int) -> Member:
        """What the one part that declares it has. If several do, which of them is meant depends on what ``Omit`` and its like leave out.
        A part of which nothing is known, or that is a library's, does not count."""
        found = [self.member(each, name, depth + 1) for each in of.items]
        declared = [each for each in found if each.symbol is not None or not isinstance(each.type, Built | None)]
        if declared:
            same = all((each.symbol, each.type) == (declared[0].symbol, declared[0].type) for each in declared)
            return declared[0] if same else Member(why=Why.AMBIGUOUS)
        built = next((each for each in found if each.type is not None), None)
        return built or Member(why=next((each.why for each in found if each.why is not Why.NO_MEMBER), Why.NO_MEMBER))

    def _of_instance(self, of: Instance, name: str, depth: int) -> Member:
        symbol = of.symbol
        own = symbol.members.get(name)
        if own is not None:
            return Member(own, environment=self._environment(of))
        if symbol.kind is Kind.ENUM:
            return Member(why=Why.LIBRARY)
        environment = self._environment(of)
        unit = symbol.module.unit
        if symbol.kind is Kind.ALIAS and symbol.declared.type != NONE:
            return self.member(self.type_of(symbol.module, symbol.declared.type, environment), name, depth + 1)
        why = Why.NO_MEMBER
        for base in symbol.declared.bases:
            is_class = symbol.kind is Kind.CLASS and unit.nodes[base].op is Op.APPLIED
            base_type = self.base_of(symbol.module, base, environment, is_class=is_class)
            found = self.member(base_type, name, depth + 1) if base_type is not None else Member(why=Why.BASE)
            if found.symbol is not None or found.type is not None:
                return found
            if found.why is not Why.NO_MEMBER:
                why = Why.BASE
        if symbol.declared.element != NONE:
            element = self.type_of(symbol.module, symbol.declared.element, environment)
            return Member(type=element) if element is not None else Member(why=Why.UNKNOWN)
        return Member(why=why)

    def base_of(self, module: Module, base: int, environment: Environment, *, is_class: bool) -> Type | None:
        """What instances of a heritage clause's entry are."""
        node = module.unit.nodes[base]
        if not is_class or node.a == NONE:
            return self.type_of(module, base, environment)
        target = module.unit.nodes[node.a]
        if target.op in (Op.NAME, Op.MEMBER):
            found = self.named(module, node.a, environment)
            if found.symbol is not None and found.symbol.kind in (Kind.CLASS, Kind.INTERFACE):
                return Instance(found.symbol, self.arguments(module, node.items, environment))
        held = self.type_of(module, node.a, environment)
        if isinstance(held, Static) and held.symbol.kind is Kind.CLASS:
            return Instance(held.symbol, self.arguments(module, node.items, environment))
        return None

    def _of_static(self, symbol: Symbol, name: str, depth: int) -> Member:
        if symbol.is_namespace and symbol.kind is not Kind.CLASS:
            held = symbol.held(name, Space.VALUE)
            return Member(held) if held is not None else Member(why=Why.NO_MEMBER)
        own = symbol.statics.get(name)
        if own is not None:
            return Member(own)
        merged = self._merged_namespace(symbol, name)
        if merged is not None:
            return Member(merged)
        if symbol.kind is not Kind.CLASS:
            return Member(why=Why.NO_MEMBER)
        for base in symbol.declared.bases:
            base_type = self.base_of(symbol.module, base, (), is_class=True)
            if not isinstance(base_type, Instance):
                return Member(why=Why.BASE)
            found = self._of_static(base_type.symbol, name, depth + 1) if depth < _DEPTH else Member(why=Why.UNKNOWN)
            if found.why is not Why.NO_MEMBER:
                return found
        return Member(why=Why.NO_MEMBER)

    @staticmethod
    def _merged_namespace(symbol: Symbol, name: str) -> Symbol | None:
        """A namespace that goes on with a class or enum keeps its names among the members."""
        held = symbol.held(name, Space.VALUE)
        return held if held is not None and held.declared.parent == symbol.index and not _is_own(held) else None

    # Types

    def type_of(self, module: Module, at: int, environment: Environment = ()) -> Type | None:
        """Of an expression its type, of a written type what it means; null where that is unknown."""
        if at == NONE:
            return None
        key = (module.path, at, environment)
        if key in self._types:
            return self._types[key]
        if key in self._active or len(self._active) > _DEPTH:
            self._cuts += 1
            return None
        self._active.add(key)
        before = self._cuts
        found = self._type_of(module, at, module.unit.nodes[at], environment)
        self._active.discard(key)
        if self._cuts == before:
            self._types[key] = found
        return found

    def _type_of(self, module: Module, at: int, node: Node, environment: Environment) -> Type | None:
        match node.op:
            case Op.NAME:
                return self._type_of_name(module, node, environment)
            case Op.MEMBER:
                return self._type_of_member(self.named(module, at, environment))
            case Op.LOOKUP:
                return self._type_of_member(self.named(module, at, environment)) if node.name else None
            case Op.CALL:
                return self.result(module, node, environment)
            case Op.NEW:
                return self.created(module, node, environment)
            case Op.THIS:
                if node.a == NONE:
                    return None
                symbol = module.symbol(node.a)
                return Static(symbol) if node.name else Instance(symbol, ())
            case Op.SUPER:
                return self._super(module, node)
            case Op.ELEMENT | Op.SPREAD:
                return self._element(module, node, environment)
            case Op.AWAIT:
                held = self.type_of(module, node.a, environment)
                return held.item if isinstance(held, Promise) else held
            case Op.CAST:
                return self.type_of(module, node.a, environment)
            case Op.FUNCTION | Op.FUNCTION_TYPE:
                return Callable(module, (node.a,), environment)
            case Op.OBJECT | Op.OBJECT_TYPE:
                return Literal(module, at, environment)
            case Op.ARRAY:
                return Array(either([self.type_of(module, each, environment) for each in node.items]))
            case Op.INTERSECTION:
                return Intersection(tuple(self.type_of(module, each, environment) for each in node.items))
            case Op.EITHER | Op.UNION:
                return either([self.type_of(module, each, environment) for each in node.items])
            case Op.CLASS:
                return Static(module.symbol(node.a))
            case Op.PRIMITIVE:
                return Plain(node.name)
            case Op.TEXT | Op.JOINED:
                return Plain("string")
            case Op.LAZY:
                target = self._package.imported(node.name, module)
                whole = Whole(target) if isinstance(target, Module) else None
                return Promise(whole) if node.a == 1 and whole is not None else whole
            case Op.TYPE_NAME | Op.TYPE_MEMBER:
                return self._named_type(module, at, (), environment)
            case Op.EXPECTED:
                return self.expected(module, node, environment)
            case Op.APPLIED:
                return self._applied(module, node, environment)
            case Op.ARRAY_OF:
                return Array(self.type_of(module, node.a, environment))
            case Op.TUPLE:
                return Array(None, tuple(self.type_of(module, each, environment) for each in node.items))
            case Op.TYPEOF:
                return self.type_of(module, node.a, environment)
            case _:
                return None

    def _environment(self, of: Instance) -> Environment:
        names = of.symbol.declared.type_parameters
        return tuple(zip(names, of.arguments, strict=False)) if of.arguments else ()

    def _type_of_name(self, module: Module, node: Node, environment: Environment) -> Type | None:
        if node.name == "":
            found = module.names[node.scope].get("", ())
            return self._type_of_local(module, found[0], environment) if found else None
        meant = self.meaning(module, node.name, node.scope, Space.VALUE)
        if isinstance(meant, Binding):
            return self._type_of_local(module, meant, environment)
        if isinstance(meant, Module):
            return Whole(meant)
        if isinstance(meant, Symbol):
            return self.type_of_symbol(meant, ())
        return None

    def _type_of_local(self, module: Module, binding: Binding, environment: Environment) -> Type | None:
        if binding.type != NONE:
            return self.type_of(module, binding.type, environment)
        if binding.context != NONE:
            return self.handed(module, binding, environment)
        return self.type_of(module, binding.value, environment)

    def _type_of_member(self, found: Member) -> Type | None:
        if found.symbol is not None:
            return self.type_of_symbol(found.symbol, found.environment)
        if isinstance(found.meaning, Module):
            return Whole(found.meaning)
        return found.type

    def type_of_symbol(self, symbol: Symbol, environment: Environment) -> Type | None:
        """Of a value: what reading it gives."""
        declared = symbol.declared
        if declared.kind in (Kind.CLASS, Kind.ENUM) or symbol.is_namespace:
            return Static(symbol)
        if declared.kind is Kind.ENUM_MEMBER:
            parent = symbol.parent
            return Instance(parent, ()) if parent is not None else None
        if declared.functions:
            return Callable(symbol.module, declared.functions, environment)
        if declared.type != NONE:
            return self.type_of(symbol.module, declared.type, environment)
        return self.type_of(symbol.module, declared.value, environment)

    def _super(self, module: Module, node: Node) -> Type | None:
        if node.a == NONE:
            return None
        symbol = module.symbol(node.a)
        for base in symbol.declared.bases:
            found = self.base_of(module, base, (), is_class=True)
            if isinstance(found, Instance):
                return Static(found.symbol) if node.name else found
        return None

    def _element(self, module: Module, node: Node, environment: Environment) -> Type | None:
        return self._element_of(self.type_of(module, node.a, environment), node)

    def _element_of(self, held: Type | None, node: Node) -> Type | None:
        if isinstance(held, Intersection):
            return next((found for each in held.items if (found := self._element_of(each, node)) is not None), None)
        if isinstance(held, Array):
            if held.parts:
                return held.parts[node.b] if 0 <= node.b < len(held.parts) else either(list(held.parts))
            return held.item
        if isinstance(held, Held):
            if node.op is Op.SPREAD:
                is_map = held.name == "Map"
                return Array(None, held.items) if is_map else held.items[0] if held.items else None
            return held.items[-1] if held.name == "Record" and held.items else None
        if isinstance(held, Instance) and held.symbol.declared.element != NONE:
            return self.type_of(held.symbol.module, held.symbol.declared.element, self._environment(held))
        if isinstance(held, Literal):
            return self._of_literal(held, ANY_NAME).type
        return None

    # Written types

    def _named_type(
        self, module: Module, at: int, arguments: tuple[Type | None, ...], environment: Environment
    ) -> Type | None:
        node = module.unit.nodes[at]
        if node.op is Op.TYPE_NAME:
            meant = self.meaning(module, node.name, node.scope, Space.TYPE)
            if isinstance(meant, Binding) and meant.kind is BindingKind.TYPE_PARAMETER:
                for name, type_ in environment:
                    if name == node.name:
                        return type_
                return Parameter(node.name, self.type_of(module, meant.type, ()) if meant.type != NONE else None)
            if meant is None:
                return self.built_in(node.name, arguments)
            symbol = meant if isinstance(meant, Symbol) else None
        else:
            symbol = self.named(module, at, environment).symbol
        if symbol is None:
            return None
        if symbol.kind in (Kind.CLASS, Kind.INTERFACE, Kind.ENUM):
            return Instance(symbol, arguments)
        if symbol.kind is Kind.ALIAS:
            if symbol.declared.type == NONE:
                return Instance(symbol, arguments)
            names = symbol.declared.type_parameters
            return self.type_of(symbol.module, symbol.declared.type, tuple(zip(names, arguments, strict=False)))
        return None

    def _applied(self, module: Module, node: Node, environment: Environment) -> Type | None:
        if node.a == NONE:
            return None
        arguments = self.arguments(module, node.items, environment)
        target = module.unit.nodes[node.a]
        if target.op in (Op.TYPE_NAME, Op.TYPE_MEMBER):
            return self._named_type(module, node.a, arguments, environment)
        return None

    def built_in(self, name: str, arguments: tuple[Type | None, ...]) -> Type | None:
        if name in ARRAYS:
            return Array(arguments[0] if arguments else None)
        if name in PROMISES:
            return Promise(arguments[0] if arguments else None)
        if name in TRANSPARENT and arguments:
            return arguments[0]
        if name == "Awaited" and arguments:
            return arguments[0].item if isinstance(arguments[0], Promise) else arguments[0]
        return Held(name, arguments)


def _member(meant: Binding | Meaning | None) -> Member:
    if isinstance(meant, Symbol):
        return Member(meant)
    if isinstance(meant, Module | Outside):
        return Member(meaning=meant)
    if isinstance(meant, Binding):
        return Member(type=Plain("?"))
    return Member(why=Why.NOT_IN_VIEW)


def _is_own(symbol: Symbol) -> bool:
    """Whether it is a member of instances, not a name of a namespace that goes on with the type."""
    return symbol.kind in (Kind.METHOD, Kind.PROPERTY, Kind.CONSTRUCTOR)
