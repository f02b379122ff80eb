"""What a name may mean, as units hold it: bits of ``Space`` in an integer, whose operators call no Python code."""

from __future__ import annotations

from codemap_core.hooks.contracts import AnalysisSettings
from codemap_plugins.typescript.front_end import TypeScriptFrontEnd
from codemap_plugins.typescript.unit import Space, decode_unit

SOURCE = b"""
import { Order } from './orders';
export class Shop {}
export interface Shape {}
namespace Tools { export const saw = 1; }
"""


def test_what_a_name_may_mean_is_an_integer() -> None:
    unit = decode_unit(TypeScriptFrontEnd().analyse(SOURCE, AnalysisSettings(dialect="typescript")).unit)
    spaces = {each.name: each.space for each in unit.declarations}
    spaces |= {each.name: each.space for scope in unit.scopes for each in scope.bindings if each.name == "Order"}
    assert spaces == {
        "Shop": Space.VALUE | Space.TYPE,
        "Shape": Space.TYPE,
        "Tools": Space.VALUE | Space.NAMESPACE,
        "saw": Space.VALUE,
        "Order": Space.VALUE | Space.TYPE | Space.NAMESPACE,
    }
    assert {type(space) for space in spaces.values()} == {int}
