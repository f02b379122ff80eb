"""Looking up the names of types and namespaces, in the language's order (ECMA-334 §7.8).

A simple name is sought in the method's type parameters, then in each enclosing type outwards (its type parameters, its nested types, those
of its base classes), then in each enclosing namespace outwards: the namespace's own namespaces and types first, then the aliases and usings
written at that level. The usings of a file, and all global ones, stand at the level of the global namespace; those of a page in its own.

Lookup declines: two types imported at one level are an ambiguity, reported as an ``ErrorType`` and never decided by order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model.special_types import KEYWORD_TYPES
from codemap_plugins.csharp.page_names import JOINT_ALIASES, OF_RAZOR
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.project_scope import Namespace, ProjectScope, UsingScope
from codemap_plugins.csharp.symbols.types import (
    ArrayType,
    ErrorType,
    NamedType,
    PointerType,
    Type,
    TypeDefinition,
    TypeParameterType,
)
from codemap_plugins.csharp.type_reader import parse_type
from codemap_plugins.csharp.type_tree import ArrayType as ArrayTree
from codemap_plugins.csharp.type_tree import FunctionPointerType as FunctionPointerTree
from codemap_plugins.csharp.type_tree import NamedType as NameTree
from codemap_plugins.csharp.type_tree import (
    NamePart,
    NullableType,
    PredefinedType,
    TupleType,
    TypeTree,
    UnknownType,
)
from codemap_plugins.csharp.type_tree import PointerType as PointerTree
from codemap_plugins.csharp.unit import Outline, Scope, UsingDirective

_MAX_DEPTH: Final = 40
_GLOBAL: Final = "global::"


class Level(NamedTuple):
    """One step outwards: a namespace, and the scope whose usings stand there (-1: none)."""

    namespace: str
    scope: int


_Directive: TypeAlias = "tuple[UsingScope, int, int, UsingDirective]"
"""Where a using directive stands: document, scope, number."""


class _Imports:
    """The namespaces and types that the using directives of one scope bring into view. Aliases are resolved when they are asked for."""

    __slots__ = ("aliases", "joint", "namespaces", "types")

    def __init__(self) -> None:
        self.aliases: dict[str, _Directive] = {}
        self.joint: dict[str, list[_Directive]] = {}
        """Where an alias may stand for several namespaces: all its directives."""
        self.namespaces: set[str] = set()
        self.types: list[NamedType] = []
        """The targets of ``using static``."""


class Document(UsingScope):
    """One file as one project compiles it, with lookups remembered per scope."""

    def __init__(self, project: ProjectScope, key: UnitKey, outline: Outline) -> None:
        super().__init__(key, outline)
        self.project: Final = project
        self._levels: dict[int, tuple[Level, ...]] = {}
        self._simple: dict[tuple[int, bool, str, int], Namespace | Type | None] = {}
        self._using_targets: dict[tuple[int, int], Namespace | Type | None] = {}
        self._imports: dict[int, _Imports] = {}

    def forget(self) -> None:
        """All that was looked up."""
        self._simple.clear()
        self._using_targets.clear()
        self._imports.clear()

    def namespace_of(self, scope: int) -> str:
        """Full name of the namespace that a scope's declarations are in."""
        names: list[str] = []
        while scope >= 0:
            name = self.outline.scopes[scope].name
            if name:
                names.append(name)
            scope = self.outline.scopes[scope].parent
        return ".".join(reversed(names))

    def levels(self, scope: int) -> tuple[Level, ...]:
        """The namespaces around a scope, innermost first, ending with the global one."""
        known = self._levels.get(scope)
        if known is not None:
            return known
        found: list[Level] = []
        current = scope
        while current >= 0:
            node: Scope = self.outline.scopes[current]
            full = self.namespace_of(current)
            found.append(Level(full, current))
            if node.name:
                for _ in range(node.name.count(".")):
                    full = full.rpartition(".")[0]
                    found.append(Level(full, -1))
            current = node.parent
        result = tuple(found)
        self._levels[scope] = result
        return result

    def lookup_in_namespaces(self, scope: int, name: str, arity: int, usings: bool = True) -> Namespace | Type | None:
        """A simple name from a scope outwards. ``usings=False``: peer usings are invisible, as they are while the target of a using
        directive of this scope is looked up (ECMA-334 §14.5.1)."""
        key = (scope, usings, name, arity)
        if key in self._simple:
            return self._simple[key]
        self._simple[key] = None
        result = self._lookup_in_namespaces(scope, name, arity, usings)
        self._simple[key] = result
        return result

    def _lookup_in_namespaces(self, scope: int, name: str, arity: int, usings: bool) -> Namespace | Type | None:
        project = self.project
        levels = self.levels(scope)
        if levels and self._imports_only_outside(levels) and not project.table.is_file_local(name, arity):
            found = project.outwards(levels[0].namespace, name, arity)
            if found is None and (usings or scope):
                found = self._lookup_in_usings(0, name, arity)
            return found
        for level in levels:
            found = project.directly_in(level.namespace, name, arity, self.key.file_path)
            if found is not None:
                return found
            if level.scope >= 0 and (usings or level.scope != scope):
                found = self._lookup_in_usings(level.scope, name, arity)
                if found is not None:
                    return found
        return None

    def _imports_only_outside(self, levels: tuple[Level, ...]) -> bool:
        """No using directive stands in a namespace declaration around: names of namespaces come before all of them."""
        scopes = self.outline.scopes
        if self.outline.page in OF_RAZOR and len(scopes) > 1:
            return False
        return all(level.scope <= 0 or not scopes[level.scope].usings for level in levels)

    def _usings_at(self, scope: int) -> Iterable[tuple[UsingScope, int, int, UsingDirective]]:
        """The directives that count at a scope: (document, scope, index, directive), a project's global ones at the compilation unit. What
        a page imports stands in its namespace, as its own directives do: Razor writes both there."""
        for index, using in enumerate(self.outline.scopes[scope].usings):
            yield self, scope, index, using
        if scope == 0:
            for index, (document, using) in enumerate(self.project.global_usings):
                if document is not self:
                    yield document, 0, -1 - index, using
        if self.outline.page in OF_RAZOR and scope == len(self.outline.scopes) - 1:
            for document, index, using in self.project.table.usings_of_page(self.key):
                yield document, 0, index, using

    def imports(self, scope: int) -> Iterable[tuple[Namespace | Type | None, bool]]:
        """The imports of the directives that count at a scope, without aliases: (target, static or not)."""
        for document, at, index, using in self._usings_at(scope):
            if not using.alias:
                yield document.using_target(at, index, using), using.is_static

    def has_alias(self, scope: int, name: str) -> bool:
        """A using alias of this name is in view of a scope."""
        return any(level.scope >= 0 and name in self._imports_of(level.scope).aliases for level in self.levels(scope))

    def joint_targets(self, alias: str) -> Iterator[Namespace | Type | None]:
        """What an alias that may stand for several namespaces does, in the order in which names are sought there."""
        for document, at, index, using in self._imports_of(0).joint.get(alias, ()):
            held = self.project.table.xml_namespaces.get(using.target.text.removeprefix(_GLOBAL))
            if held is not None:
                yield from (Namespace(name) for path, name in held if path in self.project.visible)
            else:
                yield document.using_target(at, index, using)

    def _imports_of(self, scope: int) -> _Imports:
        imports = self._imports.get(scope)
        if imports is None:
            imports = self._imports[scope] = self._imports_at(scope)
        return imports

    def _lookup_in_usings(self, scope: int, name: str, arity: int) -> Namespace | Type | None:
        imports = self._imports_of(scope)
        if arity == 0 and name in imports.aliases:
            document, at, index, using = imports.aliases[name]
            return document.using_target(at, index, using)
        project = self.project
        file_path = self.key.file_path
        found: list[Type] = []
        # Few namespaces have a type of that name, and many are imported.
        for namespace in (*project.table.homes.get((name, arity), ()), *project.libraries.homes(name, arity)):
            if namespace in imports.namespaces:
                definition = project.types_in(namespace, name, arity, file_path)
                if definition is not None:
                    self._note(found, NamedType(definition))
        for target in imports.types:
            nested = project.table.nested_type(target, name, arity, inherited=False)
            if nested is not None:
                self._note(found, nested)
        if not found:
            return None
        if len(found) > 1:
            # Types that cannot be accessed are not there (ECMA-334 §7.8.2).
            found = [t for t in found if isinstance(t, NamedType) and project.can_see(t.definition)] or found
        if len(found) == 1:
            return found[0]
        source = [t for t in found if isinstance(t, NamedType) and not t.definition.external]
        if len(source) == 1:
            return source[0]
        brought = [t for t in found if isinstance(t, NamedType) and project.libraries.is_brought(t.definition)]
        if len(brought) == 1:
            return brought[0]
        return self.project.table.factory.error(name, reason="ambiguous")

    def _imports_at(self, scope: int) -> _Imports:
        imports = _Imports()
        is_joint = self.outline.page in JOINT_ALIASES
        for document, at, index, using in self._usings_at(scope):
            if using.alias:
                directive = (document, at, index, using)
                imports.aliases.setdefault(using.alias, directive)
                if is_joint:
                    imports.joint.setdefault(using.alias, []).append(directive)
                continue
            target = document.using_target(at, index, using)
            if isinstance(target, Namespace):
                if not using.is_static and target.name not in imports.namespaces:
                    imports.namespaces.add(target.name)
                    self.project.libraries.look_into(target.name)
            elif isinstance(target, NamedType) and using.is_static:
                imports.types.append(target)
        return imports

    @staticmethod
    def _note(found: list[Type], type_: Type) -> None:
        if type_ not in found:
            found.append(type_)

    def using_target(self, scope: int, index: int, using: UsingDirective) -> Namespace | Type | None:
        """The namespace or type that a using directive names; null if it names nothing known."""
        key = (scope, index)
        if key in self._using_targets:
            return self._using_targets[key]
        self._using_targets[key] = None
        tree = parse_type(using.target.text)
        resolver = TypeResolver(self, scope, None, (), usings=False)
        target: Namespace | Type | None
        if isinstance(tree, NameTree):
            target = resolver.target(tree)
        else:
            target = resolver.resolve(using.target.text)
        if isinstance(target, ErrorType):
            target = None
        self._using_targets[key] = target
        return target


