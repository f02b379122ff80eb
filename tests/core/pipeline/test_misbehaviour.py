"""Plug-ins that misbehave, one for each way there is: each costs its own rows of that file, is named, and changes no other row."""

from __future__ import annotations

import builtins
import ctypes
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from codemap_core.config import Settings
from codemap_core.forking import can_fork
from codemap_core.hooks import hookimpl
from codemap_core.hooks.contracts import AnalysedDocument, AnalysisSettings, FileSet, FrontEnd, UnitKey, Universe
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import ANY, Interests
from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.hooks.registry import Registry
from codemap_core.model import DocumentStatus, FactRow, ReferenceRow, RefKind, ResolutionState, SymbolKind, plain_symbol
from codemap_core.pipeline import BaselineResult, ensure_baseline, extract, extraction, guard
from codemap_core.queries.indexes.repository import quality_of
from codemap_core.queries.snapshot import Snapshot
from codemap_core.repository import Repository
from codemap_plugins.csharp.front_end import CSharpFrontEnd
from tests.clone import Clone
from tests.core.pipeline.conftest import dump
from tests.segfaults import without_dumps

SECONDS: Final = 1.0
FILES: Final = {
    "src/A.cs": "class A\n{\n    void M() { N(); }\n    void N() { }\n}\n",
    "src/B.cs": "class B : A { }\n",
    "x.toy": "toy\n",
    "notes.md": "# Notes\n",
}
Extract = Callable[[Seen], Any]


def fact(seen: Seen, **other: Any) -> FactRow:
    sound = FactRow(kind="good", value=seen.file_path, file_path=seen.file_path, line_start=1, line_end=1)
    return replace(sound, **other)


class Facts:
    """Finds one fact in each file; what is wrong with it happens in ``src/A.cs`` alone."""

    language = "csharp"
    interests = Interests(declarations=ANY)
    kinds = ("good",)

    def __init__(self, name: str, extract: Extract | None = None) -> None:
        self.name = name
        self._extract = extract

    def extract(self, seen: Seen) -> Any:
        if self._extract is not None and seen.file_path == "src/A.cs":
            return self._extract(seen)
        return [fact(seen, value=f"{self.name} {seen.file_path}")]


class Toy(FrontEnd):
    """A front end that does as it is told."""

    name = "toy"
    dialects = {".toy": "toy"}  # noqa: RUF012

    def __init__(self, analysed: Any = None, symbols: Any = None, declared: Callable[[], Any] | None = None) -> None:
        self._analysed = analysed
        self.fingerprint = "sound" if analysed is None else "unsound"  # units are kept by it
        self._symbols = symbols
        self._declared = declared

    def analyse(self, content: bytes, settings: AnalysisSettings) -> AnalysedDocument:
        if self._analysed is not None:
            return self._analysed()  # type: ignore[no-any-return]
        return AnalysedDocument(unit=b"toy", text=content.decode(), line_count=1, status=DocumentStatus.CLEAN)

    def declare(self, universe: Universe) -> Any:
        return self._declared() if self._declared is not None else universe

    def symbols(self, table: Any, unit: UnitKey) -> Iterable[Any]:
        return self._symbols(unit) if self._symbols is not None else ()


class Loader:
    name = "loader"

    def __init__(self, load: Callable[[], Any]) -> None:
        self._load = load

    def load(self, files: FileSet, solution: str | None) -> Any:
        return self._load()


class Plugin:
    def __init__(self, **items: Sequence[Any]) -> None:
        self._items = items

    def _add(self, registry: Registry[Any], point: str) -> None:
        for item in self._items.get(point, ()):
            registry.add(item)

    @hookimpl
    def codemap_register_languages(self, registry: Registry[Any]) -> None:
        self._add(registry, "languages")

    @hookimpl
    def codemap_register_project_loaders(self, registry: Registry[Any]) -> None:
        self._add(registry, "loaders")

    @hookimpl
    def codemap_register_symbol_extractors(self, registry: Registry[Any]) -> None:
        self._add(registry, "symbols")

    @hookimpl
    def codemap_register_reference_extractors(self, registry: Registry[Any]) -> None:
        self._add(registry, "references")

    @hookimpl
    def codemap_register_fact_extractors(self, registry: Registry[Any]) -> None:
        self._add(registry, "facts")


