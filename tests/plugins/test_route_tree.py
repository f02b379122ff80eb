"""Routes that match a path are the same whether they are found in a tree or one by one."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from codemap_core.model.route_templates import parse_route, rank
from codemap_plugins.route.route_tree import RouteTree, path_segments

SEGMENTS = ["a", "B", "5", "{x}", "{y}", "{n:int}", "{x?}", "{n:int=5}", "v{x}", "v{x}-{y}"]
TEMPLATES = st.tuples(
    st.lists(st.sampled_from(SEGMENTS), max_size=3), st.sampled_from([[], ["{*rest}"], ["{**rest:nonfile}"]])
).map(lambda parts: "/".join([*parts[0], *parts[1]]))
PATHS = st.lists(st.sampled_from(["a", "b", "5", "05x", "v1", "v1-2"]), max_size=4).map("/".join)


@given(st.lists(TEMPLATES, min_size=1, max_size=12, unique=True), PATHS)
def test_the_tree_finds_what_ranks_first(templates: list[str], path: str) -> None:
    tree = RouteTree[str]()
    for template in templates:
        tree.add(template, template)
    asked = parse_route(f"GET /{path}")
    assert asked is not None
    ranks = {each: found for each in templates if (found := rank(asked, f"GET /{each}")) is not None}
    first = min(ranks.values(), default=())
    assert set(tree.best(path_segments(path), lambda _: True).answers) == {
        each for each, found in ranks.items() if found == first
    }


def test_looking_takes_no_longer_where_parameters_have_many_names() -> None:
    def seconds(count: int) -> float:
        tree = RouteTree[int]()
        for number in range(count):
            tree.add(f"{{name{number}}}/x/{{also{number}}}/y{number}", number)
        best = 60.0
        for _ in range(3):
            started = time.process_time()
            for number in range(count):
                assert tree.best(path_segments(f"a/x/b/y{number}?c={number}"), lambda _: True).answers == [number]
            best = min(best, time.process_time() - started)
        return best

    assert seconds(2000) < 12 * seconds(400)
