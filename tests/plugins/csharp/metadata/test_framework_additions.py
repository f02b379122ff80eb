"""What a project's framework lacks: the table names what there is, and each framework lacks what came after it."""

from __future__ import annotations

import pytest

from codemap_plugins.csharp.metadata.framework_additions import absent_from, is_absent
from codemap_plugins.csharp.metadata.reference_folders import library_types
from tests.plugins.csharp.metadata.member_ids import member_ids


def test_every_entry_is_of_the_shipped_catalog() -> None:
    libraries = library_types().view([])
    for entry in absent_from("net20"):
        owner, _, _ = entry.partition("(")[0].rpartition(".")
        type_name = entry[2:] if entry.startswith("T:") else owner[2:]
        found = libraries.resolve(type_name)
        assert found is not None, entry
        if not entry.startswith("T:"):
            ids = set(member_ids(libraries.members(found)))
            assert entry in ids or any(each.startswith(f"{entry}(") for each in ids), entry


@pytest.mark.parametrize(
    ("framework", "lacks", "has"),
    [
        (
            "net48",
            "M:System.IO.Path.Join(System.String,System.String)",
            "M:System.IO.Path.Combine(System.String,System.String)",
        ),
        ("net48", "M:System.Threading.Lock.Enter", "M:System.Threading.Monitor.Enter(System.Object)"),
        (
            "netstandard2.0",
            "M:System.String.Split(System.Char,System.StringSplitOptions)",
            "M:System.String.Split(System.Char[])",
        ),
        ("netstandard2.1", "T:System.DateOnly", "M:System.IO.Path.Join(System.String,System.String)"),
        (
            "netcoreapp3.1",
            "M:System.Convert.ToHexString(System.Byte[])",
            "M:System.Diagnostics.Process.Kill(System.Boolean)",
        ),
        ("net8.0-windows", "T:System.Threading.Lock", "M:System.Random.Shuffle``1(``0[])"),
        (
            "net9.0",
            "M:System.Linq.Enumerable.Shuffle``1(System.Collections.Generic.IEnumerable{``0})",
            "T:System.Threading.Lock",
        ),
        (
            "net8.0",
            "M:System.Linq.Enumerable.Reverse``1(``0[])",
            "M:System.Linq.Enumerable.Reverse``1(System.Collections.Generic.IEnumerable{``0})",
        ),
    ],
)
def test_a_framework_lacks_what_came_after_it(framework: str, lacks: str, has: str) -> None:
    absent = absent_from(framework)
    assert is_absent(lacks, absent)
    assert not is_absent(has, absent)


@pytest.mark.parametrize("framework", ["net10.0", "net11.0", "", "something"])
def test_the_newest_and_what_is_not_known_lack_nothing(framework: str) -> None:
    assert absent_from(framework) == frozenset()