def host_of(**items: Sequence[Any]) -> PluginHost:
    host = load_plugins(extra={"bad": Plugin(**items), "fine": Plugin(facts=[Facts("fine")])})
    assert not host.problems
    return host


@pytest.fixture(autouse=True)
def _few_alarms(monkeypatch: pytest.MonkeyPatch) -> None:
    """What catches every alarm loses its process at the second one in place of the sixth."""
    monkeypatch.setattr(guard, "_RINGS", 1)


@pytest.fixture(autouse=True)
def _no_dumps() -> Iterator[None]:
    with without_dumps():
        yield


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    clone = Clone(tmp_path_factory.mktemp("misbehaviour") / "repository")
    clone.commit(FILES)
    return clone.root


@pytest.fixture(scope="module")
def build(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., BaselineResult]:
    settings = Settings(data_directory=tmp_path_factory.mktemp("home"), extractor_seconds=SECONDS)

    def run(host: PluginHost) -> BaselineResult:
        return ensure_baseline(Repository.open(repository), host, settings, rebuild=True)

    return run


@pytest.fixture(scope="module")
def sound(build: Callable[..., BaselineResult]) -> dict[str, list[bytes]]:
    return dump(build(host_of()))


def forever(seen: Seen | None) -> Any:
    while True:
        time.sleep(0.01)


def filling(seen: Seen) -> Any:
    held = []
    while True:
        held.append(bytes(1 << 28))  # which takes addresses, and no memory


def stubborn(seen: Seen) -> Any:
    while True:
        try:
            time.sleep(0.01)
        except BaseException:
            continue


def prints(seen: Seen) -> Any:
    print("to be seen elsewhere")  # noqa: T201
    os.write(1, b"to be seen elsewhere\n")
    raise ValueError("printed")


class StrangeError(BaseException):
    """Neither an error nor an end."""


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise ValueError


def raising_in(seen: Any, error: BaseException) -> Any:
    raise error


def recursing(seen: Seen) -> Any:
    return recursing(seen)


def endless(seen: Seen) -> Any:
    row = fact(seen)
    while True:
        yield row


def changing(seen: Seen) -> Any:
    """Changes what everything after it in its process depends on."""
    sys.setrecursionlimit(90)
    os.chdir("/")
    os.environ.clear()
    gc.disable()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    raise ValueError("changed")


def patching(seen: Seen) -> Any:
    builtins.len = lambda _: 0
    raise ValueError("patched")


def closing(seen: Seen) -> Any:
    os.close(1)
    sys.stdout.close()
    raise ValueError("closed")


def starting_threads(seen: Seen) -> Any:
    threading.Thread(target=time.sleep, args=(3600,)).start()
    raise ValueError("started")


def half(seen: Seen) -> Any:
    yield fact(seen)
    raise ValueError("boom")


def itself() -> dict[str, Any]:
    detail: dict[str, Any] = {}
    detail["x"] = detail
    return detail


