"""Why a name is not bound decides what else is bound; the words for it decide nothing."""

from __future__ import annotations

from typing import Final

from codemap_core.hooks.manager import load_plugins
from codemap_core.model import UnresolvedReason
from codemap_core.testing.source_index import index_sources

SOURCE: Final = """
using System;
class A { }
class B { public int Length; }
class C {
    static void M(Func<A, object> f) { }
    static void M(Func<B, object> f) { }
    void N(Missing m) { M(x => x.Length); m.Go(); Nothing(); new A().Lost = 1; }
}
"""


def test_every_reason_is_one_of_those_that_are_known() -> None:
    rows = index_sources({"a.cs": SOURCE}, load_plugins(blocked=())).references
    assert {row.reason for row in rows if row.reason} <= set(UnresolvedReason)
    assert UnresolvedReason.RECEIVER_UNKNOWN in {row.reason for row in rows}


def test_a_lambda_whose_body_fails_chooses_the_other_overload() -> None:
    rows = index_sources({"a.cs": SOURCE}, load_plugins(blocked=())).references
    (call,) = [row for row in rows if row.to_name == "M"]
    assert call.to_symbol == "M:C.M(System.Func{B,System.Object})"
