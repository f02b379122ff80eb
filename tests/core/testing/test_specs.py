"""The format of specifications: what a known-wrong block pins, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from codemap_core.hooks import hookimpl
from codemap_core.hooks.extractors import FactExtractor, ReferenceExtractor, Seen
from codemap_core.hooks.interests import Interests
from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.hooks.registry import Registry
from codemap_core.model import FactRow, ReferenceRow, RefKind, ResolutionState
from codemap_core.testing import load_plugin
from codemap_core.testing.specs import SpecError, check, read_specs, update

RIGHT = "1:23 | type | T:A"
SUITE = """# A

```csharp
class A {{ }} class B : A {{ }}
```

```references
{expected}
```
{known}"""
KNOWN = """
```known-wrong bases are not bound
{rows}
```
"""


@cache
def host() -> PluginHost:
    return load_plugins()


def differences(expected: str, rows: str | None = None) -> str:
    known = KNOWN.format(rows=rows) if rows is not None else ""
    (spec,) = read_specs(SUITE.format(expected=expected, known=known))
    return check(spec, host())


def test_rows_are_expected_exactly() -> None:
    assert differences(RIGHT) == ""
    assert "-1:23 | type | T:B" in differences("1:23 | type | T:B")


def test_what_is_known_to_be_wrong_is_pinned() -> None:
    assert differences("1:23 | type | T:B", f"- 1:23 | type | T:B\n+ {RIGHT}") == ""
    assert "in another way" in differences("1:23 | type | T:B", "- 1:23 | type | T:B")


def test_a_label_on_what_is_right_has_to_go() -> None:
    assert "no longer wrong (bases are not bound)" in differences(RIGHT, f"- {RIGHT}")


def test_updating_leaves_the_expectation_before_a_label_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(SUITE.format(expected="1:23 | type | T:B", known=KNOWN.format(rows="")), encoding="utf-8")
    update(page, host())
    rows = f"- 1:23 | type | T:B\n+ {RIGHT}"
    assert page.read_text(encoding="utf-8") == SUITE.format(expected="1:23 | type | T:B", known=KNOWN.format(rows=rows))


@pytest.mark.parametrize(
    "text",
    [
        "# A\n```csharp\nclass A { }\n```\n```known-wrong why\n```\n",
        "# A\n```csharp\nclass A { }\n```\n```references\n```\n```known-wrong\n```\n",
    ],
)
def test_a_label_needs_an_expectation_and_a_reason(text: str) -> None:
    with pytest.raises(SpecError):
        read_specs(text)


def test_a_section_may_hold_several_projects() -> None:
    text = """# A

`Library/Library.csproj`

```xml
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>
```

`Library/A.cs`

```csharp
public class A { }
```

`App/App.csproj`

```xml
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup><ProjectReference Include="../Library/Library.csproj" /></ItemGroup>
</Project>
```

`App/B.cs`

```csharp
class B : A { }
```

```references file
1:11 | type | T:A | App/B.cs
```
"""
    (spec,) = read_specs(text)
    assert check(spec, host()) == ""


class Creations:
    """A fact of two kinds for each created ``B``."""

    name = "creations"
    language = "csharp"
    interests = Interests(creations=("B",))
    kinds = ("made", "counted")

    def extract(self, seen: Seen) -> Iterator[FactRow]:
        for event in seen.events.values():
            for kind in self.kinds:
                yield FactRow(
                    kind=kind,
                    value=event.name,
                    detail={"by": event.enclosing},
                    file_path=seen.file_path,
                    line_start=event.line,
                    line_end=event.line,
                )


class CreationLinks:
    """A link to each created ``B``."""

    name = "creation_links"
    language = "csharp"
    interests = Interests(creations=("B",))
    roles = ("makes",)

    def extract(self, seen: Seen) -> Iterator[ReferenceRow]:
        for event in seen.events.values():
            yield ReferenceRow(
                kind=RefKind.LINK,
                role="makes",
                from_symbol=event.enclosing,
                to_symbol=event.target,
                to_name=event.name,
                file_path=seen.file_path,
                line=event.line,
                column=event.column,
                line_end=event.line,
                resolution_state=ResolutionState.RESOLVED,
            )


class CreationsPlugin:
    @hookimpl
    def codemap_register_fact_extractors(self, registry: Registry[FactExtractor]) -> None:
        registry.add(Creations())

    @hookimpl
    def codemap_register_reference_extractors(self, registry: Registry[ReferenceExtractor]) -> None:
        registry.add(CreationLinks())


def test_facts_of_one_kind_and_links_are_sorts_of_their_own() -> None:
    text = """# A

```csharp
class A { object F() => new B(); } class B { }
```

```facts.made by lines
B | M:A.F | 1-1
```

```links
1:25 | makes | T:B
```
"""
    (spec,) = read_specs(text)
    assert check(spec, load_plugin(CreationsPlugin())) == ""