_PASSINGS: Final = {"": 0, "ref": 1, "out": 2, "in": 3}
"""How a parameter of a function pointer is passed, as ``bodies.RefKind`` counts."""


Name: TypeAlias = "tuple[int, TypeDefinition | None]"
"""The ordinal of an identifier in a type text, and the type that it means; null where nothing was found."""
Names: TypeAlias = tuple[Name, ...]


class TypeResolver:
    """Resolves types as written in one place: a scope, an enclosing type, the type parameters of a method.

    ``enclosing``: the innermost type whose members are in view; its type parameters and nested types are sought outwards from it.
    ``own_parameters``: type parameters that stand before everything, of a method or of a base list's own type.
    """

    __slots__ = (
        "_meanings",
        "document",
        "enclosing",
        "factory",
        "own_parameters",
        "scope",
        "usings",
    )

    def __init__(
        self,
        document: Document,
        scope: int,
        enclosing: SourceTypeDefinition | None,
        own_parameters: Sequence[TypeParameterType],
        usings: bool = True,
    ) -> None:
        self.document: Final = document
        self.scope: Final = scope
        self.enclosing: Final = enclosing
        self.own_parameters: Final = {p.name: p for p in own_parameters}
        self.usings: Final = usings
        self.factory: Final = document.project.table.factory
        self._meanings: Final[dict[str, tuple[Type, Names]]] = {}

    def names(self, text: str) -> Names:
        """What each identifier of a type text means that means a type, in text order. Namespaces and type parameters are left out."""
        return self._meaning(text)[1]

    def resolve(self, text: str) -> Type:
        """The type that ``TypeSyntax.text`` means here. Never raises; what is not found is an ``ErrorType``."""
        return self._meaning(text)[0]

    def target(self, tree: NameTree) -> Namespace | Type | None:
        """The meaning of a possibly qualified name; null if its first part means nothing."""
        return self._name(tree, 0, [])

    def _meaning(self, text: str) -> tuple[Type, Names]:
        known = self._meanings.get(text)
        if known is None:
            names: list[Name] = []
            found = self._tree(parse_type(text), 0, names)
            names.sort(key=_ordinal)
            known = self._meanings[text] = (found, tuple(names))
        return known

    def _tree(self, tree: TypeTree, depth: int, names: list[Name]) -> Type:
        if depth > _MAX_DEPTH:
            return self.factory.error("?", reason="nested too deeply")
        match tree:
            case PredefinedType(name=name, ordinal=ordinal):
                if name == "dynamic":
                    return self.factory.dynamic
                meant = self.document.project.table.well_known("System", KEYWORD_TYPES[name], 0, self.document.project)
                if ordinal >= 0 and isinstance(meant, NamedType):
                    names.append((ordinal, meant.definition))
                return meant
            case NameTree():
                found = self._name(tree, depth, names)
                if isinstance(found, Namespace) or found is None:
                    reason = "not found" if found is None else "a namespace, used as a type"
                    return self._error(tree, depth, reason, names)
                return found
            case ArrayTree(element=element, rank=rank):
                return ArrayType(self._tree(element, depth + 1, names), rank)
            case PointerTree(element=element):
                return PointerType(self._tree(element, depth + 1, names))
            case NullableType(element=element):
                inner = self._tree(element, depth + 1, names)
                if (isinstance(inner, NamedType) and inner.definition.is_value_type) or (
                    isinstance(inner, TypeParameterType) and inner.is_value_type
                ):
                    return generic_type(self.document.project, "System", "Nullable", (inner,))
                return inner
            case TupleType(elements=elements):
                named = tuple(e.name for e in elements)
                return tuple_type(
                    self.document.project,
                    tuple([self._tree(e.type, depth + 1, names) for e in elements]),
                    named if any(named) else (),
                )
            case FunctionPointerTree(parameters=parameters):
                types = tuple([self._tree(each.type, depth + 1, names) for each in parameters])
                return self.factory.function_pointer(types, tuple(_PASSINGS[each.ref_kind] for each in parameters[:-1]))
            case UnknownType(text=text):
                return self.factory.error(text, reason="not a type")

    def _error(self, tree: NameTree, depth: int, reason: str, names: list[Name]) -> ErrorType:
        text = ".".join(part.name for part in tree.parts)
        if tree.alias is not None and tree.alias != "global":
            text = f"{tree.alias}.{text}"
        last = tree.parts[-1]
        omitted = (self.factory.error("", reason=reason),) * last.arity
        return self.factory.error(text, self._arguments(last, depth, names) or omitted, reason)

    def _name(self, tree: NameTree, depth: int, names: list[Name]) -> Namespace | Type | None:
        first, *rest = tree.parts
        current: Namespace | Type | None
        if tree.alias is not None:
            if tree.alias == "global":
                current = self._member_of(Namespace(""), first, depth, names)
            else:
                current = self._of_alias(tree.alias, first, depth, names)
        else:
            simple = self._simple(first.name, first.arity or len(first.arguments))
            current = self._with_arguments(simple, first, depth, names)
        _note_name(names, first, current, not rest)
        for position, part in enumerate(rest):
            if current is None or isinstance(current, ErrorType):
                return None
            current = self._member_of(current, part, depth, names)
            _note_name(names, part, current, position == len(rest) - 1)
        return current

    def _of_alias(self, alias: str, part: NamePart, depth: int, names: list[Name]) -> Namespace | Type | None:
        is_joint = self.document.outline.page in JOINT_ALIASES
        for base in self.document.joint_targets(alias) if is_joint else (self._simple(alias, 0),):
            found = self._member_of(base, part, depth, names) if isinstance(base, (Namespace, NamedType)) else None
            if found is not None:
                return found
        return None

    def _arguments(self, part: NamePart, depth: int, names: list[Name]) -> tuple[Type, ...]:
        return tuple([self._tree(each, depth + 1, names) for each in part.arguments])

    def _with_arguments(
        self,
        found: Namespace | Type | None,
        part: NamePart,
        depth: int,
        names: list[Name],
    ) -> Namespace | Type | None:
        if isinstance(found, NamedType) and part.arguments:
            return NamedType(found.definition, (*found.arguments, *self._arguments(part, depth, names)))
        if isinstance(found, ErrorType) and part.arguments:
            return self.factory.error(found.text, self._arguments(part, depth, names), found.reason)
        return found

    def _member_of(
        self,
        container: Namespace | Type,
        part: NamePart,
        depth: int,
        names: list[Name],
    ) -> Namespace | Type | None:
        arity = part.arity or len(part.arguments)
        project = self.document.project
        found: Namespace | Type | None = None
        if isinstance(container, Namespace):
            full = f"{container.name}.{part.name}" if container.name else part.name
            definition = project.types_in(container.name, part.name, arity, self.document.key.file_path)
            if definition is not None:
                found = NamedType(definition)
            elif arity == 0 and project.has_namespace(full):
                return Namespace(full)
        elif isinstance(container, NamedType):
            found = project.table.nested_type(container, part.name, arity)
            if isinstance(found, NamedType) and not project.can_see_nested(found.definition, self.enclosing):
                found = None
        return self._with_arguments(found, part, depth, names)

    def _simple(self, name: str, arity: int) -> Namespace | Type | None:
        if arity == 0:
            parameter = self.own_parameters.get(name)
            if parameter is not None:
                return parameter
        if self.enclosing is not None:
            found = self.document.project.table.lookup_in_type(self.enclosing, name, arity)
            if found is not None:
                return found
        return self.document.lookup_in_namespaces(self.scope, name, arity, self.usings)


def _ordinal(name: Name) -> int:
    return name[0]


def _note_name(names: list[Name], part: NamePart, found: Namespace | Type | None, is_last: bool) -> None:
    if part.ordinal < 0:  # a keyword where a name should be: `A.string`
        return
    if isinstance(found, NamedType):
        names.append((part.ordinal, found.definition))
    elif found is None or isinstance(found, ErrorType) or (is_last and isinstance(found, Namespace)):
        names.append((part.ordinal, None))


def generic_type(project: ProjectScope, namespace: str, name: str, arguments: tuple[Type, ...]) -> Type:
    """A constructed type that the language itself refers to."""
    found = project.table.well_known(namespace, name, len(arguments), project)
    return NamedType(found.definition, arguments) if isinstance(found, NamedType) else found


def tuple_type(project: ProjectScope, elements: tuple[Type, ...], names: tuple[str | None, ...] = ()) -> Type:
    """``System.ValueTuple`` of the elements; those from the eighth on are nested (ECMA-334 §8.3.11)."""
    if len(elements) > 7:
        elements = (*elements[:7], tuple_type(project, elements[7:]))
    found = project.table.well_known("System", "ValueTuple", len(elements), project)
    return NamedType(found.definition, elements, names) if isinstance(found, NamedType) else found
