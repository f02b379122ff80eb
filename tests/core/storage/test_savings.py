"""The running total survives several writers and bad files."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from codemap_core.storage.savings import SavingsTotal, add_savings, read_savings


def test_totals_add_up(tmp_path: Path) -> None:
    path = tmp_path / "data" / "_savings.json"
    assert read_savings(path) == SavingsTotal()
    add_savings(path, 1000)
    total = add_savings(path, 3000)
    assert read_savings(path) == total
    assert total.tokens_saved_total == 4000
    assert total.cost_avoided_total["claude_sonnet"] == pytest.approx(0.012)
    assert [entry.name for entry in path.parent.iterdir()] == ["_savings.json"]


def test_no_update_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "_savings.json"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: add_savings(path, 1), range(12)))
    assert read_savings(path).tokens_saved_total == 12


@pytest.mark.parametrize("content", [b"", b"[]", b'{"tokens_saved_total": "many"}', b"\xff"])
def test_a_damaged_file_counts_as_zero(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "_savings.json"
    path.write_bytes(content)
    assert add_savings(path, 5).tokens_saved_total == 5
