"""What may be bound otherwise, from surfaces alone: each rule with the smallest surfaces that show it."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model import Project
from codemap_core.model.surface import Declared, Role, Surface
from codemap_core.pipeline.dependencies import Affected, affected
from codemap_core.pipeline.surface_difference import State


def _surface(mentions: str = "", *declared: Declared, **more: object) -> Surface:
    return msgspec.convert(
        {"mentions": "\n".join(sorted(mentions.split())), "declared": declared, **more}, _Fields
    ).surface()


class _Fields(msgspec.Struct):
    mentions: str
    declared: tuple[Declared, ...] = ()
    namespaces: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    parts: tuple[tuple[str, int, int], ...] = ()
    shapes: tuple[tuple[str, str], ...] = ()

    def surface(self) -> Surface:
        return Surface(self.mentions, self.declared, self.namespaces, self.scope, self.parts, self.shapes)


def _type(name: str, digest: int = 1, *uses: str) -> Declared:
    return Declared(Role.TYPE, name, "", digest, uses)


def _member(container: str, name: str, digest: int = 1, *uses: str, role: Role = Role.MEMBER) -> Declared:
    return Declared(role, name, container, digest, uses)


def _affected(before: Mapping[str, Surface], after: Mapping[str, Surface]) -> set[str]:
    def state(surfaces: Mapping[str, Surface]) -> State:
        encoded = {UnitKey("P", path): msgspec.msgpack.encode(each) for path, each in surfaces.items()}
        return State(encoded, {"P": Project(project_path="P", name="P", assembly_name="P")})

    changed = {UnitKey("P", path) for path in before.keys() | after.keys() if before.get(path) != after.get(path)}

    def first_declaring(paths: AbstractSet[str]) -> set[str]:
        names = {name for path in paths & before.keys() for name, _, _ in before[path].parts}
        firsts = (min(path for path, each in before.items() if _has_part(each, name)) for name in names)
        return set(firsts) - paths

    found = affected(state(before), state(after), changed)
    return {key.file_path for key in found.units} | first_declaring(found.continued)


def _has_part(surface: Surface, name: str) -> bool:
    return any(name == each for each, _, _ in surface.parts)


_USERS = {
    "calls": _surface("Shop Buy"),
    "comes to it": _surface(
        "Town shop Buy",
    ),
    "says the word": _surface("Buy"),
    "has the type": _surface("Shop"),
    "derives": _surface("Market Shop", _type("Market", 1, "Shop")),
    "by what derives": _surface("Market Buy"),
    "town": _surface("Town Shop", _type("Town"), _member("Town", "shop", 1, "Shop")),
}


_CASES = [
    pytest.param(
        (_type("Shop"), _member("Shop", "Buy")),
        (_type("Shop"), _member("Shop", "Buy", 2)),
        {"calls", "comes to it", "by what derives"},
        id="a member concerns who mentions it and comes to its type",
    ),
    pytest.param(
        (_type("Shop"),),
        (_type("Shop"), _member("Shop", "Buy")),
        {"calls", "comes to it", "by what derives"},
        id="a member that appears",
    ),
    pytest.param(
        (_type("Shop"),),
        (_type("Shop", 2),),
        {"calls", "comes to it", "has the type", "derives", "by what derives", "town"},
        id="the head of a type concerns who comes to it",
    ),
    pytest.param(
        (_type("Shop"), _member("Shop", "GetEnumerator", role=Role.IMPLICIT)),
        (_type("Shop"),),
        {"calls", "comes to it", "has the type", "derives", "by what derives", "town"},
        id="what is used without a name",
    ),
    pytest.param(
        (_type("Shop"),),
        (_type("Shop"), _member("More", "Buy", role=Role.EXTENSION)),
        {"calls", "comes to it", "says the word", "by what derives"},
        id="an extension concerns who mentions it",
    ),
    pytest.param((_type("Shop"),), (_type("Shop"), _member("Shop", "Sell")), set(), id="nobody mentions it"),
]
_OTHERS = {f"other{number}": _surface(f"Name{number}", _type(f"Type{number}")) for number in range(2_000)}


@pytest.mark.parametrize(("old", "new", "concerned"), _CASES)
def test_what_a_difference_concerns(old: tuple[Declared, ...], new: tuple[Declared, ...], concerned: set[str]) -> None:
    found = _affected({**_USERS, "shop": _surface("", *old)}, {**_USERS, "shop": _surface("", *new)})
    assert found == concerned


@pytest.mark.parametrize(("old", "new", "concerned"), _CASES)
def test_among_many_no_fewer_are_concerned(
    old: tuple[Declared, ...], new: tuple[Declared, ...], concerned: set[str]
) -> None:
    found = _affected(
        {**_OTHERS, **_USERS, "shop": _surface("", *old)}, {**_OTHERS, **_USERS, "shop": _surface("", *new)}
    )
    assert found >= concerned
    assert found.isdisjoint(_OTHERS)


def test_few_that_mention_a_member_are_concerned_without_a_look_at_all_others() -> None:
    before = {**_USERS, **_OTHERS, "shop": _surface("", _type("Shop"), _member("Shop", "Buy"))}
    after = {**before, "shop": _surface("", _type("Shop"), _member("Shop", "Buy", 2))}
    assert _affected(before, after) == {"calls", "comes to it", "by what derives", "says the word"}
    head = {**before, "shop": _surface("", _type("Shop", 2), _member("Shop", "Buy", 2))}
    assert "has the type" in _affected(before, head)


def test_what_only_its_type_sees_is_followed_within_the_type() -> None:
    inside = Declared(Role.MEMBER, "_name", "Shop:inside", 1)
    shop = (_type("Shop"), Declared(Role.MEMBER, "Title", "Shop", 1, (), ("_name",)))
    users = {
        "reader": _surface("Shop Title"),
        "other": _surface(
            "Other:inside Other", _type("Other"), Declared(Role.MEMBER, "Same", "Other", 1, (), ("_name",))
        ),
        "of other": _surface("Other Same"),
        "part": _surface("Shop:inside Shop _name", *shop[1:]),
    }
    before = {**users, "shop": _surface("Shop:inside Shop", shop[0], inside)}
    after = {**users, "shop": _surface("Shop:inside Shop", shop[0], msgspec.structs.replace(inside, digest=2))}
    assert _affected(before, after) == {"reader", "part"}


def test_a_value_is_followed_to_what_it_is_made_of() -> None:
    reader = _surface("Routes All")
    routes = _surface(
        "Routes All Base Root", _type("Routes"), Declared(Role.MEMBER, "All", "Routes", 1, (), ("Base", "Root"))
    )
    before = {"root": _surface("", _type("Base"), _member("Base", "Root")), "routes": routes, "reader": reader}
    after = {**before, "root": _surface("", _type("Base"), _member("Base", "Root", 2))}
    assert _affected(before, after) == {"routes", "reader"}


def test_a_value_is_not_followed_by_who_cannot_come_to_it() -> None:
    users = {
        "other": _surface("Other Copy Name", _type("Other"), Declared(Role.MEMBER, "Copy", "Other", 1, (), ("Name",))),
        "reader of other": _surface("Other Copy"),
        "derived": _surface(
            "Derived Shop Copy Name",
            Declared(Role.MEMBER, "Copy", "Derived", 1, (), ("Name",)),
            _type("Derived", 1, "Shop"),
        ),
        "reader of derived": _surface("Derived Copy"),
    }
    before = {**users, "shop": _surface("Shop", _type("Shop"), _member("Shop", "Name"))}
    after = {**users, "shop": _surface("Shop", _type("Shop"), _member("Shop", "Name", 2))}
    assert _affected(before, after) == {"derived", "reader of derived"}


def test_parts_shapes_and_scope() -> None:
    other = _surface("", parts=(("N.Shop", 7, 7),), shapes=(("N class 0", "Shop"),))
    rest = _surface("")
    for old, new, concerned in (
        (_surface("", parts=(("N.Shop", 1, 1),)), _surface("", parts=(("N.Shop", 2, 1),)), {"other"}),
        (_surface("", parts=(("N.Else", 1, 1),)), _surface("", parts=(("N.Else", 2, 1),)), set()),
        (_surface(""), _surface("", shapes=(("N class 0", "Second"),)), {"other"}),
        (_surface(""), _surface("", scope=("using System",)), {"other", "rest"}),
    ):
        assert (
            _affected({"a": old, "other": other, "rest": rest}, {"a": new, "other": other, "rest": rest}) == concerned
        )


def test_lines_of_a_part_concern_the_first_part_alone() -> None:
    part = _surface("", parts=(("N.Shop", 7, 7),))
    parts = dict.fromkeys("abcd", part)
    moved = _surface("", parts=(("N.Shop", 7, 8),))
    assert _affected(parts, {**parts, "c": moved}) == {"a"}
    assert _affected(parts, {**parts, "a": moved}) == set()


def test_a_type_that_nobody_mentions_is_decided_without_the_surfaces_of_others() -> None:
    unreadable = {UnitKey("P", f"other{number}"): b"\xc1" for number in range(1_000)}
    before = {**unreadable, UnitKey("P", "a"): msgspec.msgpack.encode(_surface("A", _type("A")))}
    after = {**before, UnitKey("P", "a"): msgspec.msgpack.encode(_surface("A B", _type("A"), _type("B")))}
    projects = {"P": Project(project_path="P", name="P", assembly_name="P")}
    changed = {UnitKey("P", "a")}
    assert affected(State(before, projects), State(after, projects), changed) == Affected(frozenset())
    seen = {"P": msgspec.structs.replace(projects["P"], usings=("static N.B",))}
    assert affected(State(before, seen), State(after, seen), changed).units == unreadable.keys()


@pytest.mark.parametrize(
    ("namespace", "concerned"),
    [
        pytest.param("Sales", set(), id="one that others declare"),
        pytest.param("Sales.Old", {"says old"}, id="one that is new"),
    ],
)
def test_a_file_that_comes_or_goes_is_decided_without_the_declarations_of_others(
    namespace: str, concerned: set[str]
) -> None:
    declarations = "which cannot be read"
    unreadable = {UnitKey("P", f"other{number}"): msgspec.msgpack.encode(("", declarations)) for number in range(1_000)}
    there = {
        UnitKey("P", "a"): msgspec.msgpack.encode(_surface("A", _type("A"), namespaces=("Sales",))),
        UnitKey("P", "says old"): msgspec.msgpack.encode(_surface("Old")),
    }
    file = {UnitKey("P", "b"): msgspec.msgpack.encode(_surface("B", _type("B"), namespaces=(namespace,)))}
    projects = {"P": Project(project_path="P", name="P", assembly_name="P")}
    without, with_file = State({**unreadable, **there}, projects), State({**unreadable, **there, **file}, projects)
    for before, after in ((without, with_file), (with_file, without)):
        found = affected(before, after, set(file)).units
        assert {key.file_path for key in found} == concerned


def test_a_shape_that_two_names_share_is_told_apart_in_its_project_alone() -> None:
    shape = "N  0 0"
    other = _surface("Shop", shapes=((shape, "Shop"),))
    before = {**_OTHERS, "other": other, "a": _surface("A")}
    after = {**before, "a": _surface("A", shapes=((shape, "A"),))}
    assert _affected(before, after) == {"other"}
    third = {"third": _surface("Third", shapes=((shape, "Third"),))}
    assert _affected({**before, **third}, {**after, **third}) == set()


_NAMES = st.sampled_from("ABCDE")
_SETS = st.frozensets(_NAMES, max_size=2)
_DECLARED = st.one_of(
    st.builds(
        Declared,
        st.sampled_from((Role.MEMBER, Role.MEMBER, Role.EXTENSION, Role.IMPLICIT)),
        st.sampled_from("mno"),
        _NAMES,
        st.integers(0, 1),
        _SETS.map(tuple),
        st.frozensets(st.sampled_from("ABmno"), max_size=1).map(tuple),
    ),
    st.builds(Declared, st.just(Role.TYPE), _NAMES, st.just(""), st.integers(0, 1), _SETS.map(tuple)),
)


@st.composite
def _files(draw: st.DrawFn) -> Surface:
    declared = draw(st.lists(_DECLARED, max_size=3))
    own = {name for each in declared for name in (*each.uses, *each.values)}
    own |= {each.name for each in declared if each.role is Role.TYPE}
    return _surface(" ".join(own | draw(st.frozensets(st.sampled_from("ABCDEmno"), max_size=2))), *declared)


@given(st.lists(_files(), min_size=3, max_size=6), _files())
@settings(max_examples=300, deadline=None)
def test_what_is_found_by_names_is_never_less_than_what_is_found_by_all_surfaces(
    files: list[Surface], changed: Surface
) -> None:
    before = {str(number): each for number, each in enumerate(files)}
    after = {**before, "0": changed}
    exact = _affected(before, after)
    assert _affected({**before, **_OTHERS}, {**after, **_OTHERS}) >= exact


def test_what_shows_nothing_concerns_everything() -> None:
    surfaces = {UnitKey("", "a"): b"", UnitKey("", "b"): msgspec.msgpack.encode(_surface("X"))}
    assert affected(State(surfaces, {}), State(surfaces, {}), {UnitKey("", "a")}).units == {UnitKey("", "b")}
