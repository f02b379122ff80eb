"""What separates an index from another state of its repository."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from codemap_core.config import Settings
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import DocumentStatus
from codemap_core.pipeline import BaselineResult
from codemap_core.pipeline.comparison import find_changes
from codemap_core.repository import MAX_SOURCE_SIZE, Repository
from codemap_core.storage.reading.reader import IndexReader
from tests.clone import Clone
from tests.core.pipeline.conftest import dump
from tests.core.pipeline.differences import differences_between
from tests.core.repository.on_disk import on_disk

Index = Callable[..., BaselineResult]
_PROJECT = "<Project Sdk='Microsoft.NET.Sdk'><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>"


def test_edits_of_the_working_tree(clone: Clone, index: Index, host: PluginHost, tmp_path: Path) -> None:
    clone.commit(
        {
            "P.csproj": _PROJECT,
            "A.cs": "class A { public int M() => 1; }",
            "B.cs": "class B { int N(A a) => a.M(); }",
            "Gone.cs": "class Gone { }",
        }
    )
    built = index(clone.root)
    clone.remove("Gone.cs")
    clone.write({"A.cs": "class A { public int M(int x = 0) => x; }", "New.cs": "class New : A { }"})
    clone.write({"Huge.cs": "class Huge { }".ljust(MAX_SOURCE_SIZE + 1)})
    repository = Repository.open(clone.root)
    with IndexReader.open(built.path) as reader, on_disk(repository) as tree:
        found = find_changes(reader, tree, host, Settings(data_directory=tmp_path / "home"), jobs=1)
    assert found.deleted == ("Gone.cs",)
    replaced = {each.document.file_path: each for each in found.documents}
    assert {"A.cs", "B.cs", "New.cs"} <= set(replaced)
    assert [row.to_symbol for rows in replaced["B.cs"].references for row in rows if row.to_name == "M"] == [
        "M:A.M(System.Int32)"
    ]
    assert [row.to_symbol for row in replaced["New.cs"].relations] == ["T:A"]
    assert found.graph.projects[0].files == ("A.cs", "B.cs", "Huge.cs", "New.cs")
    assert (replaced["Huge.cs"].document.status, replaced["Huge.cs"].symbols) == (DocumentStatus.SKIPPED, ())


def _versions(clone: Clone, version: str, further: str = "") -> None:
    """Commits two projects with a package of this version."""
    reference = '<ItemGroup><PackageReference Include="Some.Package" /></ItemGroup></Project>'
    central = "<PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup>"
    item = f'<PackageVersion Include="Some.Package" Version="{version}" />'
    clone.commit(
        {
            "Directory.Packages.props": f"<Project>{central}<ItemGroup>{item}</ItemGroup></Project>",
            "A/A.csproj": _PROJECT.replace("</Project>", reference),
            "A/A.cs": "public class A { public int M() => 1; }",
            "B/B.csproj": _PROJECT.replace("</Project>", f"{further}{reference}"),
            "B/B.cs": "class B { int N(string s) => s.Length; }",
        }
    )


def test_the_version_of_a_package_alone_binds_nothing_again(clone: Clone, index: Index) -> None:
    _versions(clone, "1.0.0")
    index(clone.root)
    _versions(clone, "2.0.0")
    found = index(clone.root)
    assert found.bound_files == 0
    rows = dump(found)
    assert b"Some.Package/2.0.0" in b"".join(rows["projects"])
    assert rows == dump(index(clone.root, home="cold"))


def test_a_version_binds_again_where_it_is_found_on_this_machine(
    clone: Clone, index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = tmp_path / "packages"
    for version in ("1.0.0", "2.0.0"):
        folder = packages / "some.package" / version / "lib" / "net8.0"
        folder.mkdir(parents=True)
        (folder / "Some.Package.dll").touch()
    monkeypatch.setenv("NUGET_PACKAGES", str(packages))
    _versions(clone, "1.0.0")
    index(clone.root)
    _versions(clone, "2.0.0")
    found = index(clone.root)
    assert found.bound_files is None
    assert dump(found) == dump(index(clone.root, home="cold"))


def test_another_package_binds_its_project_again(clone: Clone, index: Index) -> None:
    _versions(clone, "1.0.0")
    index(clone.root)
    _versions(clone, "2.0.0", '<ItemGroup><PackageReference Include="Other" Version="1.0.0" /></ItemGroup>')
    found = index(clone.root)
    assert found.bound_files == 1
    assert dump(found) == dump(index(clone.root, home="cold"))


XUNIT_2: Final = "<PackageReference Include='xunit' Version='2.9.3' />"
XUNIT_3: Final = "<PackageReference Include='xunit.v3' Version='3.0.0' />"


def xunit_projects(package: str) -> dict[str, str]:
    """Two projects of tests of which the first, in path order, names a package of xunit."""
    tests = "using Xunit; class Tests { [Fact] void Works() => Assert.True(true); }"
    return {
        "A/A.csproj": _PROJECT.replace("</Project>", f"<ItemGroup>{package}</ItemGroup></Project>"),
        "A/Tests.cs": tests,
        "B/B.csproj": _PROJECT.replace("</Project>", f"<ItemGroup>{XUNIT_2}</ItemGroup></Project>"),
        "B/Tests.cs": tests,
        "B/Other.cs": "class Other { }",
    }


@pytest.mark.parametrize("packages", [(XUNIT_2, XUNIT_3), (XUNIT_3, XUNIT_2), (XUNIT_3, ""), ("", XUNIT_3)])
def test_libraries_are_described_as_projects_see_them_now(
    clone: Clone, index: Index, packages: tuple[str, str]
) -> None:
    """Symbols that a document refers to which is taken over are among them: the first project that sees one says what it is."""
    before, after = packages
    clone.commit(xunit_projects(before))
    index(clone.root)
    clone.commit(xunit_projects(after))
    found = index(clone.root)
    assert found.bound_files == 1
    with IndexReader.open(found.path) as continued, IndexReader.open(index(clone.root, home="cold").path) as cold:
        assert list(differences_between(continued, cold)) == []


def test_libraries_are_described_again_though_nothing_is_bound_otherwise(clone: Clone, index: Index) -> None:
    clone.commit(xunit_projects(XUNIT_2))
    clone.remove("A/Tests.cs")
    clone.commit({"Web/main.ts": "export const one = 1;\n"})
    index(clone.root)
    clone.commit({"A/A.csproj": _PROJECT.replace("</Project>", f"<ItemGroup>{XUNIT_3}</ItemGroup></Project>")})
    found = index(clone.root)
    assert found.bound_files == 2, "one of each language"
    with IndexReader.open(found.path) as continued, IndexReader.open(index(clone.root, home="cold").path) as cold:
        assert list(differences_between(continued, cold)) == []


def test_an_attribute_is_bound_again_with_the_constructor_that_it_calls(clone: Clone, index: Index) -> None:
    """It names the type without its suffix (ECMA-334 §23.3)."""
    declared = "public class TaggedAttribute : System.Attribute { public TaggedAttribute() { } }"
    others = {f"A/Other{number}.cs": f"class Other{number} {{ }}" for number in range(6)}
    clone.commit({"A/A.csproj": _PROJECT, "A/Tagged.cs": declared, "A/Use.cs": "[Tagged] class Use { }", **others})
    index(clone.root)
    clone.commit({"A/Tagged.cs": declared.replace("Attribute() {", "Attribute(int added) {")})
    found = index(clone.root)
    assert found.bound_files == 2
    assert dump(found) == dump(index(clone.root, home="cold"))


@pytest.mark.parametrize("after", ["namespace System.Net.Http { public class Other { } }", None])
def test_a_base_that_is_no_longer_declared_is_the_library_s_again(
    clone: Clone, index: Index, after: str | None
) -> None:
    """A row of a library leads to it, and no document mentions it."""
    path = "A/HttpMessageInvoker.cs"
    others = {f"B/Other{number}.cs": f"class Other{number} {{ }}" for number in range(6)}
    files = {
        "A/A.csproj": _PROJECT,
        "A/Kept.cs": "namespace System.Net.Http { public class Kept { } public class Second { } }",
        path: "namespace System.Net.Http { public class HttpMessageInvoker { } }",
        "B/B.csproj": _PROJECT,
        "B/Use.cs": "class Use { System.Net.Http.HttpClient used; }",
    }
    clone.commit(files | others)
    index(clone.root)
    if after is None:
        clone.remove(path)
    clone.commit({} if after is None else {path: after})
    found = index(clone.root)
    assert found.bound_files == 1
    with IndexReader.open(found.path) as continued, IndexReader.open(index(clone.root, home="cold").path) as cold:
        assert list(differences_between(continued, cold)) == []


def test_a_library_s_row_of_a_declared_type_leads_to_nothing(clone: Clone, index: Index) -> None:
    """A member is found in a library whose type is declared here, too: of the bases that metadata names, no row needs any."""
    path = "A/HttpMessageInvoker.cs"
    files = {
        "A/A.csproj": _PROJECT,
        "A/HttpClient.cs": "namespace System.Net.Http { public class HttpClient { } }",
        path: "namespace System.Net.Http { public class HttpMessageInvoker { } }",
        "B/B.csproj": _PROJECT,
        "B/Use.cs": "class Use { object M(System.Net.Http.HttpClient used) => used.Timeout; }",
    }
    clone.commit(files)
    index(clone.root)
    clone.remove(path)
    clone.commit({})
    with (
        IndexReader.open(index(clone.root).path) as continued,
        IndexReader.open(index(clone.root, home="cold").path) as cold,
    ):
        assert list(differences_between(continued, cold)) == []
