from __future__ import annotations

from pathlib import Path

import pytest

from codemap_core.hooks.manager import load_plugins
from codemap_core.testing.source_index import index_sources
from codemap_plugins.csharp.metadata import bake
from codemap_plugins.csharp.metadata.catalog import Catalog, CatalogError, encode_catalog
from codemap_plugins.csharp.metadata.ecma335 import read_assembly
from codemap_plugins.csharp.metadata.reference_folders import folder_catalog, library_types
from tests.plugins.csharp.metadata.assembly_builder import PUBLIC, AssemblyBuilder
from tests.plugins.csharp.metadata.conftest import sample_assembly


def _assembly(name: str, version: int, *types: str) -> bytes:
    builder = AssemblyBuilder(name, (version, 0, 0, 0))
    for full_name in types:
        builder.type_def(PUBLIC, full_name, builder.type_ref("System.Object"))
    return builder.build()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "références"
    folder.mkdir()
    (folder / "Sample.dll").write_bytes(sample_assembly())
    (folder / "native.dll").write_bytes(b"MZ" + bytes(500))
    (folder / "notes.txt").write_text("no assembly")
    return folder


def test_types_of_a_folder_are_visible_without_a_package(folder: Path, tmp_path: Path) -> None:
    view = library_types([folder, tmp_path / "missing"], tmp_path / "cache").view([])
    found = view.find("N", "Box", 1)
    assert found is not None
    assert found.assembly == "Sample"
    assert view.find("System", "String") is not None


def test_the_cache_follows_the_files(folder: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first = folder_catalog(folder, cache)
    assert first is not None
    (entry,) = cache.iterdir()
    content = entry.read_bytes()
    again = folder_catalog(folder, cache)
    assert again is not None and again.digest == first.digest
    (folder / "Sample.dll").write_bytes(sample_assembly(version=(9, 0, 0, 0)))
    changed = folder_catalog(folder, cache)
    assert changed is not None and changed.digest != first.digest
    assert entry.read_bytes() == content


@pytest.mark.parametrize("damage", [b"", b"CMLIB", None])
def test_a_damaged_cache_is_ignored(folder: Path, tmp_path: Path, damage: bytes | None) -> None:
    cache = tmp_path / "cache"
    first = folder_catalog(folder, cache)
    assert first is not None
    (entry,) = cache.iterdir()
    content = bytearray(entry.read_bytes())
    content[-5] ^= 0xFF
    entry.write_bytes(bytes(content) if damage is None else damage)
    again = folder_catalog(folder, cache)
    assert again is not None and again.digest == first.digest
    (repaired,) = cache.iterdir()
    Catalog.open(repaired).verify()


def test_a_cache_that_cannot_be_written_is_no_error(folder: Path) -> None:
    assert folder_catalog(folder, folder / "notes.txt" / "cache") is not None


def test_the_highest_version_of_the_users_assemblies_wins(tmp_path: Path) -> None:
    for number, name in ((1, "old"), (3, "new"), (2, "middle")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "Lib.dll").write_bytes(_assembly("Lib", number, f"L.V{number}", "L.Shared"))
    types = library_types([tmp_path / name for name in ("old", "new", "middle")])
    assert types.assemblies["Lib"].version == (3, 0, 0, 0)
    view = types.view([])
    assert view.find("L", "V3") is not None
    assert view.find("L", "V1") is None
    assert len(view.candidates("L", "Shared")) == 1


def test_precedence_over_the_shipped_catalog(tmp_path: Path) -> None:
    (tmp_path / "Moq.dll").write_bytes(_assembly("Moq", 1, "Moq.Older"))
    (tmp_path / "System.Linq.dll").write_bytes(_assembly("System.Linq", 4, "System.Linq.Older"))
    view = library_types([tmp_path]).view([])
    assert view.find("Moq", "Older") is not None
    assert view.find("Moq", "Mock", 1) is None
    assert view.find("System.Linq", "Enumerable") is not None
    assert view.find("System.Linq", "Older") is None


def test_digest_tells_catalogs_apart(folder: Path) -> None:
    assert library_types([folder]).digest == library_types([folder]).digest != library_types().digest


def test_a_catalog_does_not_depend_on_the_order_of_assemblies() -> None:
    surfaces = [read_assembly(_assembly(name, 1, "N.Same", f"N.{name}")) for name in ("A", "B", "C")]
    assert encode_catalog(surfaces) == encode_catalog(surfaces[::-1])


@pytest.mark.parametrize("length", [0, 8, 15, 40, -1])
def test_a_truncated_catalog_is_refused(sample: bytes, length: int) -> None:
    content = encode_catalog([read_assembly(sample)])
    with pytest.raises(CatalogError):
        Catalog(content[:length])


def test_bake(tmp_path: Path, sample: bytes) -> None:
    refs = tmp_path / "refs"
    (refs / "net10").mkdir(parents=True)
    (refs / "other").mkdir()
    (refs / "net10" / "System.Linq.dll").write_bytes(_assembly("System.Linq", 10, "System.Linq.Enumerable"))
    (refs / "other" / "System.Linq.dll").write_bytes(_assembly("System.Linq", 11, "System.Linq.Polyfill"))
    (refs / "other" / "Sample.dll").write_bytes(sample)
    for out in ("one", "two"):
        assert bake.main([str(refs), "--out", str(tmp_path / out)]) == 0
    content = (tmp_path / "one" / "libraries.catalog").read_bytes()
    assert content == (tmp_path / "two" / "libraries.catalog").read_bytes()
    catalog = Catalog(content)
    assert [(a.name, a.version[0], a.is_framework) for a in catalog.assemblies] == [
        ("Sample", 1, False),
        ("System.Linq", 10, True),
    ]
    assert "\nSample 1.2.3.4 | - | -\n" in (tmp_path / "one" / "NOTICE").read_text(encoding="utf-8")
    assert bake.main([str(tmp_path / "one")]) == 2


def test_of_two_types_that_usings_bring_that_of_a_package_is_meant(tmp_path: Path) -> None:
    for name in ("First", "Second"):
        (tmp_path / f"{name}.dll").write_bytes(_assembly(name, 1, f"{name}.Item"))
    reference = '<PackageReference Include="Second" Version="1.0.0" />'
    settings = "<PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>"
    files = {
        "a.csproj": f'<Project Sdk="Microsoft.NET.Sdk">{settings}<ItemGroup>{reference}</ItemGroup></Project>'.encode(),
        "a.cs": b"using First; using Second; class C { Item item; }",
    }
    found = index_sources(files, load_plugins(), [str(tmp_path)]).references
    assert [each.to_symbol for each in found if each.to_name == "Item"] == ["T:Second.Item"]
