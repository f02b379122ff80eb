"""What a process keeps from one refresh to the next does not show: after any sequence of edits, the workspace has the rows of a cold index
of its files, and what is known of it in memory is what its file says."""

from __future__ import annotations

import gc
import random
from functools import partial
from pathlib import Path

import pytest

from codemap_core.hooks.manager import PluginHost
from codemap_core.pipeline import resident
from codemap_core.pipeline.resident import Resident
from codemap_core.progress import Stage
from codemap_core.storage.writing import index_editor
from codemap_plugins.csharp.symbols.table import SymbolTable
from tests.core.pipeline.desk import Desk
from tests.core.pipeline.edit_law import WorkspaceBench
from tests.core.pipeline.editor import Editor
from tests.core.pipeline.project_edits import PROJECT_EDITS
from tests.core.pipeline.source_edits import SOURCE_EDITS
from tests.core.pipeline.test_changes import XUNIT_2, XUNIT_3, xunit_projects
from tests.core.pipeline.test_edit_law import FILES


@pytest.mark.parametrize("seed", range(3))
def test_a_long_sequence_of_refreshes(host: PluginHost, tmp_path: Path, seed: int) -> None:
    bench = WorkspaceBench(tmp_path, FILES, host)
    editor = Editor(dict(FILES), random.Random(100 + seed))
    for number in range(10):
        done = [editor.edit(SOURCE_EDITS if number % 5 else PROJECT_EDITS) for _ in range(1 + number % 2)]
        found = bench.take_up(editor.files).found
        assert not found, "\n".join((str(number), *done, *found))


def test_a_file_joins_a_type_of_another_and_leaves_it(host: PluginHost, tmp_path: Path) -> None:
    """Two types of one name and different kinds are one, of which the first part in path order says the kind."""
    files = {
        **FILES,
        "Lib/A.cs": "namespace Lib; public class Failure { public int First; }\n",
        "Lib/B.cs": "namespace Lib; public struct Value { public int Second; }\n",
    }
    bench = WorkspaceBench(tmp_path, files, host)
    for name, other in (("Value", "Value"), ("Failure", "Value"), ("Value", "Value"), ("Failure", "Other")):
        edited = {
            **files,
            "Lib/A.cs": files["Lib/A.cs"].replace("Failure", name),
            "Lib/B.cs": files["Lib/B.cs"].replace("Value", other),
        }
        found = bench.take_up(edited).found
        assert not found, "\n".join((name, other, *found))


def test_two_workspaces_share_a_table(host: PluginHost, tmp_path: Path) -> None:
    desk = Desk(tmp_path, host, FILES)
    states: dict[str, Editor] = {}
    for number, name in enumerate(("one", "two")):
        desk.create(name)
        states[name] = Editor(dict(FILES), random.Random(number))
    for _ in range(4):
        for name, editor in states.items():
            done = editor.edit(SOURCE_EDITS)
            desk.write(editor.files)
            desk.refresher().refresh(name)
            found = desk.wrong(name, editor.files)
            assert not found, "\n".join((name, done, *found))


def test_a_table_that_another_one_replaces_is_garbage(host: PluginHost, tmp_path: Path) -> None:
    """A project that is evaluated otherwise takes a new table; nothing that is kept leads to the one before."""
    desk = Desk(tmp_path, host, FILES)
    desk.create("one")
    found = []
    for number in range(4):
        project = FILES["Lib/Lib.csproj"].replace(
            "<PropertyGroup>", f"<PropertyGroup><RootNamespace>N{number}</RootNamespace>"
        )
        source = f"namespace Lib; class Further{number} {{ }}\n"
        desk.write({**FILES, "Lib/Lib.csproj": project, "Lib/Further.cs": source})
        desk.refresher().refresh("one")
        gc.collect()
        found.append(sum(isinstance(each, SymbolTable) for each in gc.get_objects()))
    assert found[1:] == [found[0]] * 3


@pytest.mark.parametrize("left", [0, 1])
def test_most_edits_are_taken_back_at_once(host: PluginHost, tmp_path: Path, left: int) -> None:
    desk = Desk(tmp_path, host, FILES)
    desk.create("one")
    desk.refresher().make_ready("one", lambda: False)
    many = {f"Lib/Further{number}.cs": f"namespace Lib; class Further{number} {{ }}\n" for number in range(15)}
    desk.write({**FILES, **many})
    assert desk.refresher().refresh("one").symbols_updated == 15
    kept = {path: many[path] for path in sorted(many)[:left]}
    desk.write({**FILES, **kept})
    done = desk.refresher().refresh("one")
    assert (done.files_reindexed, done.symbols_updated) == (15 - left, 15 - left)
    assert not desk.wrong("one", {**FILES, **kept})
    desk.write({**FILES, "Lib/Later.cs": "namespace Lib; class Later { }\n"})
    assert desk.refresher().refresh("one").files_reindexed == 1 + left
    assert not desk.wrong("one", {**FILES, "Lib/Later.cs": "namespace Lib; class Later { }\n"})


