"""Where things live, and what is said of a bad configuration."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from codemap_core.config import HARD_CAPS, BudgetLimits, IndexScope, Settings, load_settings
from codemap_core.errors import InvalidArgumentError


def settings_with(folder: Path, config: object) -> Settings:
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return load_settings({"CODEMAP_HOME": str(folder)})


def test_defaults_without_a_configuration(tmp_path: Path) -> None:
    settings = load_settings({"CODEMAP_HOME": str(tmp_path / "none")})
    assert settings == Settings(data_directory=tmp_path / "none")
    assert settings.budgets == BudgetLimits()


def test_the_home_directory_is_the_fallback() -> None:
    assert load_settings({}).data_directory == Path.home() / ".codemap"


def test_references_are_a_path_list(tmp_path: Path) -> None:
    environment = {"CODEMAP_HOME": str(tmp_path), "CODEMAP_REFERENCES": os.pathsep.join(["/a", "", "/b"])}
    assert load_settings(environment).reference_folders == ("/a", "/b")


def test_budgets_can_be_overridden(tmp_path: Path) -> None:
    settings = settings_with(tmp_path, {"budget_overrides": {"max_lines": 200}, "log_level": "debug"})
    assert settings.budgets.max_lines == 200
    assert settings.budgets.max_results == BudgetLimits().max_results
    assert settings.log_level == "debug"


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"budget_overrides": {"max_lines": HARD_CAPS.max_lines + 1}}, "between 1 and 400"),
        ({"budget_overrides": {"max_lines": 0}}, "between 1 and 400"),
        ({"budget_overrides": {"max_line": 1}}, "no budget 'max_line'"),
        ({"budget_overrides": {"max_lines": "1"}}, "budget_overrides"),
        ({"log_level": "loud"}, "loud"),
        ({"logLevel": "info"}, "logLevel"),
        ([], "object"),
    ],
)
def test_a_bad_configuration_names_the_file(tmp_path: Path, config: object, said: str) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        settings_with(tmp_path, config)
    assert str(tmp_path / "config.json") in caught.value.message
    assert said in caught.value.message


def test_a_configuration_that_is_no_json_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_bytes(b"\xff{")
    with pytest.raises(InvalidArgumentError, match=r"config\.json"):
        load_settings({"CODEMAP_HOME": str(tmp_path)})


def test_indexes_of_parts_of_a_commit_have_their_own_files(tmp_path: Path) -> None:
    settings = Settings(data_directory=tmp_path)
    scopes = [IndexScope(), IndexScope(subtree="src"), IndexScope(solution="src"), IndexScope("src", "a.sln")]
    files = {settings.baseline_file("repo", "c0ffee", scope) for scope in scopes}
    assert len(files) == len(scopes)
    assert settings.baseline_file("repo", "c0ffee") == tmp_path / "baselines" / "repo" / "c0ffee.db"


@pytest.mark.parametrize("workspace_id", ["agent 1", "agent:1", "ü", "x" * 500, "CON.", ".hidden", "a%2Fb"])
def test_workspace_ids_are_file_names(tmp_path: Path, workspace_id: str) -> None:
    path = Settings(data_directory=tmp_path).overlay_file("repo", workspace_id)
    assert path.parent == tmp_path / "overlays" / "repo"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"")


@pytest.mark.parametrize("workspace_id", ["", " ", ".", "..", "a/b", "a\\b", "../x"])
def test_workspace_ids_cannot_leave_their_folder(tmp_path: Path, workspace_id: str) -> None:
    with pytest.raises(InvalidArgumentError):
        Settings(data_directory=tmp_path).overlay_file("repo", workspace_id)
