"""docs/plugins.md against the code: every hook with its arguments, and its example."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

from codemap_core.hooks import capabilities
from codemap_core.hooks.specs import RegistrationSpecs
from codemap_core.hooks.validation import EXTENSION_POINTS

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "testdata" / "plugins" / "codemap-shop-extras"
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


def test_every_capability_is_documented() -> None:
    keys = {name: value for name, value in vars(capabilities).items() if isinstance(value, capabilities.Capability)}
    documented = dict(re.findall(r"^\| `([A-Z]+)` \| `(\w+)`: ", PAGE, re.M))
    assert documented.keys() == keys.keys()
    assert all(hasattr(capabilities, protocol) for protocol in documented.values())


def test_code_is_quoted_from_the_distribution() -> None:
    """That one is built, installed and tested by tests/plugins/test_installed_plugin.py."""
    blocks = dict(re.findall(r"^`([\w./]+\.(?:py|toml))`:\n\n```\w+\n(.*?)^```$", PAGE, re.M | re.S))
    assert {name: (EXAMPLE / name).read_text(encoding="utf-8") for name in blocks} == blocks
    assert {"pyproject.toml", "codemap_shop_extras/plugin.py", "test_shop_extras.py"} < set(blocks)
    assert len(re.findall(r"^```(?:python|toml)$", PAGE, re.M)) == len(blocks)
    mentioned = set(blocks) | set(re.findall(r"`(codemap_shop_extras/\w+\.py)`", PAGE))
    files = {path.relative_to(EXAMPLE).as_posix() for path in EXAMPLE.rglob("*.py")}
    assert files - mentioned == {"codemap_shop_extras/__init__.py"}


def test_importing_the_core_is_light() -> None:
    program = "import sys, codemap_core, codemap_core.hooks; print(*sorted(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(answer.stdout.split())
    assert not loaded & {"sqlalchemy", "alembic", "git", "tree_sitter", "mcp", "pydantic", "typer"}
