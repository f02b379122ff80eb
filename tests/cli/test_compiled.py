"""The installed program, whose binder is compiled where the wheel was built beside a C compiler, against the sources."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import distribution
from pathlib import Path

import pytest

from codemap_core.testing.specs import read_specs
from tests.cli.conftest import Shell
from tests.clone import Clone
from tests.program import ROOT

TESTDATA = ROOT / "testdata"
SAMPLE = TESTDATA / "SampleSolution"
PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework>
<ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>
"""


@pytest.fixture
def sources(codemap: Shell) -> Shell:
    """Runs these sources, whatever is installed."""
    codemap.environment["PYTHONPATH"] = str(ROOT)
    return codemap


def installed(codemap: Shell, home: Path, folder: Path, *arguments: str) -> str:
    """What the console script prints, run where no sources are found."""
    program = Path(sys.executable).with_name("codemap")
    environment = {name: value for name, value in codemap.environment.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [program, *arguments],
        cwd=folder,
        env={**environment, "CODEMAP_HOME": str(home)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("rows", ["symbols", "refs", "relations"])
def test_the_installed_program_gives_the_rows_of_the_sources(sources: Shell, tmp_path: Path, rows: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    sources("index", SAMPLE)
    expected = sources("dump", rows, SAMPLE).stdout
    installed(sources, tmp_path / "home", tmp_path / "elsewhere", "index", str(SAMPLE))
    found = installed(sources, tmp_path / "home", tmp_path / "elsewhere", "dump", rows, str(SAMPLE))
    assert found == expected
    assert expected


def test_the_installed_program_binds_every_specification_as_the_sources_do(sources: Shell, tmp_path: Path) -> None:
    """What Python allows and compiled code does not, such as ``in`` on a generator, shows only where it runs."""
    files: dict[str, str] = {}
    for language in ("csharp/references", "typescript"):
        for suite in sorted((TESTDATA / "mdtest" / language).glob("*.md")):
            for spec in read_specs(suite.read_text(encoding="utf-8")):
                folder = f"{suite.stem}/{spec.name}"
                files |= {f"{folder}/{path}": text for path, text in spec.files.items()}
                if not any(path.endswith(("proj", "package.json")) for path in spec.files):
                    files[f"{folder}/Spec.csproj"] = PROJECT
    clone = Clone(tmp_path / "clone")
    clone.commit(files)
    assert "failed" not in sources("index", "-q", clone.root).stderr
    expected = sources("dump", "refs", clone.root).stdout
    installed(sources, tmp_path / "home", tmp_path, "index", "-q", str(clone.root))
    assert installed(sources, tmp_path / "home", tmp_path, "dump", "refs", str(clone.root)) == expected
    assert expected.count("\n") > len(files)


PIECES = (
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ",",
    ";",
    "=",
    "=>",
    "?",
    "//",
    "/*",
    '"',
    "#if A\n",
    "#endif\n",
    "new ",
    "ref ",
    "params ",
)


def damaged(text: str, chance: random.Random) -> str:
    """The text with cuts and additions at a few places."""
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + (
            chance.choice(PIECES) + text[at:] if chance.random() < 0.6 else text[at + chance.randint(1, 20) :]
        )
    return text


def test_the_installed_program_reads_damaged_files_as_the_sources_do(sources: Shell, tmp_path: Path) -> None:
    """Two slips of mypyc (docs/adr/0008) show in no file as it is: with a parameter that lacks its type, and a header that never ends."""
    chance = random.Random(3)
    files = {
        "Spec.csproj": PROJECT,
        "Parameter.cs": "class WithoutType { void M(a) { } }\n",
        "Header.cs": 'namespace Open.Open class Header("\nt;\n',
    }
    for suite in sorted((TESTDATA / "mdtest").rglob("*.md")):
        for spec in read_specs(suite.read_text(encoding="utf-8")):
            for path, text in spec.files.items():
                if path.endswith((".cs", ".ts", ".tsx")):
                    files[f"{suite.stem}/{spec.name}/{path}"] = damaged(text, chance)
    clone = Clone(tmp_path / "clone")
    clone.commit(files)
    sources("index", "-q", clone.root)
    installed(sources, tmp_path / "home", tmp_path, "index", "-q", str(clone.root))
    for rows in ("files", "symbols", "refs"):
        expected = sources("dump", rows, clone.root).stdout
        assert installed(sources, tmp_path / "home", tmp_path, "dump", rows, str(clone.root)) == expected
        assert expected.count("\n") >= len(files) - 3


def test_an_installation_is_compiled_where_it_can_be(sources: Shell, tmp_path: Path) -> None:
    """An editable one is not. What mypyc cannot compile would otherwise go unseen, as the build falls back to the sources."""
    assert not _is_compiled(sources("doctor").stdout)
    says = installed(sources, tmp_path / "home", tmp_path, "doctor")
    assert _is_compiled(says) == (_can_compile() and not _is_editable()), says


def _is_compiled(diagnosis: str) -> bool:
    (line,) = (line for line in diagnosis.splitlines() if line.startswith("compiled modules"))
    return line.split()[-1] == "yes"


def _can_compile() -> bool:
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    headers = Path(sysconfig.get_paths()["include"], "Python.h")
    return shutil.which(compiler) is not None and headers.is_file() and os.environ.get("CODEMAP_PURE", "") != "1"


def _is_editable() -> bool:
    url = distribution("codemap").read_text("direct_url.json")
    return url is not None and json.loads(url).get("dir_info", {}).get("editable", False)


NAMES_MEMBERS = '''
from kinds import Kind as Sort
from kinds import Loose

@registers(Sort.FIRST)
def rule(sort: Sort, text: str = Sort.FIRST) -> bool:
    """naïve"""
    match sort:
        case Sort.SECOND:
            return text == "naïve" and sort is not Sort.SECOND
    return Loose.PART or sort in (Sort.FIRST, Other.FIRST)

DEFAULT = Sort.FIRST
'''


def test_members_of_enums_become_constants_in_what_is_compiled() -> None:
    place = Path(__file__).parents[2] / ".build" / "enum_members.py"
    spec = importlib.util.spec_from_file_location("enum_members", place)
    assert spec is not None and spec.loader is not None
    enum_members = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(enum_members)
    enums = enum_members.enum_classes(["class Kind(StrEnum): ...", "class Loose(IntFlag): ...", "Enum = 1"])
    assert enums == {"Kind"}
    before = NAMES_MEMBERS.splitlines()
    after = enum_members.with_member_constants(NAMES_MEMBERS, enums).splitlines()
    changed = {line: after[number] for number, line in enumerate(before) if after[number] != line}
    assert changed == {  # not what runs at import, not a pattern, no flag, no other class
        "from kinds import Kind as Sort": "from kinds import Kind as Sort; import typing as _typing; "
        "_ENUM_Sort_FIRST: _typing.Final = Sort.FIRST; _ENUM_Sort_SECOND: _typing.Final = Sort.SECOND",
        '            return text == "naïve" and sort is not Sort.SECOND': '            return text == "naïve" and sort is not '
        "_ENUM_Sort_SECOND",
        "    return Loose.PART or sort in (Sort.FIRST, Other.FIRST)": "    return Loose.PART or sort in (_ENUM_Sort_FIRST, "
        "Other.FIRST)",
    }
    declared = "class Own(Enum):\n    A = 1\n\n\ndef a():\n    return Own.A\n"
    assert enum_members.with_member_constants(declared, frozenset({"Own"})).splitlines() == [
        "class Own(Enum):",
        "    A = 1",
        "import typing as _typing; _ENUM_Own_A: _typing.Final = Own.A",
        "",
        "def a():",
        "    return _ENUM_Own_A",
    ]
