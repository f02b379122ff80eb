"""Results as people, editors and programs read them: formats, exit codes, errors, terminals."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess, Popen

import pytest

from codemap_core.queries.views.unreferenced import SURENESS_WORDS
from codemap_server.cli.editor import command_line
from tests.cli.conftest import PROGRAM, Shell
from tests.clone import Clone

LONG = "AVeryLongNameThatDoesNotFitOnATerminalOfEightyColumnsTogetherWithItsPlace"
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>"""
FILES = {
    "src/Shop/Shop.csproj": PROJECT,
    "src/Shop/Order.cs": (
        "namespace Shop;\n\n"
        "/// <summary>What is bought.</summary>\n"
        "public class Order\n{\n"
        "    public int Total;\n"
        "    public void Pay() { Total = 1; }\n"
        "    public void Pay(int amount) { Total = amount; }\n"
        f"    public void {LONG}(System.Collections.Generic.Dictionary<string, int> values) {{ Pay(); Pay(2); }}\n"
        "}\n"
    ),
    "src/Shop/Invoice.cs": "namespace Shop;\n\nclass Invoice\n{\n    void Pay() { }\n    void Bill() { Pay(); /* Größe 😀 */ Pay(); }\n}\n",
    "src/Other/Other.csproj": PROJECT,
    "src/Other/Program.cs": "class Program { static void Main() { } }\n",
    "src/Tool/Tool.csproj": PROJECT,
    "src/Tool/Program.cs": "class Program { static void Main() { } }\n",
    "src/Other/Sender.cs": "class Sender { void Send(Missing to) { to.Deliver(); } }\n",
    "notes.md": "Pay\nnothing\nPAY\n",
}
Run = Callable[..., CompletedProcess[str]]


class Shop:
    def __init__(self, folder: Path) -> None:
        (folder / "user").mkdir()
        self.clone = Clone(folder / "shop")
        self.clone.commit(FILES)
        self.shell = Shell(folder / "data", folder / "user")
        self.shell("index", "-q", cwd=self.clone.root)

    def __call__(self, *arguments: str, fails: int = 0, inside: str = "", **environment: str) -> CompletedProcess[str]:
        return self.shell(*arguments, cwd=self.clone.root / inside, fails=fails, **environment)

    def on_terminal(self, *arguments: str, **environment: str) -> tuple[str, int]:
        """What a terminal of 80 columns shows, and the exit code."""
        master, slave = pty.openpty()
        variables = {"TERM": "xterm-256color", "COLUMNS": "80", **environment}
        process = Popen(
            [*PROGRAM, *arguments],
            cwd=self.clone.root,
            env={**self.shell.environment, **variables},
            stdin=slave,
            stdout=slave,
            stderr=slave,
        )
        os.close(slave)
        shown = b""
        while select.select([master], [], [], 60)[0]:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
        os.close(master)
        return shown.decode().replace("\r\n", "\n"), process.wait(60)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return Shop(tmp_path_factory.mktemp("output"))


def test_one_line_for_each_result_never_cut(shop: Shop) -> None:
    (line,) = shop("search", LONG, COLUMNS="40").stdout.splitlines()
    assert line.startswith(f"src/Shop/Order.cs:9  method  Shop.Order.{LONG}  public void {LONG}(")
    card = shop("show", LONG, "--no-code", COLUMNS="40").stdout.splitlines()
    assert f"M:Shop.Order.{LONG}(System.Collections.Generic.Dictionary{{System.String,System.Int32}})" in card
    assert not any("    9 |" in each for each in card)
    assert shop("search", LONG, "--format", "plain").stdout == line + "\n"


