"""What the pages about binding show and count, held against the program: the example of docs/binding.md from its lowered form to its rows,
the tables of docs/language-versions.md, and the figures of docs/library-metadata.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from codemap_core.hooks.interests import ANY, Interests
from codemap_core.hooks.manager import load_plugins
from codemap_core.model import RefKind
from codemap_core.model.bound import NOWHERE
from codemap_core.testing.bound_text import type_text, value_text
from codemap_core.testing.source_index import index_sources
from codemap_core.testing.specs import read_specs
from codemap_plugins.csharp.bodies import LiteralKind, Lowered, Op
from codemap_plugins.csharp.grammar import FIELD_BODY, METHOD_DECLARATION
from codemap_plugins.csharp.language_version import NEWEST, Language, LanguageVersion, language_version
from codemap_plugins.csharp.lowering import lower_body
from codemap_plugins.csharp.metadata.reference_folders import library_types, shipped_catalog
from codemap_plugins.csharp.metadata.surface import TypeFlags, TypeSurface
from codemap_plugins.csharp.parsing import parse_source
from codemap_plugins.dotnet.frameworks import default_language_version, parse_framework
from tests.plugins.csharp.test_bound_document import bind
from tests.plugins.csharp.test_lowering import walk

ROOT: Final = Path(__file__).resolve().parents[2]
OPCODES: Final = {op.value: op for op in Op}
FRAMEWORKS: Final = {
    "net10.0 and later": ("net10.0", "net12.0"),
    "netcoreapp3.x, netstandard2.1": ("netcoreapp3.0", "netcoreapp3.1", "netstandard2.1"),
    "other .NET Core and .NET Standard, .NET Framework": (
        "netcoreapp2.1",
        "netstandard2.0",
        "net48",
        "net472",
        "net35",
    ),
}
"""Rows of the page's table that name several."""


