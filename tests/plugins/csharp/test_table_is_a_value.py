"""A symbol table is a value: it owns its types, several stand side by side, and one that nobody holds is gone."""

from __future__ import annotations

import gc
from typing import Final

from codemap_core.hooks.contracts import AnalysisSettings, UnitKey, Universe
from codemap_core.hooks.interests import NOTHING
from codemap_core.model import ProjectGraph
from codemap_plugins.csharp.front_end import CSharpFrontEnd, CSharpTable
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.table import SymbolTable
from codemap_plugins.csharp.symbols.types import NamedType

SOURCE: Final = """
using System;
using System.Collections.Generic;
class Box<T> {
    public T[] Items; Missing<T> _lost; List<Box<int>[]> _boxes;
    public R Map<R>(Func<T, R> f) { foreach (var each in Items) return f(each); return default; }
    unsafe void P(int* p, dynamic d) { int Local<U>(U u) => Map(x => 1); d.Go(Local(2)); }
}
"""
KEY: Final = UnitKey("", "Box.cs")


def declared() -> CSharpTable:
    unit = CSharpFrontEnd().analyse(SOURCE.encode(), AnalysisSettings()).unit
    return CSharpFrontEnd().declare(Universe(ProjectGraph(()), {KEY: unit}))


def alive() -> int:
    """Tables, source definitions and constructed types that are still reachable."""
    gc.collect()
    return sum(isinstance(each, (SymbolTable, SourceTypeDefinition, NamedType)) for each in gc.get_objects())


def test_two_tables_bind_side_by_side() -> None:
    first, second = declared(), declared()
    rows = CSharpFrontEnd().bind(first, KEY, NOTHING)
    assert rows == CSharpFrontEnd().bind(second, KEY, NOTHING)
    assert rows.references
    (of_first,), (of_second,) = first.table.types["", "Box", 1], second.table.types["", "Box", 1]
    assert of_first is not of_second
    assert NamedType(of_first) is not NamedType(of_second)
    assert NamedType(of_first) is NamedType(of_first)


def test_a_table_that_nobody_holds_is_collected() -> None:
    kept = declared()
    CSharpFrontEnd().bind(kept, KEY, NOTHING)
    before = alive()
    table = declared()
    CSharpFrontEnd().bind(table, KEY, NOTHING)
    assert alive() > before
    del table
    assert alive() == before
    assert CSharpFrontEnd().bind(kept, KEY, NOTHING).references
