"""Cycles against what brute force finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codemap_plugins.coderef.cycles import cycles

edges = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20)


@given(edges)
def test_every_cycle_is_one_and_no_component_is_left_out(given_edges: list[tuple[int, int]]) -> None:
    found = cycles(given_edges)
    for cycle in found:
        assert all(pair in given_edges for pair in zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    reach = {(a, b) for a, b in given_edges}
    for _ in range(8):
        reach |= {(a, d) for a, b in reach for c, d in reach if b == c}
    on_cycles = {a for a, b in reach if a == b}
    components = {frozenset(b for b in on_cycles if (a, b) in reach and (b, a) in reach) for a in on_cycles}
    assert len(found) == len(components)
    assert sorted(cycle[0] for cycle in found) == sorted(min(each) for each in components)