def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def table(text: str, heading: str) -> list[list[str]]:
    """The cells of each row below ``heading``, which is the table's first line."""
    _, _, rest = text.partition(f"{heading}\n")
    rows = rest.partition("\n\n")[0].splitlines()[1:]
    assert rows
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def example() -> str:
    found = re.search(r"^```csharp\n(.*?)^```", page("binding"), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def displayed(node: Lowered) -> str:
    """A lowered node as the page writes it: opcodes and literal kinds by name, and ``offset`` for each offset."""

    def operands(values: Lowered, layout: str) -> Iterator[str]:
        for value, letter in zip(values, layout, strict=True):
            if letter in "iobe":
                yield "offset"
            elif letter == "x":
                yield displayed(value)
            elif letter == "X":
                yield f"[{', '.join(displayed(each) for each in value)}]"
            elif letter == "k" and op is Op.LITERAL:
                yield LiteralKind(value).name
            else:
                yield "null" if value is None else f'"{value}"' if isinstance(value, str) else str(value)

    op = OPCODES[node[0]]
    return f"[{', '.join((op.name, *operands(node[1:], op.layout)))}]"


def test_the_example_is_lowered_as_the_page_shows() -> None:
    parsed = parse_source(example().encode())
    *_, price = (node for node in walk(parsed.tree.root_node) if node.kind_id == METHOD_DECLARATION)
    body = price.child_by_field_id(FIELD_BODY)
    assert body is not None
    assert f"`{displayed(lower_body(body, parsed.source))}`" in page("binding")


def test_the_example_gives_the_row_that_the_page_shows() -> None:
    rows = index_sources({"Shop.cs": example()}, load_plugins()).references
    (call,) = (row for row in rows if row.kind is RefKind.CALL)
    line = example().splitlines()[call.line - 1]
    assert line[call.column - 1 :].startswith("Apply(")
    assert f"a `call` at the offset of `Apply`, from `{call.from_symbol}`, to" in page("binding")
    assert f"`{call.to_symbol}`, which is the static form" in page("binding")
    assert call.confidence.value == "high"
    assert "confidence `high`" in page("binding")


def test_the_example_has_the_event_that_the_page_describes() -> None:
    (event,) = (each for each in bind(Interests(invocations=ANY), example()).events if each.name == "Apply")
    assert event.receiver is not None
    assert event.receiver.parameter == 0
    assert [(each.parameter, value_text(each.value)) for each in event.arguments] == [("rate", '"0.1"')]
    assert type_text(event.type) == "Decimal"
    assert event.region == NOWHERE


def test_frameworks_have_the_default_that_the_page_lists() -> None:
    for monikers, version in table(page("language-versions"), "| target framework | default |"):
        for moniker in FRAMEWORKS.get(monikers, (monikers,)):
            default = default_language_version(parse_framework(moniker))
            assert language_version(default) is language_version(version), moniker


def rules() -> dict[str, LanguageVersion]:
    heading = "| since | rule | what holds before | specification | `Language` |"
    return {row[-1].strip("`"): language_version(row[0]) for row in table(page("language-versions"), heading)}


def test_every_rule_of_a_version_is_listed_with_the_first_that_has_it() -> None:
    held = {
        version: {name for name, has in vars(Language(version)).items() if has is True} for version in LanguageVersion
    }
    assert {name: min(each for each in held if name in held[each]) for name in held[NEWEST]} == rules()


@pytest.mark.parametrize("rule", sorted(rules()))
def test_every_rule_decides_a_specification(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it some section of the specifications has other references, so the page that lists it has specified it."""
    text = (ROOT / "testdata/mdtest/csharp/references/language_versions.md").read_text(encoding="utf-8")
    sections = [spec for spec in read_specs(text) if spec.name.endswith(f"-c_{rules()[rule] // 100}")]
    host = load_plugins()
    with_it = [index_sources(spec.files, host).references for spec in sections]
    original = Language.__init__

    def without(self: Language, version: LanguageVersion) -> None:
        original(self, version)
        setattr(self, rule, False)

    monkeypatch.setattr(Language, "__init__", without)
    assert [index_sources(spec.files, host).references for spec in sections] != with_it


def members_of(surface: TypeSurface) -> list[object]:
    return [*surface.methods, *surface.properties, *surface.fields, *surface.events]


def test_the_catalog_has_what_the_page_counts() -> None:
    libraries = library_types()
    catalog = shipped_catalog()
    types = [each for namespace in catalog.namespaces for each in catalog.types_of(namespace)]
    members = sum(len(members_of(catalog.surface(each))) for each in types)
    size = (ROOT / "codemap_plugins/csharp/metadata/baked/libraries.catalog").stat().st_size
    assert (
        f"| shipped catalog | {size / 1e6:.1f} MB: {len(libraries.assemblies)} assemblies, {len(types):,} types, {members:,} members |"
        in page("library-metadata")
    )


def test_every_assembly_of_the_catalog_has_its_notice() -> None:
    notice = (ROOT / "codemap_plugins/csharp/metadata/baked/NOTICE").read_text(encoding="utf-8")
    listed = {line.split(" | ")[0].rpartition(" ")[0] for line in notice.splitlines() if line.count(" | ") == 2}
    assert {each.name for each in shipped_catalog().assemblies} == listed


def test_what_the_catalog_leaves_out() -> None:
    catalog = shipped_catalog()
    types = {each.entry.path: catalog.surface(each) for each in catalog.types_of("System.Runtime.Intrinsics.X86")}
    assert types
    assert all(each.flags & TypeFlags.MEMBERS_OMITTED and not members_of(each) for each in types.values())
    desktop = {"System.Windows": "Window", "System.Windows.Forms": "Form", "System.Web.UI": "Page"}
    assert not [each for each in desktop if desktop[each] in {found.entry.path for found in catalog.types_of(each)}]
    assert not [namespace for namespace in catalog.namespaces if "DevTools.V" in namespace]


def test_every_module_of_the_binder_stands_in_the_table() -> None:
    """What has no row of its own is part of the way that the page follows, named by its file."""
    text = page("binding")
    modules = {each.stem for each in (ROOT / "codemap_plugins/csharp/binding").glob("[!_]*.py")}
    assert {each for each in modules if f"`{each}`" not in text and f"{each}.py`" not in text} == set()
