"""Why an index is not current, from what it was made with."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from codemap_core.storage.files.provenance import Provenance, why_stale

MADE = Provenance(release="1.2.0", rows=3, plugins={"csharp": "aa", "proto": "bb"}, libraries="cc")


@pytest.mark.parametrize(
    ("current", "said"),
    [
        (replace(MADE, release="1.3.0", rows=4), "it was made by CodeMap 1.2.0, and this is 1.3.0"),
        (replace(MADE, rows=4), "it was made by another build of this release"),
        (replace(MADE, plugins={"csharp": "xx", "proto": "bb"}), "plug-in csharp changed"),
        (replace(MADE, plugins={"csharp": "aa", "sql": "dd"}), "plug-in sql was added, plug-in proto is gone"),
        (replace(MADE, libraries="dd"), "the library assemblies to bind against changed"),
    ],
)
def test_the_part_that_differs_is_named(current: Provenance, said: str) -> None:
    assert why_stale(MADE.encode(), current.encode()) == said
    assert MADE.encode() != current.encode()


def test_a_fingerprint_of_another_form_is_of_another_release() -> None:
    assert why_stale("0123456789abcdef", MADE.encode()).startswith("it was made by another release")


def test_the_order_of_plugins_changes_nothing() -> None:
    turned = replace(MADE, plugins=dict(reversed([*MADE.plugins.items()])))
    assert turned.encode() == MADE.encode()