WRONG_FACTS: Final[dict[str, tuple[Extract, str]]] = {
    "a file of the index, but another": (lambda seen: [fact(seen, file_path="src/B.cs")], "a row of src/B.cs"),
    "a file that does not exist": (lambda seen: [fact(seen, file_path="nope.cs")], "a row of nope.cs"),
    "a value of another type": (lambda seen: [fact(seen, value=7)], "Expected `str`, got `int`"),
    "a lone surrogate": (lambda seen: [fact(seen, value="\ud800")], "cannot be stored"),
    "half a surrogate pair in a detail": (lambda seen: [fact(seen, detail={"\udfff": 1})], "cannot be stored"),
    "a number that is none": (lambda seen: [fact(seen, detail={"x": [float("nan")]})], "a detail with nan"),
    "a number without end": (lambda seen: [fact(seen, detail={"x": float("inf")})], "a detail with inf"),
    "a number beyond 64 bits": (lambda seen: [fact(seen, detail={"x": 2**70})], "cannot be stored"),
    "a row of many megabytes": (lambda seen: [fact(seen, value="x" * 5_000_000)], "a FactRow of 5,000,"),
    "rows without end": (endless, "it yielded more than 200,000 rows"),
    "a detail that holds itself": (lambda seen: [fact(seen, detail=itself())], "cannot be stored"),
    "a truth value for a line": (lambda seen: [fact(seen, line_start=True)], "got `bool`"),
    "lines in reverse": (lambda seen: [fact(seen, line_start=3, line_end=2)], "lines 3 to 2"),
    "an absolute path": (lambda seen: [fact(seen, file_path="/etc/passwd")], "a row of /etc/passwd"),
    "a confidence of its own": (lambda seen: [fact(seen, confidence="certain")], "Invalid enum value 'certain'"),
    "a row's class": (lambda seen: [FactRow], "it yielded a StructMeta"),
    "text": (lambda seen: "abc", "it returned a str"),
    "recursion": (recursing, "RecursionError"),
    "KeyboardInterrupt": (lambda seen: raising_in(seen, KeyboardInterrupt()), "KeyboardInterrupt"),
    "GeneratorExit": (lambda seen: raising_in(seen, GeneratorExit()), "GeneratorExit"),
    "an exception of no kind": (lambda seen: raising_in(seen, StrangeError("odd")), "StrangeError: odd"),
    "an exception that cannot be shown": (lambda seen: raising_in(seen, UnspeakableError()), "UnspeakableError"),
    "a note that is none": (lambda seen: [Note("t", seen.file_path, 1, object())], "cannot be stored"),
    "other settings of the process": (changing, "ValueError: changed"),
    "another meaning of a name of Python": (patching, ""),  # its process may end of it before it is put back
    "standard output closed": (closing, "ValueError: closed"),
    "threads without end": (starting_threads, "ValueError: started"),
    "SystemExit": (lambda seen: sys.exit(3), "SystemExit: 3"),
    "another kind": (lambda seen: [fact(seen, kind="bad")], "a fact of kind 'bad', but declares good"),
    "lines beyond the file": (lambda seen: [fact(seen, line_end=99999)], "lines 1 to 99999 of src/A.cs, which has 5"),
    "lines before the file": (lambda seen: [fact(seen, line_start=-5)], "lines -5 to 1"),
    "an empty owner": (lambda seen: [fact(seen, symbol_id="")], "an empty symbol_id"),
    "a detail that is no JSON": (lambda seen: [fact(seen, detail={"x": object()})], "cannot be stored"),
    "no row": (lambda seen: ["x"], "it yielded a str; expected: FactRow or Note"),
    "no iterable": (lambda seen: 7, "it returned an int"),
    "an exception, after a row": (half, "ValueError: boom"),
    "more memory than there is": (lambda seen: [fact(seen)] * 10**15, "MemoryError"),
    "memory without end": (filling, "MemoryError"),
    "no end": (forever, "it did not end within 1 second"),
    "output": (prints, "ValueError: printed"),
    "a note of another file": (lambda seen: [Note("t", "src/B.cs", 1)], "a row of src/B.cs"),
    "notes without conclude": (lambda seen: [Note("t", seen.file_path, 1)], "it left notes, but has no conclude"),
}


def leaving_children(seen: Seen) -> Any:
    """Who hold the pipe open that its process answers by."""
    if os.fork() == 0:
        time.sleep(20)
        os._exit(0)
    os._exit(3)


def changing_the_core(seen: Seen) -> Any:
    extraction.Outcome = None  # type: ignore[misc, assignment]
    return []


KILLERS: Final[dict[str, Extract]] = {
    "os._exit, with children": leaving_children,
    "another meaning of a name of CodeMap": changing_the_core,
    "os._exit": lambda seen: os._exit(3),
    "no end, and no ear": stubborn,
    "a signal": lambda seen: os.kill(os.getpid(), signal.SIGTERM),
    "an address that is none": lambda seen: ctypes.string_at(0),
    "all descriptors closed": lambda seen: os.closerange(0, 200),
}


def check_named(result: BaselineResult, said: str, file_path: str = "src/A.cs", name: str = "bad_facts") -> None:
    """The failure is in the result and in the index, with the plug-in it comes from."""
    (failure,) = result.failures
    assert said in failure.message
    assert (failure.extractor, failure.plugin, failure.file_path) == (name, "bad", file_path)
    with Snapshot.open(result.path) as snapshot:
        kept = quality_of(snapshot)
    messages = [*(each.message for each in kept.failures), *kept.repository_problems]
    assert any(said in message and f"{name} (bad)" in message for message in messages)


