"""docs/plugins.md against the code: every hook with its arguments, and its example as an installed distribution."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from codemap_core.hooks.specs import RegistrationSpecs
from codemap_core.hooks.validation import EXTENSION_POINTS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")


def hooks() -> dict[str, list[str]]:
    return {
        name: [parameter for parameter in inspect.signature(function).parameters if parameter != "self"]
        for name, function in vars(RegistrationSpecs).items()
        if name.startswith("codemap_")
    }


def test_every_hook_is_documented_with_its_exact_arguments() -> None:
    documented = {
        name: re.split(r",\s*", arguments) for name, arguments in re.findall(r"^\| `(\w+)\((.*?)\)`", PAGE, re.M)
    }
    assert documented == hooks()


def test_every_hook_is_an_extension_point_of_the_host() -> None:
    assert [point.hook for point in EXTENSION_POINTS] == list(hooks())


def test_the_example_works_as_an_installed_distribution(tmp_path: Path) -> None:
    """Lays the page's files out as a package manager would and asks a fresh interpreter what it sees."""
    blocks = re.findall(r"^`([\w./]+)`[^\n]*:\n\n```\w+\n(.*?)```", PAGE, re.M | re.S)
    assert len(blocks) == 4
    for name, text in blocks:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = tmp_path / f"codemap_feature_gates-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", encoding="utf-8"
    )
    entries = "".join(f"{name} = {value}\n" for name, value in project["entry-points"]["codemap"].items())
    (info / "entry_points.txt").write_text(f"[codemap]\n{entries}", encoding="utf-8")
    program = """
import json, sys
sys.path[:0] = sys.argv[1:]
from codemap_core.hooks.manager import load_plugins
host = load_plugins(blocked=())
(plugin,) = [each for each in host.plugins if each.name == "feature_gates"]
problems = [each.message for each in plugin.problems]
json.dump([plugin.distribution, plugin.version, plugin.provides, problems], sys.stdout)
"""
    answer = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path), str(ROOT)], capture_output=True, text=True, check=True
    )
    assert json.loads(answer.stdout) == [
        "codemap-feature-gates",
        "1.0.0",
        {"fact_extractors": ["feature_gates"], "tool_families": ["gates"]},
        [],
    ]


def test_importing_the_core_is_light() -> None:
    program = "import sys, codemap_core, codemap_core.hooks; print(*sorted(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(answer.stdout.split())
    assert not loaded & {"sqlalchemy", "alembic", "git", "tree_sitter", "mcp", "pydantic", "typer"}
