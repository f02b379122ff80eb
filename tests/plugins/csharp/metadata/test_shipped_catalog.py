"""What users of the shipped catalog rely on."""

from __future__ import annotations

import pytest

from codemap_core.model import SymbolKind, Visibility
from codemap_plugins.csharp.metadata.library_types import LibraryTypes, LibraryView
from codemap_plugins.csharp.metadata.reference_folders import library_types, shipped_catalog
from codemap_plugins.csharp.metadata.surface import MemberFlags, TypeFlags
from codemap_plugins.csharp.metadata.type_reference import NamedType, TypeParameterReference
from tests.plugins.csharp.metadata.member_ids import member_ids


@pytest.fixture(scope="module")
def types() -> LibraryTypes:
    return library_types()


@pytest.fixture(scope="module")
def bare(types: LibraryTypes) -> LibraryView:
    """A project without packages."""
    return types.view([])


def test_catalog_is_whole() -> None:
    shipped_catalog().verify()


def test_lookup(bare: LibraryView) -> None:
    dictionary = bare.find("System.Collections.Generic", "Dictionary", 2)
    assert dictionary is not None
    assert dictionary.metadata_name == "System.Collections.Generic.Dictionary`2"
    assert (dictionary.name, dictionary.arity, dictionary.kind) == ("Dictionary", 2, SymbolKind.CLASS)
    assert dictionary.visibility is Visibility.PUBLIC
    assert dictionary.base == NamedType("System.Object")
    parameters = TypeParameterReference(0, False), TypeParameterReference(1, False)
    assert NamedType("System.Collections.Generic.IDictionary`2", parameters) in dictionary.interfaces
    enumerator = bare.nested(dictionary, "Enumerator")
    assert enumerator is not None
    assert enumerator.metadata_name == "System.Collections.Generic.Dictionary`2+Enumerator"
    assert enumerator is bare.resolve("System.Collections.Generic.Dictionary`2+Enumerator")
    assert enumerator.enclosing_path == "Dictionary`2"
    assert bare.find("System.Collections.Generic", "Dictionary") is None
    assert bare.find("System.Collections.Generic", "Enumerator") is None


@pytest.mark.parametrize("name", ["System", "System.Collections", "Microsoft", "Microsoft.AspNetCore.Builder"])
def test_namespaces(bare: LibraryView, name: str) -> None:
    assert bare.has_namespace(name)


def test_a_namespace_is_declared_by_all_that_declare_inside_it(types: LibraryTypes) -> None:
    """Namespaces of which one begins as another one does: ``System.Data`` and ``System.DataX``."""
    declared = {name: frozenset(types.declaring(name)) for name in shipped_catalog().namespaces}
    for name in ("System", "System.Data", "Microsoft.Extensions", "Xunit"):
        inside = [found for each, found in declared.items() if each == name or each.startswith(f"{name}.")]
        assert types.declaring(name) == frozenset().union(*inside)


def test_namespaces_follow_the_packages(types: LibraryTypes, bare: LibraryView) -> None:
    assert not bare.has_namespace("Xunit")
    assert types.view(["xunit"]).has_namespace("Xunit")
    assert not bare.has_namespace("System.Coll")


@pytest.mark.parametrize(
    ("package", "assembly"),
    [("xunit", "xunit.core"), ("xunit.v3", "xunit.v3.core"), ("XUNIT", "xunit.core"), ("NUnit", None)],
)
def test_a_type_of_two_libraries_is_that_of_the_referenced_package(
    types: LibraryTypes, package: str, assembly: str | None
) -> None:
    found = types.view([package]).find("Xunit", "FactAttribute")
    assert (found.assembly if found else None) == assembly


def test_references_of_packages_are_visible(types: LibraryTypes) -> None:
    view = types.view(["Microsoft.EntityFrameworkCore.SqlServer"])
    assert view.find("Microsoft.EntityFrameworkCore", "DbContext") is not None
    assert view.find("Microsoft.Data.SqlClient", "SqlConnection") is not None