def test_rows_for_programs_and_editors(shop: Shop) -> None:
    cells = [line.split("\t") for line in shop("refs", "Invoice.Pay", "--format", "tsv").stdout.splitlines()]
    assert [row[:5] for row in cells] == [
        ["src/Shop/Invoice.cs", "6", "19", "call", "M:Shop.Invoice.Bill"],
        ["src/Shop/Invoice.cs", "6", "41", "call", "M:Shop.Invoice.Bill"],
    ]
    found = shop("refs", "Invoice.Pay", "--format", "vimgrep", inside="src/Other").stdout.splitlines()
    assert found[0] == "../Shop/Invoice.cs:6:19:void Bill() { Pay(); /* Größe 😀 */ Pay(); }"
    assert shop("refs", "Invoice.Pay", "--format", "vimgrep", inside="src/Shop").stdout.startswith("Invoice.cs:6:19:")


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        (("search", "Invoice", "--kind", "class"), "src/Shop/Invoice.cs:3:7:"),
        (("outline", "Order", "--kind", "field"), "src/Shop/Order.cs:6:16:"),
        (("unreferenced", "src/Shop/Invoice.cs", "--kind", "class"), "src/Shop/Invoice.cs:3:7:"),
    ],
)
def test_an_editor_is_led_to_the_name(shop: Shop, asked: tuple[str, ...], place: str) -> None:
    assert shop(*asked, "--format", "vimgrep").stdout.startswith(place)
    path, line, column = place.rstrip(":").split(":")
    assert shop(*asked, "--format", "tsv").stdout.startswith(f"{path}\t{line}\t{column}\t")
    assert f"{path}:{line} " in shop(*asked).stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("search", "Order"), 0),
        (("search", "Nowhere"), 1),
        (("search",), 2),
        (("search", "Order", "--limit", "0"), 2),
        (("search", "Order", "--format", "dot"), 2),
        (("show", "Order"), 0),
        (("show", "Nowhere"), 1),
        (("show", "Pay"), 2),
        (("refs", "Order.Total"), 0),
        (("refs", "Invoice.Bill"), 1),
        (("refs", "Invoice.Bill", "--count"), 1),
        (("callers", "Invoice.Bill"), 1),
        (("callees", "Invoice.Pay"), 1),
        (("hierarchy", "Invoice"), 1),
        (("grep", "Pay"), 0),
        (("grep", "Nowhere"), 1),
        (("grep", "("), 2),
        (("status",), 0),
        (("status", "--repo", "/nowhere"), 2),
        (("call", "repo.status"), 0),
        (("call", "no.tool"), 2),
        (("list",), 0),
        (("list", "--repo", "/nowhere"), 2),
        (("prune",), 0),
        (("prune", "--keep", "1", "--json"), 0),
        (("prune", "--keep", "-1"), 2),
        (("prune", "--older-than", "soon"), 2),
        (("prune", "--repo", "/nowhere"), 2),
    ],
)
def test_exit_codes(shop: Shop, arguments: tuple[str, ...], code: int) -> None:
    shop(*arguments, fails=code)


@pytest.mark.parametrize(
    ("arguments", "editor", "code"),
    [
        (("refs", "Invoice.Pay"), "true", 0),
        (("search", "Order"), "true", 0),
        (("grep", "Pay"), "true", 0),
        (("refs", "Invoice.Bill"), "false", 1),
        (("search", "Nowhere"), "false", 1),
        (("refs", "Invoice.Pay"), "false", 2),
        (("refs", "Invoice.Pay"), "/no/such/editor", 2),
        (("refs", "Invoice.Pay"), "", 2),
    ],
)
def test_exit_codes_of_editing(shop: Shop, arguments: tuple[str, ...], editor: str, code: int) -> None:
    """The editor's failure is an error; where nothing was found none is started."""
    shop(*arguments, "--open", VISUAL=editor, EDITOR="", fails=code)


@pytest.mark.parametrize("command", ["show", "refs", "callers", "callees", "hierarchy"])
def test_errors_are_json_where_json_was_asked_for(shop: Shop, command: str) -> None:
    for option in (("--json",), ("--format", "json")):
        done = shop(command, "Nowhere", *option, fails=1)
        assert json.loads(done.stdout)["code"] == "NOT_FOUND"
        assert done.stderr == ""


def test_a_name_that_means_several_is_a_table_with_ids(shop: Shop) -> None:
    said = shop("show", "Pay", fails=2).stderr
    assert re.search(r"^ +1  method  Shop\.Invoice\.Pay\(\)  src/Shop/Invoice\.cs:5$", said, re.MULTILINE)
    ids = re.findall(r"^ +(M:\S+)$", said, re.MULTILINE)
    assert ids == ["M:Shop.Invoice.Pay", "M:Shop.Order.Pay", "M:Shop.Order.Pay(System.Int32)"]
    for each in ids:
        assert each in shop("show", each).stdout
    assert "--kind, --file, --namespace or --project" in said
    assert "Pay(int amount)" in shop("show", "Order.Pay(int)").stdout
    assert "Invoice" in shop("show", "Pay", "--file", "src/Shop/Invoice.cs").stdout
    projects = shop("show", "Program", fails=2).stderr
    assert "src/Tool/Tool.csproj  src/Tool/Program.cs:1" in projects
    assert "src/Tool/Program.cs" in shop("show", "Program", "--project", "Tool").stdout


