"""Links whose targets are declared, known from a library, or neither: what an index says of them depends on all of its documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from codemap_core.hooks import hookimpl
from codemap_core.hooks.extractors import Seen
from codemap_core.hooks.interests import Interests
from codemap_core.hooks.manager import load_plugins
from codemap_core.hooks.registry import Registry
from codemap_core.model import Confidence, FactRow, ReferenceRow, RefKind, ResolutionState, UnresolvedReason
from codemap_core.pipeline import BaselineResult
from codemap_core.testing import index_sources
from tests.clone import Clone
from tests.core.pipeline.conftest import dump

FILES = {
    "wiring.links": "T:Here\nT:System.Text.StringBuilder\nT:Gone\nT:Shop.Gone.From.Everywhere\n",
    "a.cs": "class Here { }\n",
    **{f"other{number}.cs": f"class Other{number} {{ }}\n" for number in range(9)},
}
NOWHERE = {
    "to_symbol": None,
    "resolution_state": ResolutionState.UNRESOLVED,
    "external": False,
    "confidence": Confidence.LOW,
    "reason": UnresolvedReason.NOT_DECLARED,
}


class Wiring:
    """A line of a file is a link to the symbol of that id."""

    name = "wiring"
    language = ""
    interests = Interests(files=("*.links",))
    roles = ("wires",)

    def extract(self, seen: Seen) -> Iterable[ReferenceRow]:
        for number, line in enumerate((seen.text or "").splitlines(), 1):
            yield ReferenceRow(
                kind=RefKind.LINK,
                role="wires",
                from_symbol=None,
                to_symbol=line,
                to_name=line.rpartition(".")[2],
                file_path=seen.file_path,
                line=number,
                line_end=number,
                column=1,
                resolution_state=ResolutionState.RESOLVED,
            )


class Plugin:
    @hookimpl
    def codemap_register_reference_extractors(self, registry: Registry[Any]) -> None:
        registry.add(Wiring())


def links(result: BaselineResult) -> list[dict[str, Any]]:
    rows = [msgspec.json.decode(row) for row in dump(result)["refs"]]
    return [{name: row[name] for name in NOWHERE} for row in rows if row["kind"] == "wires"]


def resolved(symbol_id: str, *, external: bool = False) -> dict[str, Any]:
    return {
        "to_symbol": symbol_id,
        "resolution_state": ResolutionState.RESOLVED,
        "external": external,
        "confidence": Confidence.HIGH,
        "reason": None,
    }


def test_links_are_resolved_by_what_the_index_knows(clone: Clone, index: Callable[..., BaselineResult]) -> None:
    plugins = load_plugins(extra={"wiring": Plugin()})
    library = resolved("T:System.Text.StringBuilder", external=True)
    clone.commit(FILES)
    assert links(index(clone.root, plugins=plugins)) == [resolved("T:Here"), library, NOWHERE, NOWHERE]
    in_memory = index_sources(FILES, plugins).references
    assert [(row.to_symbol, row.external, row.reason) for row in in_memory] == [
        ("T:Here", False, None),
        ("T:System.Text.StringBuilder", True, None),
        *[(None, False, UnresolvedReason.NOT_DECLARED)] * 2,
    ]
    clone.commit({"a.cs": "class There { }\n", "b.cs": "class Gone { }\n"})  # the file with the links stays as it is
    later = index(clone.root, plugins=plugins)
    assert later.bound_files is not None, "rows were taken over"
    assert links(later) == [NOWHERE, library, resolved("T:Gone"), NOWHERE]
    assert dump(later) == dump(index(clone.root, plugins=plugins, home="cold"))


class Sockets:
    """Facts, and the links that they are about."""

    name = "sockets"
    language = ""
    interests = Wiring.interests
    kinds = ("socket",)
    roles = Wiring.roles

    def extract(self, seen: Seen) -> Iterable[FactRow | ReferenceRow]:
        for link in Wiring().extract(seen):
            yield link
            yield FactRow(
                kind="socket",
                value=link.to_symbol or "",
                detail={"at": link.line},
                symbol_id=None,
                file_path=seen.file_path,
                line_start=link.line,
                line_end=link.line,
                confidence=Confidence.HIGH,
            )


class Electric:
    @hookimpl
    def codemap_register_fact_extractors(self, registry: Registry[Any]) -> None:
        registry.add(Sockets())


def test_what_finds_facts_may_give_links_too(clone: Clone, index: Callable[..., BaselineResult]) -> None:
    clone.commit(FILES)
    result = index(clone.root, plugins=load_plugins(extra={"electric": Electric()}))
    assert [row["to_symbol"] for row in links(result)] == ["T:Here", "T:System.Text.StringBuilder", None, None]
    facts = [msgspec.json.decode(row) for row in dump(result)["facts"]]
    sockets = {row["detail"]["at"]: row["value"] for row in facts if row["kind"] == "socket"}
    assert sockets == dict(enumerate(FILES["wiring.links"].split(), 1))
