"""What a signature says, as the contract asks for it: the parameters, the type of the result, the types that are accepted.

Signatures are as the index has them, in one line, modifiers first; ids are documentation-comment ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from codemap_core.model import SymbolKind
from codemap_core.model.documentation_id import parse_id, split_outside, type_id

_MODIFIERS: Final = frozenset(
    (
        *("public", "internal", "protected", "private", "static", "abstract", "sealed", "override", "virtual", "async"),
        *("extern", "unsafe", "readonly", "new", "partial", "required", "file", "ref", "const", "volatile", "event"),
        *("implicit", "explicit"),
    )
)
_BEHIND_NAME: Final = re.compile(r"[\w>)+\-*/%!~&|^<=]")
"""What may stand before the bracket of a parameter list. A tuple's has a space or nothing before it."""
_TYPED: Final = frozenset(
    {
        SymbolKind.METHOD,
        SymbolKind.OPERATOR,
        SymbolKind.PROPERTY,
        SymbolKind.INDEXER,
        SymbolKind.FIELD,
        SymbolKind.EVENT,
        SymbolKind.CONSTANT,
        SymbolKind.DELEGATE,
    }
)
_CALLED: Final = frozenset({SymbolKind.METHOD, SymbolKind.OPERATOR, SymbolKind.CONSTRUCTOR, SymbolKind.DELEGATE})


def parameter_signature(kind: SymbolKind | None, signature: str) -> str:
    """``(string username, string password)``; empty for what takes no parameters."""
    if kind not in _CALLED:
        return ""
    start, end = _parameter_list(signature)
    return signature[start:end]


def return_type(kind: SymbolKind | None, signature: str) -> str:
    """The type of the result, or that of a property or field; empty where a signature says none."""
    if kind not in _TYPED:
        return ""
    if kind in _CALLED:
        head = signature[: _parameter_list(signature)[0]]
    else:
        head = re.split(r" [{=]|=>|;", signature, maxsplit=1)[0]
    before_operator, is_operator, target = head.partition("operator ")
    words = [word for word in split_outside(before_operator if is_operator else f"{head} ", " ") if word]
    typed = [word for word in words if word not in _MODIFIERS and word != "delegate"]
    if is_operator:
        return " ".join(typed) or target.removeprefix("checked ").strip()
    return " ".join(typed[:-1])


def accepted_types(symbol_id: str) -> tuple[str, ...]:
    """Ids of the types that the parameters of a method mention: ``T:System.Collections.Generic.List`1`` and ``T:Shop.Order`` of
    ``M:X.Add(System.Collections.Generic.List{Shop.Order})``."""
    parameters = parse_id(symbol_id).parameters or ()
    return tuple(dict.fromkeys(each for parameter in parameters for each in _types_in(parameter)))


def _types_in(parameter: str) -> Iterator[str]:
    bare = parameter.rstrip("@*&")
    while bare.endswith("]") and "[" in bare:
        bare = bare[: bare.rindex("[")]
    if not bare or bare.startswith("`"):
        return
    name = ""
    for piece in split_outside(bare, "."):
        outer, opening, inner = piece.partition("{")
        arguments = split_outside(inner.removesuffix("}"), ",") if opening else []
        name = f"{name}.{outer}" if name else outer
        if arguments:
            name = f"{name}`{len(arguments)}"
        for argument in arguments:
            yield from _types_in(argument)
    yield type_id(name)


def _parameter_list(signature: str) -> tuple[int, int]:
    """Where the brackets of the parameters begin and end; twice the length when there are none."""
    depth = position = 0
    start = -1
    for position, character in enumerate(signature):
        if character in "([":
            is_list = character == "(" and position > 0 and _BEHIND_NAME.match(signature[position - 1]) is not None
            if depth == 0 and is_list and not _in_type_arguments(signature[:position]):
                start = position
            depth += 1
        elif character in ")]":
            depth -= 1
            if depth == 0 and start >= 0:
                return start, position + 1
    return len(signature), len(signature)


def _in_type_arguments(text: str) -> bool:
    """Whether an angle bracket is open behind it; an operator's name has such characters of its own."""
    bare = text.rpartition("operator ")[0] if re.search(r"operator [<>=!]+$", text) else text.replace("=>", "")
    return bare.count("<") > bare.count(">")