def test_many_files_that_change_at_once_are_counted_as_they_are_written(
    host: PluginHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_editor, "_MOST_PENDING", 10)  # so that their rows are written in several portions
    written: list[tuple[int, int]] = []

    def progress(stage: str, done: int, total: int) -> None:
        if stage == Stage.PUBLISH:
            written.append((done, total))

    desk = Desk(tmp_path, host, FILES)
    desk.create("one")
    many = {
        f"Lib/Many{number}.cs": f"class Many{number} : Many{number + 1} {{ Many0 M() => M(); }}"
        for number in range(250)
    }
    desk.write({**FILES, **many})
    desk.refresher(progress).refresh("one")
    assert [written[0], *written[-2:]] == [(0, 250), (150, 250), (200, 250)]
    assert not desk.wrong("one", {**FILES, **many})


def test_what_is_made_ready_ends_early_for_who_waits(host: PluginHost, tmp_path: Path) -> None:
    """It leaves out what is of use and not needed: files bound ahead. What the first refresh then gives is the same."""
    asked: dict[str, int] = {}

    def hurried_after(name: str, most: int) -> bool:
        asked[name] = asked.get(name, 0) + 1
        return asked[name] > most

    desk = Desk(tmp_path, host, FILES)
    for name, most in (("not waited for", 100), ("waited for", 1)):
        desk.create(name)
        desk.resident = Resident()
        desk.refresher().make_ready(name, partial(hurried_after, name, most))
    assert asked == {"not waited for": 1 + 2, "waited for": 2}, "before anything, and before a file of each project"
    edited = {**FILES, "Lib/Later.cs": "namespace Lib; class Later { }\n"}
    desk.write(edited)
    desk.refresher().refresh("waited for")
    assert not desk.wrong("waited for", edited)


def test_a_loose_file_becomes_a_project_and_ceases_to_be_one(host: PluginHost, tmp_path: Path) -> None:
    desk = Desk(tmp_path, host, FILES)
    desk.create("one")
    loose = "class Loose { public Lib.Order Order; }\n"
    for text in (loose, loose + "\n", "#:project ../Lib\n" + loose, "#:project ../Lib\n\n" + loose, loose):
        files = {**FILES, "Tools/Loose.cs": text}
        desk.write(files)
        desk.refresher().refresh("one")
        assert not desk.wrong("one", files), text


def test_what_is_concluded_names_the_project_that_comes_first(host: PluginHost, tmp_path: Path) -> None:
    """Another project begins, and ceases, to compile the file: under symbols with which it leaves no notes of its own."""
    helper = """#if NET
class Helper
{
    void M(int count) { if (count < 0) Throw(nameof(count)); }
    [System.Diagnostics.CodeAnalysis.DoesNotReturn]
    static void Throw(string name) => throw new System.ArgumentOutOfRangeException(name);
}
#endif
"""
    files = {**FILES, "Lib/Helper.cs": helper}
    old = FILES["Lib/Lib.csproj"].replace("net10.0", "netstandard2.0")
    desk = Desk(tmp_path, host, files)
    desk.create("one")
    for added in ({"Lib/Later.cs": "class Later { }\n"}, {"Lib/Copy.csproj": old}, {}):
        desk.write({**files, **added})
        desk.refresher().refresh("one")
        assert not desk.wrong("one", {**files, **added}), added


@pytest.mark.parametrize("package", ["", '<PackageReference Include="Other.Package" Version="1.0.0" />'])
def test_a_type_of_a_library_is_declared(host: PluginHost, tmp_path: Path, package: str) -> None:
    """Then nothing is known of its base types any more, which only it led to."""
    before = {**FILES, "App/Uses.cs": "class Uses { object O = typeof(System.IO.MemoryStream); }\n"}
    project = FILES["App/App.csproj"].replace("</Project>", f"<ItemGroup>{package}</ItemGroup></Project>")
    own = {"App/Own.cs": "namespace System.IO; public class MemoryStream { }\n"}
    desk = Desk(tmp_path, host, before)
    desk.create("one")
    for files in (before | own | {"App/App.csproj": project}, before):
        desk.write(files)
        desk.refresher().refresh("one")
        assert not desk.wrong("one", files)