def test_messages_name_options_and_no_tool(shop: Shop) -> None:
    tool_language = re.compile(
        r"\b(?:symbols|refs|graph|types|code|repo|index)\.[a-z_]+|symbol_id=|name_filter|follow_interface|resolution_state|repo_path|commit_sha|project_name"
    )
    asked: list[tuple[str, ...]] = [
        ("search",),
        ("search", "Nowhere"),
        ("search", "Order", "--project", "Nowhere"),
        ("search", "Order", "--kind", "nothing"),
        ("show", "Nowhere"),
        ("show", "Pay"),
        ("show", "Program"),
        ("refs", "Order.Total"),
        ("refs", "Order.Total", "--kind", "nothing"),
        ("refs", "Nowhere", "--unresolved"),
        ("refs", "Missing.Deliver"),
        ("show", "M:Missing.Deliver"),
        ("callers", "Order"),
        ("callers", "Invoice.Bill"),
        ("callees", "Order.Pay", "--depth", "9"),
        ("hierarchy", "Order"),
        ("grep", "("),
        ("search", "Order", "--commit", "nowhere"),
        ("search", "Order", "--repo", "/"),
    ]
    for arguments in asked:
        said = shop.shell(*arguments, cwd=shop.clone.root, fails=None).stderr
        assert tool_language.findall(said) == [], (arguments, said)


def test_a_server_that_cannot_start_does_not_say_where_it_is(shop: Shop) -> None:
    said = shop("serve", "--transport", "http", "--host", "0.0.0.0", fails=2).stderr
    assert said.startswith("error: Listening on 0.0.0.0 lets other machines in.")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("search", "Order", "-n", "Shopp"), "There is no namespace 'Shopp'. Similar: Shop."),
        (("search", "Order", "-f", "Shop/Order.cs"), "begins with 'Shop/Order.cs'. Similar: src/Shop/Order.cs."),
        (("search", "-f", "zzz"), "No indexed path begins with 'zzz'. Paths are relative to the git root."),
        (("search", "Order", "-p", "Other"), "No symbol matches 'Order' with these filters."),
        (("refs", "Order", "-p", "Other"), "There is no symbol 'Order' with these filters."),
        (("callers", "Order.Pay", "-n", "Shopp"), "There is no namespace 'Shopp'."),
        (("hierarchy", "Order", "-f", "src/Shp"), "No indexed path begins with 'src/Shp'. Similar: src/Shop"),
        (("refs", "Order.Pay", "--in", "src/Shp"), "No indexed path begins with 'src/Shp'."),
        (("refs", "Order.Pay", "--in", "*.fs"), "No indexed path matches '*.fs'."),
        (("endpoints", "--file", "lib"), "The plug-in route found none"),
        (("grep", "Pay", "-g", "lib/**"), "No indexed file matches -g 'lib/**'."),
    ],
)
def test_a_filter_that_nothing_can_pass_is_named(shop: Shop, arguments: tuple[str, ...], said: str) -> None:
    done = shop(*arguments, fails=1)
    assert done.stdout == ""
    assert said in done.stderr


def test_members_are_named_in_rows_for_programs(shop: Shop) -> None:
    rows = [line.split("\t") for line in shop("outline", "Order", "--format", "tsv").stdout.splitlines()]
    assert rows
    assert all(row[5].startswith("Order.") for row in rows), rows


@pytest.mark.parametrize("command", ["search", "search Order", "refs Order", "show Order", "unreferenced", "logs"])
def test_a_project_that_does_not_exist_is_an_error(shop: Shop, command: str) -> None:
    said = shop(*command.split(), "-p", "Shp", fails=2).stderr
    assert said == "error: There is no project 'Shp'. Similar: Shop.\n"
    if command == "search":
        assert "'Nope'; there are: Other, Shop, Tool." in shop("search", "-p", "Nope", fails=2).stderr


def test_a_name_without_a_declaration_that_is_used_is_said(shop: Shop) -> None:
    said = shop("callers", "Missing.Deliver", fails=1).stderr
    assert "1 reference of that name could not be resolved: codemap grep -w Deliver." in said
    assert "could not be resolved" not in shop("callers", "Nowhere", fails=1).stderr


def test_a_namespace_is_led_to_what_it_declares(shop: Shop) -> None:
    said = shop("callers", "Shop", fails=1).stderr
    assert said == "error: 'Shop' is a namespace, not a symbol. Run: codemap search --namespace Shop\n"


