"""Laws of the two names of a symbol (docs/symbol-ids.md), over generated types and over every specification."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.model import SymbolRow
from codemap_core.testing.source_index import index_sources
from codemap_core.testing.specs import Spec, read_specs

SPECS = Path(__file__).parents[3] / "testdata" / "mdtest" / "csharp" / "symbols"


@cache
def host() -> PluginHost:
    """Loaded, and used once: what the first file changes for good (the recursion limit) is changed before a property is tested."""
    loaded = load_plugins()
    index_sources({"a.cs": "class A { }"}, loaded)
    return loaded


@pytest.fixture(autouse=True)
def _prepared() -> None:
    host()


class Member(NamedTuple):
    """A method, property or field of a generated class."""

    kind: str
    name: str
    types: tuple[str, ...]
    static: bool = False

    @property
    def text(self) -> str:
        static = "static " if self.static else ""
        if self.kind == "method":
            parameters = ", ".join(f"{type_} p{i}" for i, type_ in enumerate(self.types))
            return f"{static}void {self.name}({parameters}) {{ }}"
        first = self.types[0] if self.types else "int"
        return f"{static}{first} {self.name}" + (" { get; set; }" if self.kind == "property" else ";")

    @property
    def shape(self) -> tuple[object, ...]:
        """All but the name, as far as its stable id knows it."""
        return (self.kind, self.static, self.types if self.kind == "method" else (self.types or ("int",))[0])


NAMES = st.sampled_from([f"M{i}" for i in range(12)])
TYPES = st.sampled_from(["int", "string", "long", "int[]", "C", "System.Guid", "int?"])
MEMBERS = st.builds(
    Member,
    st.sampled_from(["method", "property", "field"]),
    NAMES,
    st.lists(TYPES, max_size=3).map(tuple),
    st.booleans(),
)


def legal(members: Sequence[Member]) -> bool:
    """No name is declared twice, but methods with other parameters."""
    kinds: dict[str, set[str]] = {}
    signatures: Counter[tuple[object, ...]] = Counter()
    for member in members:
        kinds.setdefault(member.name, set()).add(member.kind)
        signatures[member.name, member.types if member.kind == "method" else ()] += 1
    return all(len(found) == 1 for found in kinds.values()) and max(signatures.values(), default=0) <= 1


CLASSES = st.lists(MEMBERS, min_size=1, max_size=8).filter(legal)


def source(members: Sequence[Member]) -> str:
    return "class C {\n" + "\n".join(member.text for member in members) + "\n}"


def rows(members: Sequence[Member], path: str = "C.cs") -> dict[Member, SymbolRow]:
    """Member → its row."""
    found = [row for row in index_sources({path: source(members)}, host()).symbols if row.symbol_id != "T:C"]
    assert len(found) == len(members)
    return dict(zip(members, found, strict=True))


@settings(max_examples=60, deadline=None)
@given(CLASSES)
def test_no_two_symbols_share_an_id(members: list[Member]) -> None:
    found = rows(members).values()
    assert len({row.symbol_id for row in found}) == len(members)
    assert len({row.stable_id for row in found}) == len(members)


@settings(max_examples=60, deadline=None)
@given(CLASSES, st.data())
def test_a_renamed_member_keeps_its_stable_id_when_nothing_else_has_its_shape(
    members: list[Member], data: st.DataObject
) -> None:
    chosen = data.draw(st.sampled_from(members))
    assume(sum(member.shape == chosen.shape for member in members) == 1)
    renamed = chosen._replace(name="Renamed")
    before, after = rows(members), rows([renamed if member is chosen else member for member in members])
    assert after[renamed].stable_id == before[chosen].stable_id
    assert after[renamed].symbol_id != before[chosen].symbol_id
    assert {m: r.stable_id for m, r in after.items() if m != renamed} == {
        m: r.stable_id for m, r in before.items() if m != chosen
    }


@settings(max_examples=60, deadline=None)
@given(CLASSES, MEMBERS)
def test_an_added_member_changes_no_id_of_another_shape(members: list[Member], added: Member) -> None:
    assume(legal([*members, added]))
    before, after = rows(members), rows([*members, added])
    for member in members:
        assert after[member].symbol_id == before[member].symbol_id
        if member.shape != added.shape:
            assert after[member].stable_id == before[member].stable_id


@settings(max_examples=40, deadline=None)
@given(CLASSES, st.randoms(use_true_random=False))
def test_order_and_place_are_no_part_of_an_id(members: list[Member], random: Random) -> None:
    shuffled = sorted(members, key=lambda _: random.random())
    before, after = rows(members), rows(shuffled, "elsewhere/Moved.cs")
    for member in members:
        assert (after[member].symbol_id, after[member].stable_id) == (
            before[member].symbol_id,
            before[member].stable_id,
        )


@settings(max_examples=30, deadline=None)
@given(CLASSES, st.integers(0, 7))
def test_splitting_a_type_changes_no_id(members: list[Member], at: int) -> None:
    split = {
        "A.cs": "partial " + source(members[:at]),
        "B.cs": "partial " + source(members[at:]),
    }
    together = {row.symbol_id: row.stable_id for row in index_sources({"C.cs": source(members)}, host()).symbols}
    assert {row.symbol_id: row.stable_id for row in index_sources(split, host()).symbols} == together


def test_a_renamed_type_keeps_the_ids_of_its_members() -> None:
    text = "namespace N;\nclass {0} {{ void A() {{ }} int B; class Inner {{ int C; }} }}\nstruct Other {{ }}"
    before, after = (
        [row.stable_id for row in index_sources({"a.cs": text.format(name)}, host()).symbols] for name in ("Old", "New")
    )
    assert before == after


def test_bodies_comments_and_parameter_names_are_no_part_of_an_id() -> None:
    before = index_sources({"a.cs": "class C { void M(int a) { } int P => 1; }"}, host()).symbols
    after = index_sources(
        {"a.cs": "/// <summary>x</summary>\nclass C { /* y */ public void M(int b) { b++; } int P { get; set; } }"},
        host(),
    ).symbols
    assert [(row.symbol_id, row.stable_id) for row in before] == [(row.symbol_id, row.stable_id) for row in after]


def specs() -> list[Spec]:
    return [spec for suite in sorted(SPECS.glob("*.md")) for spec in read_specs(suite.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("spec", specs(), ids=lambda spec: spec.name)
def test_no_collision_in_any_specification(spec: Spec) -> None:
    owners: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for row in index_sources(spec.files, host()).symbols:
        # A file-local type has the id of its namesake, and another stable id.
        owners.setdefault((row.project, row.stable_id), set()).add((row.symbol_id, row.file_path))
    assert {key: found for key, found in owners.items() if len(found) > 1} == {}


def test_name_and_condition_of_a_type_that_is_not_compiled_are_part_of_its_id() -> None:
    def stable_id(name: str, condition: str) -> str:
        declaration = f"class {name} {{ }}"
        text = f"#if {condition}\n{declaration}\n#endif" if condition else declaration
        (row,) = index_sources({"C.cs": text}, host()).symbols
        return row.stable_id

    places = [("C", ""), ("C", "A"), ("C", "B"), ("D", "A")]
    ids = [stable_id(name, condition) for name, condition in places]
    assert len(set(ids)) == len(places)
    assert stable_id("D", "") == ids[0]
    assert all(re.fullmatch("sym_[0-9a-f]{16}", each) for each in ids)