@pytest.mark.parametrize(
    ("package", "namespace", "name"),
    [
        ("Serilog.Sinks.Seq", "Serilog", "ILogger"),
        ("Acme.NUnit", "NUnit.Framework", "TestAttribute"),
        ("Acme.Outbox.EntityFrameworkCore", "Microsoft.EntityFrameworkCore", "DbContext"),
        ("Microsoft.EntityFrameworkCore.Proxies", "Microsoft.EntityFrameworkCore", "DbContext"),
    ],
)
def test_ids_of_unknown_packages_hint_at_what_they_need(
    types: LibraryTypes, bare: LibraryView, package: str, namespace: str, name: str
) -> None:
    assert bare.find(namespace, name) is None
    assert types.view([package]).find(namespace, name) is not None


def test_tools_bring_nothing(types: LibraryTypes) -> None:
    view = types.view(["xunit.v3", "xunit.runner.visualstudio", "NUnit.Analyzers"])
    assert [found.assembly for found in view.candidates("Xunit", "FactAttribute")] == ["xunit.v3.core"]
    assert view.find("NUnit.Framework", "TestAttribute") is None


def test_the_framework_wins_over_packages(types: LibraryTypes) -> None:
    found = types.everything.find("System.Collections.Generic", "IAsyncEnumerable", 1)
    assert found is not None
    assert found.assembly == "System.Runtime"


def test_assemblies_of_the_repository_hide_libraries(types: LibraryTypes) -> None:
    assert types.view(["Polly"]).find("Polly", "ResiliencePipeline") is not None
    assert types.view(["Polly"], ["Polly.Core"]).find("Polly", "ResiliencePipeline") is None


@pytest.mark.parametrize(
    ("metadata_name", "member"),
    [
        (
            "System.Linq.Enumerable",
            "M:System.Linq.Enumerable.Where``1(System.Collections.Generic.IEnumerable{``0},System.Func{``0,System.Boolean})",
        ),
        ("System.String", "P:System.String.Chars(System.Int32)"),
        ("System.Decimal", "M:System.Decimal.op_Explicit(System.Decimal)~System.Int32"),
        ("System.Int32", "M:System.Int32.TryParse(System.String,System.Int32@)"),
        ("System.Guid", "M:System.Guid.#ctor"),
        ("System.AppDomain", "E:System.AppDomain.ProcessExit"),
        ("System.Collections.Generic.List`1+Enumerator", "P:System.Collections.Generic.List`1.Enumerator.Current"),
        ("System.Delegate", "M:System.Delegate.Combine(System.Delegate[])"),
    ],
)
def test_member_ids(bare: LibraryView, metadata_name: str, member: str) -> None:
    found = bare.resolve(metadata_name)
    assert found is not None
    assert member in set(member_ids(bare.members(found)))


def test_members_tell_what_binding_needs(bare: LibraryView) -> None:
    containers = {found.path: found for found in bare.extension_containers("System.Linq")}
    where = [m for m in bare.members(containers["Enumerable"]).methods if m.name == "Where"]
    assert len(where) == 2
    assert all(m.flags & MemberFlags.EXTENSION for m in where)
    list_type = bare.find("System.Collections.Generic", "List", 1)
    assert list_type is not None
    surface = bare.members(list_type)
    assert surface.default_member == "Item"
    assert [parameter.name for parameter in surface.type_parameters] == ["T"]
    span = bare.find("System", "Span", 1)
    assert span is not None and span.flags & TypeFlags.REF_STRUCT


def test_every_surface_reads_and_agrees_with_its_entry(types: LibraryTypes) -> None:
    view = types.everything
    for namespace in ("System", "System.Runtime.Intrinsics.X86", "Microsoft.AspNetCore.Mvc", "Xunit"):
        for found in view.types_in(namespace):
            surface = view.members(found)
            assert (surface.name, surface.flags) == (found.metadata_name, found.flags)
            assert found.flags & TypeFlags.MEMBERS_OMITTED or namespace != "System.Runtime.Intrinsics.X86"
