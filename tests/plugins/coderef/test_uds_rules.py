"""Where the rules of a repository may be read from."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from codemap_plugins.coderef.errors import CodeRefError
from codemap_plugins.coderef.uds_rules import load_standard

RULES = '[[rules]]\nid = "x"\nrequire = { status = ["active"] }\n'
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "uds.toml").write_text(RULES, encoding="utf-8")
    (tmp_path / "tree").mkdir()
    return tmp_path / "tree"


def test_a_plain_file_is_read(tree: Path) -> None:
    (tree / ".coderef").mkdir()
    (tree / ".coderef" / "uds.toml").write_text(RULES, encoding="utf-8")
    standard = load_standard(tree)
    assert standard is not None
    assert [each.id for each in standard.rules] == ["x"]


def test_links_and_pipes_are_not_followed(tree: Path) -> None:
    (tree / ".coderef").symlink_to(tree.parent / "elsewhere")
    assert load_standard(tree) is None
    (tree / ".coderef").unlink()
    (tree / ".coderef").mkdir()
    rules = tree / ".coderef" / "uds.toml"
    rules.symlink_to(tree.parent / "elsewhere" / "uds.toml")
    assert load_standard(tree) is None
    rules.unlink()
    os.mkfifo(rules)
    assert load_standard(tree) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules = 3\n", "cannot be read as rules"),
        ("[[rules]]\nid = 'x'\ncommand = 'rm'\nrequire = {}\n", "command"),
        ("not toml", "cannot be read as rules"),
        ("#" * (4 << 20), "larger than"),
    ],
)
def test_what_is_no_rule_file_is_refused(tree: Path, text: str, said: str) -> None:
    (tree / ".coderef").mkdir()
    (tree / ".coderef" / "uds.toml").write_text(text, encoding="utf-8")
    with pytest.raises(CodeRefError, match=said):
        load_standard(tree)