def test_a_file_with_several_parts_of_a_type_is_edited(
    host: PluginHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = (
        "namespace Lib; public partial class Parts {{ int {} => 1; }}\npublic partial class Parts {{ public int B; }}\n"
    )
    desk = Desk(tmp_path, host, {**FILES, "Lib/Parts.cs": parts.format("A")})
    desk.create("one")
    desk.refresher().make_ready("one", lambda: False)
    monkeypatch.setattr(resident, "declare", None)  # the table that is there is changed
    files = {**FILES, "Lib/Parts.cs": parts.format("Other")}
    desk.write(files)
    assert desk.refresher().refresh("one").failures == ()
    monkeypatch.undo()
    assert not desk.wrong("one", files)


def test_a_table_that_cannot_be_changed_is_made_again(
    host: PluginHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("it cannot be changed")

    desk = Desk(tmp_path, host, FILES)
    desk.create("one")
    desk.refresher().make_ready("one", lambda: False)
    monkeypatch.setattr(type(host.languages[0]), "redeclare", fail)
    for number in range(2):
        files = {**FILES, "Lib/Later.cs": f"namespace Lib; class Later{number} {{ }}\n"}
        desk.write(files)
        caplog.clear()
        assert desk.refresher().refresh("one").failures == ()
        (said,) = caplog.messages
        assert "it cannot be changed" in said and "Lib/Later.cs" in said
        assert not desk.wrong("one", files)


def test_a_file_is_deleted_that_was_not_bound(
    host: PluginHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("nothing can be declared")

    desk = Desk(tmp_path, host, FILES)
    desk.create("one")
    monkeypatch.setattr(type(host.languages[0]), "declare", fail)
    desk.write({**FILES, "Lib/Later.cs": "namespace Lib; class Later { }\n"})
    assert desk.refresher().refresh("one").failures
    monkeypatch.undo()
    desk.write(FILES)
    assert desk.refresher().refresh("one").failures == ()
    assert not desk.wrong("one", FILES)


def test_a_package_that_is_not_on_this_machine_binds_its_project_alone(
    host: PluginHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUGET_PACKAGES", str(tmp_path / "packages"))
    desk = Desk(tmp_path, host, FILES)
    desk.create("one")
    other = '<ItemGroup><PackageReference Include="Other.Package" Version="1.0.0" /></ItemGroup></Project>'
    files = {**FILES, "App/App.csproj": FILES["App/App.csproj"].replace("</Project>", other)}
    of_app = {path for path in FILES if path.startswith("App/")}
    for process in (desk.resident, Resident()):  # one that has refreshed before, and one that has just started
        desk.resident = process
        for state in (files, FILES):
            desk.write(state)
            assert desk.refresher().refresh("one").documents_replaced == len(of_app)
            assert not desk.wrong("one", state)


def test_libraries_are_described_as_projects_see_them_now(host: PluginHost, tmp_path: Path) -> None:
    desk = Desk(tmp_path, host, xunit_projects(XUNIT_2))
    desk.create("one")
    for files in (xunit_projects(XUNIT_3), xunit_projects(""), xunit_projects(XUNIT_2)):
        desk.write(files)
        assert desk.refresher().refresh("one").documents_replaced == 2, "the project and what it compiles"
        assert not desk.wrong("one", files)


@pytest.mark.parametrize("then", ["namespace Lib; class Other { }\n", None])
def test_what_was_taken_up_is_analysed_again_after_the_disk_has_moved_on(
    host: PluginHost, tmp_path: Path, then: str | None
) -> None:
    """The text that was taken up counts until its file is listed: with another define, every file of the project is another unit."""
    taken = {**FILES, "Lib/New.cs": "namespace Lib;\n#if OTHER\nclass New { }\n#endif\n"}
    project = FILES["Lib/Lib.csproj"].replace(
        "</TargetFramework>", "</TargetFramework><DefineConstants>OTHER</DefineConstants>"
    )
    desk = Desk(tmp_path, host, FILES)
    desk.create("one")
    desk.write(taken)
    desk.refresher().refresh("one")
    later = {**taken, "Lib/Lib.csproj": project}
    desk.write({**later, "Lib/New.cs": then} if then else {path: later[path] for path in later if path != "Lib/New.cs"})
    desk.refresher().refresh("one", ["Lib/Lib.csproj"])
    assert not desk.wrong("one", later)
