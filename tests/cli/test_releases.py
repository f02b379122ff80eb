"""Differences of real releases: complete to the row, and what change logs say of the API is among them.

``CODEMAP_RELEASES`` names a folder with clones of the repositories of ``releases.toml``, by their names there. The indexes are kept in
``codemap-home`` inside of it.
"""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from tests.benchmarks.difference import measure
from tests.cli.conftest import Shell

RELEASES: Final = Path(os.environ.get("CODEMAP_RELEASES", ""))
PAIRS: Final = tomllib.loads(Path(__file__).with_name("releases.toml").read_text(encoding="utf-8"))["pair"]

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not os.environ.get("CODEMAP_RELEASES"), reason="needs CODEMAP_RELEASES"),
]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['repository']}-{pair['newer']}")
def test_what_changed_between_releases(pair: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = RELEASES / "codemap-home"
    monkeypatch.setenv("CODEMAP_HOME", str(home))
    folder = RELEASES / pair["repository"]
    measured = measure(folder, pair["older"], pair["newer"])
    assert all(measured.holds.values()), measured.holds
    assert measured.text["changed"] > 0
    assert measured.text["not_told"] == 0
    shell = Shell(home, tmp_path)
    done = shell("diff", f"{pair['older']}..{pair['newer']}", "--json", "--all", cwd=folder)
    told = set(_told(json.loads(done.stdout)["data"]))
    missing = [said for said in pair["said"] if not any(each.startswith(said) for each in told)]
    assert not missing


def _told(data: dict[str, Any]) -> list[str]:
    """``added M:Shop.Pay``, ``member-removed M:Shop.Pay``, ``lost net6.0 src/Shop.csproj``."""
    found = []
    for each in data["symbol_changes"]:
        symbol = each.get("from_symbol_id") or each.get("to_symbol_id")
        found.append(f"{each['change_type']} {symbol}")
        found += [f"{broken['rule']} {symbol}" for broken in each.get("breaks", ())]
    for each in data.get("project_changes", ()):
        for detail in each.get("details", ()):
            if detail["key"] == "target_frameworks":
                found += [f"lost {name} {each['project_path']}" for name in detail["before"].split(", ") if name]
    return found
