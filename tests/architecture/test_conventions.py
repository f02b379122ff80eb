"""What holds for every module of the project, checked by the tools that pyproject.toml configures."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("codemap_core", "codemap_plugins", "codemap_server")
MAX_LINES: Final = 500
SUBJECTLESS: Final = frozenset(
    {"util", "utils", "helper", "helpers", "common", "misc", "shared", "stuff", "base", "tools"}
)
"""Names that say nothing of what a module holds."""
TOP_LEVEL: Final = frozenset(
    {
        *PACKAGES,
        *("migrations", "tests", "testdata", "docs"),
        *("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"),
    }
)


def modules() -> list[Path]:
    return sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [path for path in listed.stdout.split("\0") if path]


def run(tool: str, *arguments: str) -> None:
    """A console script of this environment succeeds in the project's folder."""
    script = Path(sysconfig.get_path("scripts")) / tool
    if not script.exists():
        pytest.skip(f"{tool} is not installed beside {sys.executable}")
    done = subprocess.run([str(script), *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{tool} {' '.join(arguments)}\n{done.stdout[-6000:]}\n{done.stderr[-2000:]}"


def test_ruff_finds_nothing() -> None:
    run("ruff", "check", "--no-cache", ".")


def test_code_is_formatted() -> None:
    run("ruff", "format", "--check", "--no-cache", ".")


def test_types_are_checked_strictly() -> None:
    run("mypy")


def test_imports_follow_the_layers() -> None:
    run("lint-imports", "--no-cache")


def test_dependencies_are_declared_and_used() -> None:
    run("deptry", ".")


def test_modules_are_named_after_a_subject() -> None:
    assert [path for path in modules() if path.stem in SUBJECTLESS] == []


def test_modules_are_short() -> None:
    assert [path for path in modules() if path.read_text(encoding="utf-8").count("\n") > MAX_LINES] == []


def test_modules_say_what_they_hold() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in modules()}
    assert [path for path, text in texts.items() if text and not ast.get_docstring(ast.parse(text))] == []


ENTRY_POINTS: Final = {
    # docs/adr/0011
    "gc.freeze": {
        "codemap_core/pipeline/workers.py",
        "codemap_server/cli/__init__.py",
        "codemap_server/index_process.py",
        "codemap_server/serve.py",
    },
    "setrecursionlimit": {"codemap_core/recursion.py"},
    "allow_deep_recursion": {
        "codemap_core/recursion.py",
        *("codemap_core/pipeline/workers.py", "codemap_core/testing/pytest_plugin.py"),
        *("codemap_server/child_process.py", "codemap_server/cli/application.py", "codemap_server/index_process.py"),
    },
}
"""What concerns a whole process, and the modules whose functions are the first that a process runs."""


@pytest.mark.parametrize("name", ENTRY_POINTS)
def test_a_process_is_set_up_where_it_starts(name: str) -> None:
    users = {path.relative_to(ROOT).as_posix() for path in modules() if name in path.read_text(encoding="utf-8")}
    assert users == ENTRY_POINTS[name]


OF_ONE_LANGUAGE: Final = re.compile(
    r"^[TMPFE]:|#ctor|\.(sln|\w*proj|cs)\b|csharp|nuget|\bbase\.|^System$|\b(System|Microsoft)\.", re.IGNORECASE
)
"""Ids, files and libraries of .NET, as strings."""
KNOW_A_LANGUAGE: Final = {
    "codemap_core/model/documentation_id.py": "the form of ids, docs/adr/0016",
    "codemap_core/model/special_types.py": "the types that ids, constants and bound types name alike, docs/adr/0021",
    "codemap_core/repository/text.py": "the languages of files by their suffix, docs/adr/0021",
}
"""The modules of the core that name something of one language, and what; no other does, and none of these without need."""


def test_the_core_knows_no_language() -> None:
    naming = set()
    for path in sorted((ROOT / "codemap_core").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith("codemap_core/testing/"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
        texts = (each.value for each in ast.walk(tree) if isinstance(each, ast.Constant) and id(each) not in docs)
        if any(isinstance(text, str) and OF_ONE_LANGUAGE.search(text) for text in texts):
            naming.add(name)
    assert naming == set(KNOW_A_LANGUAGE)


BINDER: Final = ("codemap_plugins/csharp/binding", "codemap_plugins/csharp/symbols")


def test_nothing_of_the_binder_is_completed_from_outside() -> None:
    """An attribute is assigned by its object, or in the module that declares the class."""
    offenders = []
    for path in modules():
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(BINDER):
            continue
        assigned: list[ast.Attribute] = []
        own: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                if isinstance(node.value, ast.Name) and node.value.id == "self":
                    own.add(node.attr)
                else:
                    assigned.append(node)
            elif isinstance(node, ast.ClassDef):
                own.update(
                    each.target.id
                    for each in node.body
                    if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
                )
        offenders += [f"{name}:{each.lineno} {each.attr}" for each in assigned if each.attr not in own]
    assert offenders == []


def test_annotations_in_binding_make_no_circle() -> None:
    """Import contracts leave out what is imported for annotations alone: nothing is, so the layers hold for all there is."""
    for path in sorted((ROOT / "codemap_plugins" / "csharp" / "binding").glob("*.py")):
        assert "TYPE_CHECKING" not in path.read_text(encoding="utf-8"), path.name


def test_top_level_holds_nothing_else() -> None:
    found = {path.split("/", 1)[0] for path in tracked()}
    assert {name for name in found if not name.startswith(".")} <= TOP_LEVEL


def test_tests_mirror_the_packages() -> None:
    """A folder below tests/core or tests/plugins stands for a subpackage of that name."""
    for tests, package in (("core", "codemap_core"), ("plugins", "codemap_plugins")):
        folders = {
            path.name for path in (ROOT / "tests" / tests).iterdir() if path.is_dir() and path.name[0] not in "._"
        }
        packages = {path.name for path in (ROOT / package).iterdir() if path.is_dir()}
        assert folders <= packages, f"tests/{tests} has folders that no subpackage of {package} is named after"


def test_every_decision_has_a_number_of_its_own() -> None:
    numbers = [path.name[:4] for path in (ROOT / "docs/adr").glob("*.md")]
    assert sorted(numbers) == sorted(set(numbers))