def check_others(result: BaselineResult, sound: dict[str, list[bytes]], own: bytes = b"bad_facts") -> None:
    """All rows but its own are those of an index without it."""
    found = dump(result)
    for kind, rows in sound.items():
        assert [row for row in found[kind] if own not in row] == rows, kind


@pytest.mark.parametrize("way", WRONG_FACTS)
def test_a_wrong_fact_costs_the_facts_of_its_extractor_in_that_file(
    build: Callable[..., BaselineResult], sound: dict[str, list[bytes]], capfd: pytest.CaptureFixture[str], way: str
) -> None:
    extract, said = WRONG_FACTS[way]
    result = build(host_of(facts=[Facts("bad_facts", extract)]))
    check_named(result, said, "" if "without conclude" in way else "src/A.cs")
    check_others(result, sound)
    assert sum(b"bad_facts" in row for row in dump(result)["facts"]) == 1, "what it said of the other file is kept"
    assert not capfd.readouterr().out


@pytest.mark.skipif(not can_fork(), reason="where processes are spawned, a small repository is indexed in this one")
@pytest.mark.parametrize("way", KILLERS)
def test_an_extractor_that_ends_its_process_is_found(
    build: Callable[..., BaselineResult], sound: dict[str, list[bytes]], way: str
) -> None:
    result = build(host_of(facts=[Facts("bad_facts", KILLERS[way]), Facts("innocent")]))
    check_named(result, "it ended its process")
    found = dump(result)
    assert sum(b"innocent" in row for row in found["facts"]) == 2
    for kind, rows in sound.items():
        assert [row for row in found[kind] if b"bad_facts" not in row and b"innocent" not in row] == rows, kind


def spoiling(seen: Seen) -> Any:
    extraction._encode = lambda _: b"nonsense"  # type: ignore[misc, assignment]


@pytest.mark.skipif(not can_fork(), reason="where processes are spawned, a small repository is indexed in this one")
def test_an_extractor_that_spoils_answers_is_left_out(
    build: Callable[..., BaselineResult], sound: dict[str, list[bytes]]
) -> None:
    """In the files after it too, as its process goes on."""
    result = build(host_of(facts=[Facts("bad_facts", spoiling), Facts("innocent")]))
    assert {(each.extractor, each.message) for each in result.failures} == {
        ("bad_facts", "it ended its process, did not end, or spoilt the answer of it")
    }
    found = dump(result)
    assert sum(b"innocent" in row for row in found["facts"]) == 2
    for kind, rows in sound.items():
        assert [row for row in found[kind] if b"bad_facts" not in row and b"innocent" not in row] == rows, kind


