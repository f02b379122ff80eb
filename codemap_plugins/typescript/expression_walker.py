"""Expressions and statements as nodes of the unit, and the local names that they bind."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from codemap_core.syntax import Node as SyntaxNode
from codemap_plugins.typescript.building import unquoted
from codemap_plugins.typescript.text_walker import TextWalker
from codemap_plugins.typescript.type_walker import TYPES
from codemap_plugins.typescript.unit import NONE, BindingKind, Function, Op, Parameter, Space, Use

_LITERALS: Final = {
    "number": "number",
    "true": "boolean",
    "false": "boolean",
    "regex": "RegExp",
    "null": "null",
    "undefined": "undefined",
}
_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression", "generator_function", "function"})
_IGNORED: Final = frozenset(
    {
        *("comment", "statement_identifier", "break_statement", "continue_statement", "debugger_statement"),
        *("empty_statement", "jsx_text", "meta_property", "property_identifier", "html_character_reference"),
    }
)
_EXPECTING: Final = frozenset(
    {
        *("object", "array", "parenthesized_expression", "as_expression", "ternary_expression", "binary_expression"),
        *("arrow_function", "function_expression"),
    }
)
"""Expressions that what is expected of them tells something."""
_WITH_USE: Final = frozenset(
    {"member_expression", "parenthesized_expression", "non_null_expression", "nested_identifier"}
)
_EXPRESSIONS: Final = frozenset(
    {
        *(
            "this",
            "super",
            "subscript_expression",
            "call_expression",
            "new_expression",
            "await_expression",
            "as_expression",
        ),
        *("satisfies_expression", "type_assertion", "ternary_expression", "binary_expression", "unary_expression"),
        *("assignment_expression", "augmented_assignment_expression", "update_expression", "template_string", "object"),
        *("array", "spread_element", "class", "jsx_element", "jsx_self_closing_element"),
    }
)
"""Kinds of nodes that a method of their name lowers, the first ones with how they are used. Broken code has nodes of any kind anywhere,
so a method is never looked for by the kind alone."""
_STATEMENTS: Final = frozenset(
    {"statement_block", "expression_statement", "return_statement", "for_in_statement", "catch_clause"}
)
_LOGICAL: Final = frozenset({"&&", "||", "??"})


class ExpressionWalker(TextWalker):
    """Lowers bodies. Declarations within are left to ``declaration``."""

    @abstractmethod
    def declaration(self, node: SyntaxNode) -> bool:
        """Lowers a declaration statement; false where the node is none."""

    @abstractmethod
    def class_expression(self, node: SyntaxNode) -> int:
        """The declaration of a class that is an expression."""

    def statements(self, node: SyntaxNode) -> None:
        for child in node.named_children:
            self.statement(child)

    def statement(self, node: SyntaxNode) -> None:
        kind = node.type
        if kind in _IGNORED:
            return
        if self.declaration(node):
            return
        if kind in _STATEMENTS:
            getattr(self, f"_{kind}")(node)
        elif kind.endswith(("_statement", "_clause", "_case", "_default", "switch_body", "else_clause")):
            with self.b.inner_scope():
                self.statements(node)
        else:
            self.expression(node)

    def _statement_block(self, node: SyntaxNode) -> None:
        with self.b.inner_scope():
            self.statements(node)

    def _expression_statement(self, node: SyntaxNode) -> None:
        for child in node.named_children:
            self.statement(child)

    def _return_statement(self, node: SyntaxNode) -> None:
        for child in node.named_children:
            if child.type != "comment":
                self.b.expected = self.b.expected_result
                self.b.returns.append(self.expression(child))

    def _for_in_statement(self, node: SyntaxNode) -> None:
        with self.b.inner_scope():
            right = self.expression(node.child_by_field_name("right"))
            operator = node.child_by_field_name("operator")
            is_of = operator is not None and self.b.text(operator) == "of"
            value = self.b.add(Op.SPREAD, a=right) if is_of else self.b.primitive("string")
            left = node.child_by_field_name("left")
            if left is not None and node.child_by_field_name("kind") is not None:
                self.bind_pattern(left, value=value)
            elif left is not None:
                self.expression(left, Use.WRITE)
            body = node.child_by_field_name("body")
            if body is not None:
                self.statement(body)

    def _catch_clause(self, node: SyntaxNode) -> None:
        with self.b.inner_scope():
            parameter = node.child_by_field_name("parameter")
            type_ = self.type(node.child_by_field_name("type"))
            if parameter is not None:
                self.bind_pattern(parameter, type_=type_, value=self.b.primitive("?"))
            body = node.child_by_field_name("body")
            if body is not None:
                self.statements(body)

    def bind_pattern(self, pattern: SyntaxNode, **origin: int) -> None:
        """Binds the local names of a pattern. ``origin``: as ``Builder.bind`` takes it."""
        kind = pattern.type
        if kind in ("identifier", "shorthand_property_identifier_pattern"):
            scope = origin.pop("scope", self.b.scope)
            self.b.bind(self.b.text(pattern), BindingKind.LOCAL, Space.VALUE, scope=scope, **origin)
        elif kind == "assignment_pattern":
            self.expression(pattern.child_by_field_name("right"))
            left = pattern.child_by_field_name("left")
            if left is not None:
                self.bind_pattern(left, **origin)
        elif kind == "rest_pattern":
            for child in pattern.named_children:
                self.bind_pattern(child, value=self.b.primitive("?"), scope=origin.get("scope", self.b.scope))
        elif kind in ("object_pattern", "array_pattern"):
            scope = origin.pop("scope", self.b.scope)
            self._bind_parts(pattern, self._held(origin), scope)
        elif kind == "non_null_expression":
            for child in pattern.named_children:
                self.bind_pattern(child, **origin)

    def _held(self, origin: dict[str, int]) -> int:
        """A node of what a pattern is taken apart from."""
        if origin.get("type_", NONE) != NONE:
            return self.b.add(Op.CAST, a=origin["type_"])
        if origin.get("context", NONE) != NONE:
            with self.b.inner_scope() as inner:
                self.b.bind("", BindingKind.LOCAL, Space.VALUE, **origin)
                return self.b.add(Op.NAME, name="", b=inner)
        return origin.get("value", NONE)

    def _bind_parts(self, pattern: SyntaxNode, held: int, scope: int) -> None:
        if pattern.type == "array_pattern":
            for place, child in enumerate(pattern.named_children):
                self.bind_pattern(child, value=self.b.add(Op.ELEMENT, a=held, b=place), scope=scope)
            return
        for child in pattern.named_children:
            kind = child.type
            if kind == "shorthand_property_identifier_pattern":
                part = self.b.add(Op.MEMBER, child, Use.DECLARE, self.b.text(child), held)
                self.bind_pattern(child, value=part, scope=scope)
            elif kind == "object_assignment_pattern":
                left = child.child_by_field_name("left")
                self.expression(child.child_by_field_name("right"))
                if left is not None and left.type == "shorthand_property_identifier_pattern":
                    part = self.b.add(Op.MEMBER, left, Use.DECLARE, self.b.text(left), held)
                    self.bind_pattern(left, value=part, scope=scope)
            elif kind == "pair_pattern":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is None or value is None:
                    continue
                if key.type == "property_identifier":
                    part = self.b.add(Op.MEMBER, key, Use.READ, self.b.text(key), held)
                else:
                    name = self.property_name(key)
                    part = self.b.add(Op.MEMBER, name=name, a=held) if name else self.b.primitive("?")
                self.bind_pattern(value, value=part, scope=scope)
            elif kind == "rest_pattern":
                self.bind_pattern(child, scope=scope)

    # Expressions

    def expression(self, node: SyntaxNode | None, use: Use = Use.READ) -> int:
        context, self.b.expected = self.b.expected, NONE
        if node is None:
            return NONE
        kind = node.type
        if context != NONE and kind in _EXPECTING:
            held: int = getattr(self, f"_expecting_{kind}")(node, context)
            return held
        if kind in ("identifier", "jsx_identifier"):
            return self.name(node, Op.NAME, use)
        if kind == "undefined":
            return self.b.primitive("undefined")
        if kind == "string":
            return self.text_node(node.start_byte + 1, node.end_byte - 1)
        if kind in _LITERALS:
            return self.b.primitive(_LITERALS[kind])
        if kind in _IGNORED:
            return NONE
        if kind in _FUNCTIONS:
            return self.function_expression(node)
        if kind in _WITH_USE:
            used: int = getattr(self, f"_{kind}")(node, use)
            return used
        if kind in _EXPRESSIONS:
            lowered: int = getattr(self, f"_{kind}")(node)
            return lowered
        if kind in TYPES:
            return self.known_type(node)
        if kind in _STATEMENTS:
            self.statement(node)
            return NONE
        for child in node.named_children:
            self.expression(child)
        return self.b.primitive("?")

    def expecting(self, node: SyntaxNode, name: str, of: int, place: int = NONE) -> int:
        self.b.expected = self.expect(name, of, place) if node.type in _EXPECTING else NONE
        return self.expression(node)

    def _expecting_object(self, node: SyntaxNode, context: int) -> int:
        return self._object(node, context)

    def _expecting_array(self, node: SyntaxNode, context: int) -> int:
        return self._array(node, context)

    def _expecting_parenthesized_expression(self, node: SyntaxNode, context: int) -> int:
        self.b.expected = context
        return self._only(node)

    def _expecting_as_expression(self, node: SyntaxNode, context: int) -> int:
        return self._as_expression(node, context)

    def _expecting_ternary_expression(self, node: SyntaxNode, context: int) -> int:
        return self._ternary_expression(node, context)

    def _expecting_binary_expression(self, node: SyntaxNode, context: int) -> int:
        return self._binary_expression(node, context)

    def _expecting_arrow_function(self, node: SyntaxNode, context: int) -> int:
        return self.function_expression(node, context)

    def _expecting_function_expression(self, node: SyntaxNode, context: int) -> int:
        return self.function_expression(node, context)

    def _only(self, node: SyntaxNode, use: Use = Use.READ) -> int:
        found = NONE
        for child in node.named_children:
            if child.type != "comment":
                found = self.expression(child, use)
        return found

    def _parenthesized_expression(self, node: SyntaxNode, use: Use) -> int:
        return self._only(node, use)

    def _non_null_expression(self, node: SyntaxNode, use: Use) -> int:
        return self._only(node, use)

    def _this(self, node: SyntaxNode) -> int:
        return self.b.add(Op.THIS, a=self.b.this, name="static" if self.b.is_static else "")

    def _super(self, node: SyntaxNode) -> int:
        return self.b.add(Op.SUPER, a=self.b.this, name="static" if self.b.is_static else "")

    def _member_expression(self, node: SyntaxNode, use: Use) -> int:
        target = self.expression(node.child_by_field_name("object"))
        name = node.child_by_field_name("property")
        return self.b.add(Op.MEMBER, name, use, self.b.text(name) if name is not None else "", target)

    def _nested_identifier(self, node: SyntaxNode, use: Use) -> int:
        return self._member_expression(node, use)

    def _subscript_expression(self, node: SyntaxNode) -> int:
        target = self.expression(node.child_by_field_name("object"))
        index = node.child_by_field_name("index")
        if index is not None and index.type == "string" and index.named_children:
            place = index.named_children[0]
            return self.b.add(Op.MEMBER, place, Use.READ, self.b.text(place), target)
        self.expression(index)
        number = int(self.b.text(index)) if index is not None and self.b.text(index).isdigit() else NONE
        return self.b.add(Op.ELEMENT, a=target, b=number)

    def _call_expression(self, node: SyntaxNode) -> int:
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        given = [each for each in arguments.named_children if each.type != "comment"] if arguments is not None else []
        if function is not None and given and given[0].type == "string":
            is_import = function.type == "import"
            if is_import or self.b.text(function) == "require":
                return self._lazy(given[0], is_promised=is_import)
        if function is not None and function.type == "super":
            is_static = "static" if self.b.is_static else ""
            target = self.b.add(Op.SUPER, function, Use.CALL, is_static, self.b.this)
        elif function is not None and function.type == "await_expression":
            # The grammar reads ``await f<T>(x)`` as ``(await f)<T>(x)``.
            target = self._only(function, Use.CALL)
            return self.b.add(Op.AWAIT, a=self.called(node, Op.CALL, target, given))
        else:
            target = self.expression(function, Use.CALL)
        if arguments is not None and arguments.type == "template_string":
            self.expression(arguments)
            given = []
        return self.called(node, Op.CALL, target, given)

    def imported_module(self, call: SyntaxNode) -> int:
        function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        given = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        if function is None or function.type != "import" or given is None or given.type != "string":
            return self.expression(call)
        return self._lazy(given, is_promised=False)

    def _lazy(self, specifier: SyntaxNode, is_promised: bool) -> int:
        place = specifier.named_children[0] if specifier.named_children else specifier
        return self.b.add(Op.LAZY, place, Use.IMPORT, unquoted(self.b.text(specifier)), a=1 if is_promised else 0)

    def called(self, node: SyntaxNode, op: Op, target: int, given: list[SyntaxNode]) -> int:
        """Reserves the node of the call before its arguments, which may have to know it."""
        types = self.type_arguments(node.child_by_field_name("type_arguments"))
        applied = self.b.add(Op.APPLIED, items=types) if types else NONE
        call = self.b.add(op, a=target, b=applied)
        items = []
        for place, each in enumerate(given):
            items.append(self.expecting(each, "argument", call, place))
        held = self.b.nodes[call]
        self.b.nodes[call] = type(held)(op, held.use, "", target, applied, tuple(items), held.scope, held.owner)
        return call

    def _new_expression(self, node: SyntaxNode) -> int:
        target = self.expression(node.child_by_field_name("constructor"), Use.NEW)
        arguments = node.child_by_field_name("arguments")
        given = [each for each in arguments.named_children if each.type != "comment"] if arguments is not None else []
        return self.called(node, Op.NEW, target, given)

    def _await_expression(self, node: SyntaxNode) -> int:
        return self.b.add(Op.AWAIT, a=self._only(node))

    def _as_expression(self, node: SyntaxNode, context: int = NONE) -> int:
        parts = [child for child in node.named_children if child.type != "comment"]
        type_ = self.type(parts[1]) if len(parts) > 1 else NONE
        self.b.expected = self.expect("type", type_) if type_ != NONE else context
        value = self.expression(parts[0]) if parts else NONE
        return self.b.add(Op.CAST, a=type_) if type_ != NONE else value  # else it is as const

    def _satisfies_expression(self, node: SyntaxNode) -> int:
        parts = [child for child in node.named_children if child.type != "comment"]
        types = [self.type(part) for part in parts[1:]]
        self.b.expected = self.expect("type", types[0]) if types else NONE
        return self.expression(parts[0]) if parts else NONE

    def _type_assertion(self, node: SyntaxNode) -> int:
        parts = [child for child in node.named_children if child.type != "comment"]
        types = self.type_arguments(parts[0]) if parts else ()
        for part in parts[1:]:
            self.b.expected = self.expect("type", types[0]) if types else NONE
            self.expression(part)
        return self.b.add(Op.CAST, a=types[0] if types else NONE)

    def _ternary_expression(self, node: SyntaxNode, context: int = NONE) -> int:
        self.expression(node.child_by_field_name("condition"))
        either = []
        for field in ("consequence", "alternative"):
            self.b.expected = context
            either.append(self.expression(node.child_by_field_name(field)))
        return self.b.add(Op.EITHER, items=tuple(either))

    def _binary_expression(self, node: SyntaxNode, context: int = NONE) -> int:
        operator = node.child_by_field_name("operator")
        left = self.expression(node.child_by_field_name("left"))
        self.b.expected = context if operator is not None and operator.type in _LOGICAL else NONE
        right = self.expression(node.child_by_field_name("right"))
        if operator is not None and operator.type in _LOGICAL:
            return self.b.add(Op.EITHER, items=(left, right)) if operator.type != "&&" else right
        return self.sum_node(left, right) if operator is not None and operator.type == "+" else self.b.primitive("?")

    def _unary_expression(self, node: SyntaxNode) -> int:
        self._only(node)
        return self.b.primitive("?")

    def _assignment_expression(self, node: SyntaxNode) -> int:
        left = node.child_by_field_name("left")
        is_pattern = left is not None and left.type in ("object_pattern", "array_pattern")
        target = NONE if is_pattern else self.expression(left, Use.WRITE)
        self.b.expected = self.expect("given", target)
        right = self.expression(node.child_by_field_name("right"))
        if left is not None and is_pattern:
            for child in left.named_children:
                if child.type != "shorthand_property_identifier_pattern":
                    self.expression(child, Use.WRITE)
        return right

    def _augmented_assignment_expression(self, node: SyntaxNode) -> int:
        self.expression(node.child_by_field_name("left"), Use.WRITE)
        return self.expression(node.child_by_field_name("right"))

    def _update_expression(self, node: SyntaxNode) -> int:
        self.expression(node.child_by_field_name("argument"), Use.WRITE)
        return self.b.primitive("number")

    def _object(self, node: SyntaxNode, context: int = NONE) -> int:
        names: list[str] = []
        items: list[int] = []
        for child in node.named_children:
            kind = child.type
            if kind == "pair":
                key = child.child_by_field_name("key")
                names.append(self.property_name(key))
                self.key(key, names[-1], context)
                self.b.expected = self.expect(f".{names[-1]}", context)
                items.append(self.expression(child.child_by_field_name("value")))
            elif kind == "shorthand_property_identifier":
                names.append(self.b.text(child))
                self.key(child, names[-1], context)
                items.append(self.b.add(Op.NAME, child, Use.READ, self.b.text(child)))
            elif kind == "method_definition":
                key = child.child_by_field_name("name")
                names.append(self.property_name(key))
                self.key(key, names[-1], context)
                with self.b.this_is(NONE):
                    items.append(self.function_expression(child, self.expect(f".{names[-1]}", context)))
            elif kind == "spread_element":
                names.append("...")
                items.append(self._only(child))
        return self.b.add(Op.OBJECT, name="\n".join(names), items=tuple(items))

    def _array(self, node: SyntaxNode, context: int = NONE) -> int:
        items = []
        for child in node.named_children:
            if child.type != "comment":
                items.append(self.expecting(child, "element", context))
        return self.b.add(Op.ARRAY, items=tuple(items))

    def _spread_element(self, node: SyntaxNode) -> int:
        return self.b.add(Op.SPREAD, a=self._only(node))

    def _class(self, node: SyntaxNode) -> int:
        return self.b.add(Op.CLASS, a=self.class_expression(node))

    def function_expression(self, node: SyntaxNode, context: int = NONE) -> int:
        """``context``: what is expected of the function."""
        keeps_this = node.type in ("arrow_function", "method_definition")
        with self.b.this_is(self.b.this if keeps_this else NONE, self.b.is_static):
            function = self.function_of(node, context)
        return self.b.add(Op.FUNCTION, a=function)

    def function_of(self, node: SyntaxNode, context: int = NONE) -> int:
        """The function of a node with parameters and perhaps a body."""
        words = {child.type for child in node.children}
        outer_returns, outer_local, outer_result = self.b.returns, self.b.is_local, self.b.expected_result
        self.b.returns, self.b.is_local = [], True
        with self.b.inner_scope(is_function=True), self.b.this_is(self.b.this, self.b.is_static):
            name = node.child_by_field_name("name")
            if name is not None and node.type in ("function_expression", "generator_function"):
                self.b.bind(self.b.text(name), BindingKind.LOCAL, Space.VALUE)
            type_parameters = self.type_parameters(node.child_by_field_name("type_parameters"))
            single = node.child_by_field_name("parameter")
            if single is not None:
                self.bind_pattern(single, context=context, parameter=0)
                parameters: tuple[Parameter, ...] = (Parameter(self.b.text(single)),)
            else:
                parameters = self.parameters(node.child_by_field_name("parameters"), context)
            result_node = node.child_by_field_name("return_type")
            result = self.type(result_node)
            body = node.child_by_field_name("body")
            expected = self.expect("type", result) if result != NONE else self.expect("result", context)
            self.b.expected_result = self.expect("awaited", expected) if "async" in words else expected
            if body is not None and body.type == "statement_block":
                self.statements(body)
            elif body is not None:
                self.b.expected = self.b.expected_result
                self.b.returns.append(self.expression(body))
        returns = tuple(self.b.returns)
        self.b.returns, self.b.is_local, self.b.expected_result = outer_returns, outer_local, outer_result
        return self.function(
            Function(
                parameters,
                type_parameters,
                result,
                returns,
                is_async="async" in words,
                is_generator="*" in words or node.type.startswith("generator"),
                is_predicate=result_node is not None and "predicate" in result_node.type,
                has_body=body is not None,
            )
        )
