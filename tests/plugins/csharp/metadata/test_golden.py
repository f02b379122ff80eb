"""Ids against the compiler's: every external target of the golden references must be an id read from the assemblies.

``CODEMAP_ORACLE`` names a folder with ``golden/NAME/refs.jsonl.xz``, ``CODEMAP_ORACLE_REFS`` one with ``net10/`` and
``NAME/`` of assemblies.
"""

from __future__ import annotations

import json
import lzma
import os
from pathlib import Path

import pytest

from codemap_plugins.csharp.metadata.doc_ids import type_id
from codemap_plugins.csharp.metadata.reference_folders import read_assemblies
from tests.plugins.csharp.metadata.member_ids import member_ids

ORACLE, REFS = (Path(os.environ.get(name, "")) for name in ("CODEMAP_ORACLE", "CODEMAP_ORACLE_REFS"))

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not os.environ.get("CODEMAP_ORACLE"), reason="needs CODEMAP_ORACLE and CODEMAP_ORACLE_REFS"),
]


def test_every_external_target_is_an_id_of_its_assembly() -> None:
    missing: set[tuple[str, str, str]] = set()
    framework = _ids(REFS / "net10")
    for golden in sorted((ORACLE / "golden").iterdir()):
        known = _ids(REFS / golden.name) | framework
        for line in lzma.decompress((golden / "refs.jsonl.xz").read_bytes()).splitlines():
            row = json.loads(line)
            if row["s"] == "external":
                for key in ("t", "ctor"):
                    if key in row and (row["a"], row[key]) not in known:
                        missing.add((golden.name, row["a"], row[key]))
    assert not missing


def _ids(folder: Path) -> set[tuple[str, str]]:
    return {
        (assembly.name, symbol_id)
        for assembly in read_assemblies(sorted(folder.glob("*.dll")))
        for surface in assembly.types
        for symbol_id in (type_id(surface.name), *member_ids(surface))
    }