def test_a_commit_without_an_index_says_how_to_get_one(shop: Shop, codemap: Shell) -> None:
    sha = shop.clone.git("rev-parse", "HEAD")[:12]
    said = codemap("search", "Order", "--repo", shop.clone.root, fails=2).stderr
    assert f"Run: codemap index {shop.clone.root} --commit {sha}" in said
    assert "--auto-index" in said
    assert "class" in codemap("search", "Order", "--repo", shop.clone.root, "--auto-index").stdout


def test_show_says_that_the_file_on_disk_is_another(shop: Shop) -> None:
    file = shop.clone.root / "src/Shop/Invoice.cs"
    before = file.read_text()
    try:
        file.write_text("// edited\n" + before)
        assert "Invoice.cs" in shop("show", "Invoice").stderr
    finally:
        file.write_text(before)
    assert shop("show", "Invoice").stderr == ""


def test_quiet_leaves_out_the_notes(shop: Shop) -> None:
    assert shop("search", "Order", "-q").stderr == ""


def test_quiet_leaves_out_the_progress_of_an_index_built_first(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "one")
    clone.commit({"A/A.csproj": '<Project Sdk="Microsoft.NET.Sdk" />', "A/One.cs": "class One { }"})
    assert codemap("search", "One", "--repo", clone.root, "--auto-index", "-q").stderr == ""


def test_unused_declarations_are_counted_in_whole_words(shop: Shop) -> None:
    said = shop("unreferenced", "--doubtful").stderr
    assert re.match(r"[0-9,]+ declarations? examined: ", said), said
    for words in re.findall(r"[0-9,]+ ([a-z ]+)[,.]", said):
        assert words in SURENESS_WORDS.values(), said
    assert shop("refs", "Invoice.Bill", "--quiet", fails=1).stderr == ""


def test_grep_is_like_ripgrep(shop: Shop) -> None:
    assert shop("grep", "Pay", "-g", "*.md").stdout == "notes.md:1:Pay\n"
    assert shop("grep", "pay", "-i", "-g", "*.md").stdout == "notes.md:1:Pay\nnotes.md:3:PAY\n"
    assert shop("grep", "Pay", "-g", "!*.cs", "-l").stdout == "notes.md\n"
    assert shop("grep", "Pay", "-c", "-g", "src/**").stdout == "src/Shop/Invoice.cs:2\nsrc/Shop/Order.cs:3\n"
    assert shop("grep", "Pay", "-g", "*.md", "-C", "1").stdout == "notes.md:1:Pay\nnotes.md-2-nothing\n"
    first = shop("grep", "Pay()", "-F", "-m", "1").stdout
    assert first.startswith("src/Shop/Invoice.cs:5:")
    assert shop("grep", "Pay()", "-F", "--limit", "1").stdout == first
    assert shop("grep", "Pa", "-w", fails=1).stdout == ""
    assert shop("grep", "😀", "--format", "vimgrep").stdout.startswith("src/Shop/Invoice.cs:6:35:")
    assert json.loads(shop("grep", "PAY", "--json").stdout)["total"] == 1


def test_a_terminal_of_eighty_columns(shop: Shop) -> None:
    named, _ = shop.on_terminal("grep", "Pay", "-l", "-g", "*.md")
    assert re.search(r"\x1b\]8;[^;]*;file://\S*notes\.md\x1b\\", named)
    shown, code = shop.on_terminal("refs", "Order.Total")
    plain = re.sub(r"\x1b\][^\x1b]*\x1b\\|\x1b\[[0-9;]*m", "", shown)
    assert code == 0
    assert plain.splitlines()[0] == "src/Shop/Order.cs"
    assert all(len(line) <= 80 for line in plain.splitlines() if LONG not in line)
    assert f"\x1b]8;;{(shop.clone.root / 'src/Shop/Order.cs').as_uri()}" in re.sub(r"id=\d+", "", shown)
    tree, _ = shop.on_terminal("callees", f"Order.{LONG}", NO_COLOR="1")
    assert "├─ " in tree
    assert "└─ " in tree
    assert shop.on_terminal("show", "Nowhere")[1] == 1


