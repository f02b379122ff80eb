"""The library types that C# refers to without their being named: types of literals and results, of what keywords, arrays, tuples, queries,
loops and natural types of lambdas stand for.

A type of the repository that stands in the place of one of them concerns every document, and any other one only those that mention it.
So what the binder looks up by itself must be listed here; ``SymbolTable.well_known`` asserts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codemap_core.model.special_types import KEYWORD_TYPES

LANGUAGE_TYPES: Final[Mapping[str, frozenset[str]]] = {
    "System": frozenset(
        {
            *KEYWORD_TYPES.values(),
            *("Action", "Array", "Enum", "Exception", "Func", "IEquatable", "Index", "MulticastDelegate", "Nullable"),
            *("Range", "ReadOnlySpan", "Span", "Type", "ValueTuple", "ValueType"),
        }
    ),
    "System.Collections": frozenset({"IEnumerable"}),
    "System.Collections.Generic": frozenset({"IAsyncEnumerable", "IEnumerable", "IList", "IReadOnlyList"}),
    "System.Linq": frozenset({"IGrouping", "IQueryable"}),
    "System.Text": frozenset({"StringBuilder"}),
    "System.Threading.Tasks": frozenset({"Task"}),
}
"""Simple names, whatever the number of type parameters, by namespace."""


def is_language_type(namespace: str, name: str) -> bool:
    return name in LANGUAGE_TYPES.get(namespace, ())
