"""The tests are of what is installed, which has to be what these sources are."""

from __future__ import annotations

from pathlib import Path

from tests.program import differences


def test_what_was_changed_or_added_after_the_installation_is_found(tmp_path: Path) -> None:
    sources, installed = tmp_path / "sources", tmp_path / "installed"
    for folder in (sources, installed):
        (folder / "codemap_core").mkdir(parents=True)
        (folder / "codemap_core" / "errors.py").write_text("A = 1\n", encoding="utf-8")
    assert [*differences(sources, installed)] == []
    (sources / "codemap_core" / "errors.py").write_text("A = 2\n", encoding="utf-8")
    (sources / "codemap_server").mkdir()
    (sources / "codemap_server" / "new.py").touch()
    assert [*differences(sources, installed)] == ["codemap_core/errors.py", "codemap_server/new.py"]