def test_the_first_result_is_opened_in_the_editor(shop: Shop, tmp_path: Path) -> None:
    said = tmp_path / "said"
    script = tmp_path / "vim"
    script.write_text(f"#!{sys.executable}\nimport sys\nopen({str(said)!r}, 'w').write(' '.join(sys.argv[1:]))\n")
    script.chmod(0o755)
    shop("refs", "Invoice.Pay", "--open", VISUAL=str(script))
    assert said.read_text() == f"+6 {shop.clone.root}/src/Shop/Invoice.cs"
    shop("show", "Order.Total", "-e", VISUAL="", EDITOR=str(script))
    assert said.read_text() == f"+6 {shop.clone.root}/src/Shop/Order.cs"
    assert "set VISUAL or EDITOR" in shop("show", "Order", "-e", VISUAL="", EDITOR="", fails=2).stderr


@pytest.mark.parametrize(
    ("editor", "command"),
    [
        ("nvim", ["nvim", "+4", "f.cs"]),
        ("code --wait", ["code", "--wait", "--goto", "f.cs:4:7"]),
        ("/usr/bin/emacsclient -n", ["/usr/bin/emacsclient", "-n", "+4:7", "f.cs"]),
        ("hx", ["hx", "f.cs:4:7"]),
        ("nano", ["nano", "+4,7", "f.cs"]),
        ("rider", ["rider", "--line", "4", "f.cs"]),
        ("something", ["something", "+4", "f.cs"]),
    ],
)
def test_editors_are_told_the_line_in_their_way(editor: str, command: list[str]) -> None:
    assert command_line(editor, "f.cs", 4, 7) == command


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("codemap search -k int", "interface"),
        ("codemap refs Order -k class,wr", None),
        ("codemap refs Order -k call,wr", "call,write"),
        ("codemap call symbols.se", "symbols.search"),
        ("codemap search -p Sh", "Shop"),
        ("codemap show Order.P", "Order.Pay"),
        ("codemap callers Pa", "Pay"),
        ("codemap show --commit ma", "main"),
        ("codemap set", "setup"),
    ],
)
def test_completion(shop: Shop, words: str, offered: str | None) -> None:
    done = shop(_CODEMAP_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(len(words.split()) - 1), fails=0)
    assert (offered in done.stdout.split()) if offered else (done.stdout.strip() in ("", "class,write"))


def test_tools_are_listed_with_their_arguments(shop: Shop) -> None:
    listed = shop("tools").stdout
    assert listed == shop("call").stdout
    assert "symbols.search" in listed
    assert re.search(r"^query +string", shop("tools", "symbols.search").stdout, re.MULTILINE)
    assert {each["name"] for each in json.loads(shop("tools", "--json").stdout)} >= {"refs.find", "graph.callers"}
    assert "Did you mean" in shop("tools", "symbols.serch", fails=2).stderr
    shown, _ = shop.on_terminal("call", "repo.status")
    assert not shown.startswith("{")


@pytest.mark.parametrize("command", ["show", "context"])
def test_a_page_about_a_symbol_offers_the_formats_that_it_has(shop: Shop, command: str) -> None:
    offered = shop(command, "--help").stdout
    assert "text or json." in offered
    assert "vimgrep" not in offered
    assert "Formats: text, json." in shop(command, "Invoice", "--format", "tsv", fails=2).stderr


def test_what_could_not_be_resolved_is_not_counted_as_a_reference(tmp_path: Path) -> None:
    clone = Clone(tmp_path / "post")
    clone.commit({"Post.cs": "class Post { void Send() { Send(); } void Pass(Missing to) { to.Send(); } }\n"})
    (tmp_path / "user").mkdir()
    shell = Shell(tmp_path / "data", tmp_path / "user")
    shell("index", "-q", cwd=clone.root)
    done = shell("refs", "Post.Send", cwd=clone.root)
    assert done.stderr.startswith("1 reference to Post.Send in 1 file. 1 place of the same name could not be resolved")
    assert len(done.stdout.splitlines()) == 2
    number = shell("refs", "Post.Send", "--count", cwd=clone.root)
    assert number.stdout == "1\n"
    assert number.stderr == "1 place of the same name could not be resolved (--unresolved).\n"
    only = shell("refs", "Post.Send", "--unresolved", cwd=clone.root)
    assert only.stderr == "1 unresolved place of the name of Post.Send in 1 file.\n"
    several = shell(
        "call", "refs.find", 'symbols=["Post.Send", "Post.Pass"]', "--format", "text", cwd=clone.root
    ).stdout
    assert "1  Post.Send  (call)  in 1 file  [1 unresolved of that name]" in several
