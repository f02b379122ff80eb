"""Makes the catalog shipped with CodeMap from folders of reference assemblies: a maintainer's command, never run by
users.

``python -m codemap_plugins.csharp.metadata.bake REFS_DIR [--out DIR]``: REFS_DIR holds ``net10/`` (.NET and ASP.NET
Core) and any number of folders of packages' assemblies. Of each assembly name the highest version is taken. The same
assemblies give the same files. Writes ``libraries.catalog`` and ``NOTICE`` (every assembly, its version and what it
says of its owner).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from codemap_core.model.counting import counted
from codemap_plugins.csharp.metadata.catalog import Catalog, encode_catalog
from codemap_plugins.csharp.metadata.reference_folders import read_assemblies
from codemap_plugins.csharp.metadata.surface import AssemblySurface, TypeFlags, TypeSurface

_FRAMEWORK_FOLDER = "net10"
_LEFT_OUT = frozenset({"testhost"})
_LEFT_OUT_TYPES = re.compile(r"OpenQA\.Selenium\.DevTools\.V\d+\.")
"""Thousands of generated types that repeat for every version of a protocol."""
_OMITTED = re.compile(
    r"System\.Runtime\.Intrinsics\.(Arm|Wasm|X86)\."
    r"|Iced\."
    r"|Gee\.External\.Capstone\."
    r"|Microsoft\.Diagnostics\.Tracing\.Parsers\."
    r"|Microsoft\.Diagnostics\.Runtime\.(Interop|DacInterface)\."
)
"""Types kept without members: processor instructions and generated protocol classes, huge and hardly ever named in
other people's code."""

_NOTICE_HEAD = """\
libraries.catalog lists the names and signatures of the public and protected types and members of the assemblies
below, taken from their metadata. It holds no code, documentation or resources of theirs. Each assembly stays under the
licence of its owner; CodeMap's licence does not extend to them. Version, company and copyright are what the assembly
itself states; "-" where it states nothing.

"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0, or 2 when the folders hold no assemblies."""
    parser = argparse.ArgumentParser(prog="python -m codemap_plugins.csharp.metadata.bake", description=__doc__)
    parser.add_argument("refs", type=Path, metavar="REFS_DIR")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "baked", metavar="DIR")
    options = parser.parse_args(arguments)
    framework, assemblies = collect(options.refs)
    if not framework:
        sys.stderr.write(f"no assemblies in {options.refs / _FRAMEWORK_FOLDER}\n")
        return 2
    content = encode_catalog((slim(assembly) for assembly in assemblies), framework, level=9)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "libraries.catalog").write_bytes(content)
    (options.out / "NOTICE").write_text(notice(assemblies), encoding="utf-8")
    catalog = Catalog(content)
    sys.stderr.write(
        f"{counted(len(catalog.assemblies), 'assembly', 'assemblies')}, {len(content)} bytes, digest {catalog.digest}\n"
    )
    return 0


def collect(refs: Path) -> tuple[frozenset[str], list[AssemblySurface]]:
    """Names of .NET's own assemblies, and all assemblies to bake, by name."""
    own = read_assemblies(sorted((refs / _FRAMEWORK_FOLDER).glob("*.dll")))
    framework = frozenset(assembly.name for assembly in own)
    packages = read_assemblies(path for path in sorted(refs.glob("*/*.dll")) if path.parent.name != _FRAMEWORK_FOLDER)
    # .NET's own assemblies win over packages of the same name: what those add is for older frameworks.
    chosen = {assembly.name: assembly for assembly in (*packages, *own) if assembly.name not in _LEFT_OUT}
    return framework, sorted(chosen.values(), key=lambda assembly: assembly.name)


def slim(assembly: AssemblySurface) -> AssemblySurface:
    """Without the types and members that are not worth their space."""
    kept = (surface for surface in assembly.types if not _LEFT_OUT_TYPES.match(surface.name))
    return msgspec.structs.replace(assembly, types=tuple(_slim_type(surface) for surface in kept))


def _slim_type(surface: TypeSurface) -> TypeSurface:
    if not _OMITTED.match(surface.name):
        return surface
    return TypeSurface(
        surface.name,
        surface.kind,
        surface.flags | TypeFlags.MEMBERS_OMITTED,
        surface.base,
        surface.interfaces,
        surface.type_parameters,
    )


def notice(assemblies: Iterable[AssemblySurface]) -> str:
    """The NOTICE file: one assembly a line."""
    lines = []
    for assembly in assemblies:
        version = ".".join(map(str, assembly.version))
        lines.append(f"{assembly.name} {version} | {_line(assembly.company)} | {_line(assembly.copyright)}\n")
    return _NOTICE_HEAD + "".join(lines)


def _line(text: str) -> str:
    return " ".join(text.split()) or "-"


if __name__ == "__main__":
    sys.exit(main())
