"""Ids of TypeScript's symbols: documentation-comment ids in form, with the path of the file as the namespace.

``T:src/shop/order.ts.Order`` is a type, ``M:src/shop/order.ts.Order.submit`` a function, method or constructor, ``P:…`` a property,
``F:…`` a variable or member of an enum, ``M:src/shop/order.ts`` the code of the file itself. They have no parameters: overloads are one
symbol. Characters that have a meaning in ids are written as ``%`` and two hexadecimal digits.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from codemap_plugins.typescript.unit import Kind

_SPECIAL: Final = re.compile(r"[%(){}\[\]#~,<>`\"'\s*&|^]")
_IN_NAME: Final = re.compile(r"[%#(){}\[\]~,<>`\"'\s*&|^./]")
_PREFIXES: Final = {
    Kind.FUNCTION: "M:",
    Kind.METHOD: "M:",
    Kind.CONSTRUCTOR: "M:",
    Kind.PROPERTY: "P:",
    Kind.VARIABLE: "F:",
    Kind.ENUM_MEMBER: "F:",
}


def _escaped(match: re.Match[str]) -> str:
    return f"%{ord(match[0]):02X}"


def module_id(path: str) -> str:
    """Of the code at the top of a file."""
    return f"M:{_SPECIAL.sub(_escaped, path)}"


def symbol_id(path: str, names: tuple[str, ...], kind: Kind) -> str:
    """``names``: of its containers, outermost first, and its own."""
    own = "#ctor" if kind is Kind.CONSTRUCTOR else _IN_NAME.sub(_escaped, names[-1])
    outer = ".".join(_IN_NAME.sub(_escaped, name) for name in names[:-1])
    return f"{_PREFIXES.get(kind, 'T:')}{_SPECIAL.sub(_escaped, path)}.{f'{outer}.' if outer else ''}{own}"


def stable_id(project: str, id_: str) -> str:
    digest = hashlib.sha256(f"{project}\0{id_}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"sym_{digest}"