@pytest.mark.skipif(not can_fork(), reason="where processes are spawned, a small repository is indexed in this one")
def test_what_is_built_in_and_never_ends_costs_its_file(
    build: Callable[..., BaselineResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    bind = CSharpFrontEnd.bind

    def endless(self: CSharpFrontEnd, table: Any, unit: UnitKey, interests: Interests) -> Any:
        while unit.file_path == "src/A.cs":
            pass
        return bind(self, table, unit, interests)

    monkeypatch.setattr(CSharpFrontEnd, "bind", endless)
    monkeypatch.setattr(extract, "BUILT_IN", 0.5)
    result = build(load_plugins())
    assert {(each.file_path, each.message) for each in result.failures} == {
        ("src/A.cs", "it ended its process, did not end, or spoilt the answer of it")
    }
    assert any(b"T:B" in row for row in dump(result)["refs"] + dump(result)["symbols"])


class Symbols(Facts):
    """Gives one symbol twice over, changed each time."""

    def __init__(self, *changes: dict[str, Any]) -> None:
        super().__init__("bad_facts")
        self._changes = changes

    def extract(self, seen: Seen) -> Any:
        symbol = plain_symbol("T:x", SymbolKind.CLASS, "x", file_path=seen.file_path, line_start=1)
        return [replace(symbol, **each) for each in self._changes] if seen.file_path == "src/A.cs" else []


class Links(Facts):
    roles = ("sends",)

    def __init__(self, **other: Any) -> None:
        super().__init__("bad_facts")
        self._other = other

    def extract(self, seen: Seen) -> Any:
        link = ReferenceRow(
            kind=RefKind.LINK,
            role="sends",
            from_symbol=None,
            to_symbol="T:A",
            to_name="A",
            file_path=seen.file_path,
            line=1,
            line_end=1,
            column=1,
            resolution_state=ResolutionState.RESOLVED,
        )
        return [replace(link, **self._other)] if seen.file_path == "src/A.cs" else []


WRONG_ROWS: Final[dict[str, tuple[str, Any, str]]] = {
    "a kind that is no word": ("symbols", Symbols({"kind": "a message"}), "Invalid enum value 'a message'"),
    "what the language declares": ("symbols", Symbols({"symbol_id": "T:A"}), "T:A, which the file's own language"),
    "one symbol twice": ("symbols", Symbols({}, {"signature": "y"}), "the symbol T:x twice"),
    "a symbol before its line": ("symbols", Symbols({"name_column": -4}), "at column -4"),
    "a symbol without a name": ("symbols", Symbols({"name": ""}), "the symbol T:x without a name"),
    "a symbol without an id": ("symbols", Symbols({"symbol_id": ""}), "without a symbol_id"),
    "a stable id of its own": ("symbols", Symbols({"stable_id": "x"}), "plain_symbol makes one"),
    "a role that is not declared": (
        "references",
        Links(role="registers"),
        "a link of role 'registers', but declares sends",
    ),
    "a link of a role that is not declared, beside facts": ("facts", Links(role="registers"), "but declares sends"),
    "a link beyond its line": ("references", Links(column=2**62), "at column 4611686018427387904"),
    "a call with a role": ("references", Links(kind=RefKind.CALL), "only links have one"),
    "resolved to nothing": ("references", Links(to_symbol=None), "to None that says it is resolved"),
}


@pytest.mark.parametrize("way", WRONG_ROWS)
def test_wrong_symbols_and_references(
    build: Callable[..., BaselineResult], sound: dict[str, list[bytes]], way: str
) -> None:
    point, item, said = WRONG_ROWS[way]
    result = build(host_of(**{point: [item]}))
    check_named(result, said)
    assert dump(result) == sound


class Concludes(Facts):
    def __init__(self, conclude: Callable[[Sequence[Note]], Any]) -> None:
        super().__init__("bad_facts")
        self._conclude = conclude

    def extract(self, seen: Seen) -> Any:
        return [Note("t", seen.file_path, 1, {"x": [1]})]

    def conclude(self, notes: Sequence[Note]) -> Any:
        assert [note.file_path for note in notes] == ["src/A.cs", "src/B.cs"]
        return self._conclude(notes)


@pytest.mark.parametrize(
    ("conclude", "said"),
    [
        (lambda notes: [FactRow(kind="good", value="", file_path="no.cs", line_start=1, line_end=1)], "a row of no.cs"),
        (lambda notes: notes, "it yielded a Note; expected: FactRow"),
        (lambda notes: notes[7], "IndexError"),
        (lambda notes: os._exit(3), "it ended its process"),
        (lambda notes: raising_in(notes, KeyboardInterrupt()), "KeyboardInterrupt"),
        (lambda notes: forever(None), "it did not end within 6 seconds"),
    ],
)
@pytest.mark.skipif(not can_fork(), reason="where processes are spawned, conclusions are drawn in this one")
def test_a_wrong_conclusion_costs_the_conclusions(
    build: Callable[..., BaselineResult], sound: dict[str, list[bytes]], conclude: Any, said: str
) -> None:
    result = build(host_of(facts=[Concludes(conclude)]))
    check_named(result, said, "")
    assert dump(result) == sound


def raising() -> Any:
    raise SystemExit("no licence")


FRONT_ENDS: Final[dict[str, tuple[Toy, str, str]]] = {
    "declare is interrupted by itself": (
        Toy(declared=lambda: raising_in(None, KeyboardInterrupt())),
        "KeyboardInterrupt",
        "",
    ),
    "declare ends its process": (Toy(declared=lambda: os._exit(3)), "it ended its process in declare", ""),
    "declare raises": (Toy(declared=raising), "SystemExit: no licence", ""),
    "symbols of another file": (
        Toy(symbols=lambda unit: [plain_symbol("T:t", SymbolKind.CLASS, "t", file_path="src/A.cs", line_start=1)]),
        "it gave a row of src/A.cs",
        "x.toy",
    ),
    "symbols that are none": (Toy(symbols=lambda unit: [7]), "AttributeError", "x.toy"),
    "a symbol of another kind": (
        Toy(
            symbols=lambda unit: [
                replace(plain_symbol("T:t", SymbolKind.CLASS, "t", file_path="x.toy", line_start=1), kind="a message")
            ]
        ),
        "one of its symbols cannot be stored",
        "x.toy",
    ),
}


@pytest.mark.parametrize("way", FRONT_ENDS)
def test_a_front_end_that_fails_leaves_the_other_languages_alone(
    build: Callable[..., BaselineResult], way: str
) -> None:
    front_end, said, file_path = FRONT_ENDS[way]
    without = dump(build(host_of(languages=[Toy()])))
    result = build(host_of(languages=[front_end]))
    check_named(result, said, file_path, "toy")
    assert dump(result) == without


@pytest.mark.parametrize("analysed", [lambda: None, lambda: 7, raising, lambda: forever(None)])
def test_an_analyser_that_gives_nothing_fails_for_its_file(build: Callable[..., BaselineResult], analysed: Any) -> None:
    without = dump(build(host_of(languages=[Toy()])))
    result = build(host_of(languages=[Toy(analysed=analysed)]))
    assert result.statuses == {"clean": 2, "failed": 1}
    found = dump(result)
    assert {kind: found[kind] for kind in ("symbols", "refs", "relations", "facts")} == {
        kind: without[kind] for kind in ("symbols", "refs", "relations", "facts")
    }


def interrupted() -> Any:
    raise KeyboardInterrupt


@pytest.mark.parametrize("load", [lambda: None, raising, interrupted, lambda: "graph", lambda: os._exit(3)])
def test_a_loader_that_gives_no_graph_is_a_problem_of_the_repository(
    build: Callable[..., BaselineResult], sound: dict[str, list[bytes]], load: Any
) -> None:
    result = build(host_of(loaders=[Loader(load)]))
    (problem,) = [each.message for each in result.info.project_problems]
    assert problem.startswith("project loader failed: loader (bad): ")
    assert dump(result) == sound


class Questioned(Toy):
    """Fails in what it is asked of files before they are analysed."""

    def __init__(self, method: str, answer: Callable[..., Any] = lambda *_: None) -> None:
        super().__init__()
        setattr(self, method, answer)


class Choosy(Questioned):
    def leaves_out(self, path: str) -> bool:
        return False


QUESTIONS: Final = ("relevant_settings", "is_generated", "leaves_out")


@pytest.mark.parametrize("method", QUESTIONS)
def test_a_front_end_that_cannot_say_something_of_a_file_is_named(
    build: Callable[..., BaselineResult], method: str
) -> None:
    without = dump(build(host_of(languages=[Choosy("is_generated")])))
    raises = build(host_of(languages=[Choosy(method, lambda *_: raising_in(None, KeyError(1)))]))
    check_named(raises, "KeyError: 1", "x.toy", "toy")
    assert dump(raises) == without
    if can_fork():
        ends = build(host_of(languages=[Choosy(method, lambda *_: os._exit(3))]))
        check_named(ends, f"it ended its process in {method}", "", "toy")
        assert dump(ends) == without


@pytest.mark.skipif(not can_fork(), reason="plug-ins have no processes of their own where none can be forked")
def test_what_a_plugin_starts_ends_with_its_process(build: Callable[..., BaselineResult], tmp_path: Path) -> None:
    started = tmp_path / "started"

    def fork(seen: Seen) -> Any:
        number = os.fork()
        if number == 0:
            time.sleep(600)
            os._exit(0)
        started.write_text(str(number))
        return [fact(seen)]

    build(host_of(facts=[Facts("forking", fork)]))
    number = int(started.read_text())
    until = time.monotonic() + 10
    while is_running(number) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_running(number)


def is_running(number: int) -> bool:
    """A process that nobody waited for is there, but does not run."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
