"""The plug-in host through its factory: isolation, reports, disputes and the fingerprint."""

from __future__ import annotations

import os
import sys
from importlib.metadata import EntryPoint
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from codemap_core.forking import can_fork
from codemap_core.hooks import manager
from codemap_core.hooks.contracts import front_ends_by_suffix
from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.hooks.registry import Owner, Registration, resolve
from codemap_core.hooks.validation import EXTENSION_POINTS, ExtensionPoint
from codemap_core.model.meanings import Does, ImpliedUses, LibraryCalls, Meanings, PageHandlers, WholeUse
from tests.core.hooks.plugins import (
    Compiling,
    Finder,
    Joining,
    Misspelt,
    NoHooks,
    NotCallable,
    Provides,
    Raises,
    RaisesInHook,
    ToyLanguage,
    Unreadable,
    WrongArguments,
    family,
)
from tests.segfaults import without_dumps


def host_of(**plugins: object) -> PluginHost:
    return load_plugins(blocked=(), extra=plugins, installed=())


def messages(host: PluginHost) -> list[str]:
    return [problem.message for problem in host.problems]


def test_items_are_sorted_by_name_and_listed_under_their_plugin() -> None:
    host = host_of(b=Provides([ToyLanguage("zig"), ToyLanguage("ada")]), a=Provides([ToyLanguage("lua")]))
    assert [language.name for language in host.languages] == ["ada", "lua", "zig"]
    assert [(info.name, dict(info.provides)) for info in host.plugins] == [
        ("a", {"languages": ("lua",)}),
        ("b", {"languages": ("ada", "zig")}),
    ]
    assert host.problems == ()


@pytest.mark.parametrize("point", EXTENSION_POINTS, ids=lambda point: point.name)
def test_what_is_built_in_may_be_registered(point: ExtensionPoint) -> None:
    """Nothing looks at it when it is loaded."""
    items = getattr(load_plugins(blocked=()), point.name)
    if isinstance(items, Meanings):
        items = (replace(items, name="joined"),)
    assert [point.problem_of(item) for item in items] == [None] * len(items)


@pytest.mark.parametrize(
    ("plugin", "expected"),
    [
        (RaisesInHook(), "codemap_register_languages raised RuntimeError: no licence key"),
        (Raises(SystemExit(3)), "codemap_register_languages raised SystemExit: 3"),
        (Raises(KeyboardInterrupt()), "codemap_register_languages raised KeyboardInterrupt; it provides no languages"),
        (Raises(GeneratorExit("x")), "codemap_register_languages raised GeneratorExit: x"),
        (Raises(MemoryError()), "codemap_register_languages raised MemoryError"),
        (
            Misspelt(),
            "implements codemap_register_langauges, which is not a hook. Did you mean codemap_register_languages?",
        ),
        (WrongArguments(), "is not usable"),
        (SimpleNamespace(), "is not usable: TypeError: unhashable type"),
        (NoHooks(), "implements no hook"),
        (
            Provides([object()]),
            "object lacks analyse, bind, declare, dialects, fingerprint, is_generated, name, relevant_settings, row_fingerprint, "
            "symbols of LanguageFrontEnd",
        ),
        (Provides([ToyLanguage("Bad Name", ".bad")]), "the name 'Bad Name' does not match"),
        (Provides([ToyLanguage("vb", "VB")]), "the suffix 'VB' is not lower-case with a leading dot"),
        (Provides([ToyLanguage("vb", fingerprint="")]), "fingerprint must be a non-empty string"),
        (Provides([Joining({".joins": 1})]), "joining must map suffixes of its files to suffixes of projects"),
        (Provides([Joining({".other": ".proj"})]), "joining names '.other', which is not one of its suffixes"),
        (Provides([Compiling([".maybe"])]), "compiled_only must be a tuple of suffixes"),
        (Provides([Compiling((".other",))]), "compiled_only names '.other', which is not one of its suffixes"),
        (Provides(extractors=[Finder]), "Finder is a class; register an instance of it"),
        (Provides(extractors=[NotCallable()]), "NotCallable.extract is not a method"),
        (Provides(extractors=[Unreadable()]), "reading the attributes of Unreadable raised ZeroDivisionError"),
        (Provides(extractors=[Finder(files=("\\",))]), "interests.files ('\\\\',) cannot be read"),
        (
            Provides(extractors=[Finder("lau")]),
            "the language 'lau', which no plug-in here reads, so it is never called. Did you mean lua? Languages: lua.",
        ),
        (Provides(families=[family("empty")]), "tool family empty has no tools"),
        (Provides(families=[family("f", "nodots")]), "a name is family.verb"),
        (Provides(families=[family("f", "f." + "x" * 40)]), "at most 36 characters"),
    ],
)
def test_a_faulty_plugin_is_reported_and_isolated(plugin: object, expected: str) -> None:
    host = host_of(faulty=plugin, sound=Provides([ToyLanguage("lua")], [family("moon", "moon.phase")]))
    assert [language.name for language in host.languages] == ["lua"]
    assert "moon" in {each.name for each in host.tool_families}
    (problem,) = host.problems
    assert problem.plugin == "faulty"
    assert expected in problem.message
    faulty = next(info for info in host.plugins if info.name == "faulty")
    assert faulty.problems == (problem,)


def test_hooks_beside_the_faulty_one_still_count() -> None:
    host = host_of(raises=RaisesInHook(), misspelt=Misspelt())
    assert [each.name for each in host.tool_families] == ["fine", "spelt"]


@pytest.mark.parametrize("annotation", [str | None, "str | None"])
def test_a_tool_with_an_optional_string_is_refused(annotation: Any) -> None:
    arguments = type(
        "Arguments", (Struct,), {"__annotations__": {"query": annotation}, "query": None}, forbid_unknown_fields=True
    )
    tools = family("find", "find.it")
    unsafe = replace(tools, tools=(replace(tools.tools[0], arguments=arguments),))
    assert "query is a string or null" in messages(host_of(p=Provides(families=[unsafe])))[0]


def test_an_import_that_fails_is_reported_with_the_next_step() -> None:
    entry = EntryPoint("broken", "no_such_module_anywhere", "codemap")
    host = load_plugins(blocked=(), installed=[entry])
    assert "ModuleNotFoundError" in messages(host)[0]
    assert "Reinstall" in messages(host)[0]
    assert [info.name for info in host.plugins] == ["broken"]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("class Odd(BaseException): pass\nraise Odd('x')", "Odd: x"),
        ("import sys\ndef f(): f()\nf()", "RecursionError"),
        (
            "import os, sys\nsys.setrecursionlimit(90); os.environ.clear(); os.chdir('/')\nraise ValueError('late')",
            "late",
        ),
    ],
)
def test_an_import_that_misbehaves_is_reported_and_leaves_nothing_behind(
    statement: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    name = f"misbehaving_{abs(hash(statement))}"
    (tmp_path / f"{name}.py").write_text(f"print('printed')\n{statement}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    before = (Path.cwd(), dict(os.environ), sys.getrecursionlimit())
    host = load_plugins(
        blocked=(), installed=[EntryPoint("bad", name, "codemap")], extra={"sound": Provides([ToyLanguage("lua")])}
    )
    (message,) = messages(host)
    assert f"plug-in bad cannot be loaded from {name}" in message
    assert said in message
    assert [language.name for language in host.languages] == ["lua"]
    assert (Path.cwd(), dict(os.environ), sys.getrecursionlimit()) == before
    assert "printed" not in capfd.readouterr().out


ENDINGS: Final = {
    "import os; os._exit(3)": "ended its process with exit code 3",
    "import os; os._exit(0)": "ended its process with exit code 0",
    "import ctypes; ctypes.string_at(0)": "ended its process by SIGSEGV",
    "import time; time.sleep(3600)": "did not end within 1 second",
}


@pytest.mark.skipif(not can_fork(), reason="nothing is tried where processes are spawned")
@pytest.mark.parametrize("statement", ENDINGS)
def test_an_import_and_a_hook_that_end_their_process(
    statement: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is sound between them is loaded, and each of its hooks called once."""
    monkeypatch.setattr(manager, "LOADING_SECONDS", 1.0)
    sound = """
from codemap_core.hooks import hookimpl
from codemap_core.model import FactKindInfo
calls = []
@hookimpl
def codemap_register_fact_kinds(registry):
    calls.append(1)
    registry.add(FactKindInfo(name="gate", title="Gates", value="", detail={}))
"""
    hook = f"""
from codemap_core.hooks import hookimpl
@hookimpl
def codemap_register_fact_kinds(registry):
    {statement}
"""
    unique = abs(hash(statement))
    sources = {f"a_{unique}": statement, f"b_{unique}": sound, f"c_{unique}": hook, f"d_{unique}": statement}
    for name, source in sources.items():
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with without_dumps():
        host = load_plugins(blocked=(), installed=[EntryPoint(name[0], name, "codemap") for name in sources])
        assert [kind.name for kind in host.fact_kinds] == ["gate"]
    said = ENDINGS[statement]
    assert messages(host) == [
        f"plug-in a {said} when it is imported. Reinstall a, or block it.",
        f"plug-in c {said} in codemap_register_fact_kinds; it provides no fact_kinds",
        f"plug-in d {said} when it is imported. Reinstall d, or block it.",
    ]
    assert sys.modules[f"b_{unique}"].calls == [1]


def test_blocked_plugins_are_listed_but_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEMAP_BLOCK_PLUGINS", "moon, sunn")
    host = load_plugins(extra={"moon": Raises(SystemExit(3)), "sun": Provides([ToyLanguage("sol")])}, installed=())
    assert [(info.name, info.blocked) for info in host.plugins] == [("moon", True), ("sun", False)]
    assert messages(host) == [
        "plug-in sunn is blocked but not installed. Did you mean sun? Check CODEMAP_BLOCK_PLUGINS."
    ]


def test_a_duplicate_is_rejected_naming_both_owners() -> None:
    host = host_of(beta=Provides([ToyLanguage("lua", ".lua2")]), alpha=Provides([ToyLanguage("lua", ".lua")]))
    assert [tuple(language.dialects) for language in host.languages] == [(".lua",)]
    (message,) = messages(host)
    assert "plug-in alpha" in message
    assert "plug-in beta" in message
    assert host.problems[0].plugin == "beta"


def test_suffixes_and_tool_names_are_claimed_too() -> None:
    host = host_of(
        alpha=Provides([ToyLanguage("lua", ".l")], [family("one", "a.b_c")]),
        beta=Provides([ToyLanguage("lisp", ".l")], [family("two", "a_b.c")]),
    )
    assert [language.name for language in host.languages] == ["lua"]
    assert [each.name for each in host.tool_families] == ["one"]
    assert len(host.problems) == 2


def test_a_suffix_of_files_that_projects_name_may_be_claimed() -> None:
    for plugins in ({"a": Compiling((".maybe",))}, {"a": ToyLanguage("lua", ".maybe"), "b": Compiling((".maybe",))}):
        host = host_of(**{name: Provides([language]) for name, language in plugins.items()})
        assert not host.problems
        owner = "lua" if len(plugins) > 1 else "compiles"
        found = {suffix: language.name for suffix, language in front_ends_by_suffix(host.languages).items()}
        assert found == {".compiles": "compiles", ".maybe": owner}


def test_a_built_in_keeps_its_name_against_a_third_party() -> None:
    ours, theirs = Owner("zulu", "codemap", "1", built_in=True), Owner("alpha", "alien", "1")
    claims = [
        Registration(theirs, "languages", ToyLanguage("lua")),
        Registration(ours, "languages", ToyLanguage("lua")),
    ]
    resolution = resolve(claims, lambda language: (f"name {language.name}",))
    assert [each.owner for each in resolution.accepted] == [ours]
    assert [problem.plugin for problem in resolution.problems] == ["alpha"]


NAMES = st.sampled_from(["ada", "lua", "zig"])
PLUGINS = st.dictionaries(
    st.sampled_from(["p", "q", "r", "s"]),
    st.lists(st.tuples(NAMES, st.sampled_from([".a", ".b", ".c"])), max_size=3),
)


@settings(deadline=None)
@given(PLUGINS, st.randoms(use_true_random=False))
def test_load_order_changes_nothing(described: dict[str, list[tuple[str, str]]], random: Any) -> None:
    plugins = {
        name: Provides(
            [ToyLanguage(*each) for each in languages], [family(each, f"{each}.run") for each, _ in languages]
        )
        for name, languages in described.items()
    }
    plugins["faulty"] = RaisesInHook()  # type: ignore[assignment]  # any object is a plug-in
    shuffled = list(plugins.items())
    random.shuffle(shuffled)
    first, second = host_of(**plugins), host_of(**dict(shuffled))
    assert [(each.name, tuple(each.dialects)) for each in first.languages] == [
        (each.name, tuple(each.dialects)) for each in second.languages
    ]
    assert [each.name for each in first.tool_families] == [each.name for each in second.tool_families]
    assert first.problems == second.problems
    assert first.plugins == second.plugins
    assert first.fingerprints() == second.fingerprints()


ENTRIES = [
    EntryPoint("zulu", "tests.core.hooks.plugins:LUA", "codemap"),
    EntryPoint("alpha", "tests.core.hooks.plugins:OTHER_LUA", "codemap"),
    EntryPoint("alpha", "tests.core.hooks.plugins:ZIG", "codemap"),
    EntryPoint("misspelt", "tests.core.hooks.plugins:MISSPELT", "codemap"),
    EntryPoint("gone", "tests.core.hooks.plugins:GONE", "codemap"),
]


@settings(max_examples=30)  # of 120 orders; each forks processes
@given(st.permutations(ENTRIES))
def test_the_order_of_entry_points_changes_nothing(entries: list[EntryPoint]) -> None:
    host = load_plugins(blocked=(), installed=entries)
    assert [(each.name, tuple(each.dialects)) for each in host.languages] == [("lua", (".lua2",))]
    assert [problem.plugin for problem in host.problems] == ["gone", "misspelt", "zulu"]


def test_the_fingerprint_follows_languages_and_ignores_tools() -> None:
    base = host_of(p=Provides([ToyLanguage("lua")])).fingerprints()
    assert host_of(p=Provides([ToyLanguage("lua")])).fingerprints() == base
    assert host_of(p=Provides([ToyLanguage("lua")], [family("f", "f.g")])).fingerprints() == base
    assert host_of(p=Provides([ToyLanguage("lua", fingerprint="2")])).fingerprints() != base
    assert host_of(p=Provides([ToyLanguage("lua"), ToyLanguage("zig")])).fingerprints() != base


def test_meanings_of_all_plugins_are_joined() -> None:
    bus = LibraryCalls(does=Does.SENDS, types=("T:A.Bus",), names=("Send",))
    disk = LibraryCalls(does=Does.SAVES, types=("T:B.Disk",), names=("Flush",))
    first = Provides(meanings=[Meanings(name="bus", calls=(bus,), implied=ImpliedUses(entry_points=("main",)))])
    second = Provides(meanings=[Meanings(name="disk", calls=(disk,), implied=ImpliedUses(entry_points=("start",)))])
    for host in (host_of(one=first, other=second), host_of(one=second, other=first)):
        assert not host.problems
        assert host.meanings == Meanings(calls=(bus, disk), implied=ImpliedUses(entry_points=("main", "start")))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (Meanings(name="bus", calls=("Send",)), "Expected `object`, got `str` - at `$.calls[0]`"),  # type: ignore[arg-type]
        (Meanings(name="bus", universal_types="T:A"), "Expected `array`, got `str` - at `$.universal_types`"),  # type: ignore[arg-type]
        (Meanings(name="web", pages=(PageHandlers(method="On.*", code_behind=".cs"),)), "'On.*' has no group"),
        (
            Meanings(name="cs", implied=ImpliedUses(reflections=(WholeUse(pattern="of", words=("of",)),))),
            "'of' has no group",
        ),
        (
            Meanings(name="cs", implied=ImpliedUses(module_values=(WholeUse(pattern="of (it)", words=()),))),
            "the code that 'of (it)' finds has no words",
        ),
        (Meanings(name="web", pages=(PageHandlers(method="On(", code_behind=".cs"),)), "unterminated subpattern"),
    ],
)
def test_meanings_that_cannot_be_asked_are_left_out(wrong: Meanings, said: str) -> None:
    host = host_of(one=Provides(meanings=[wrong]))
    assert host.meanings == Meanings()
    (message,) = messages(host)
    assert said in message


class Changing(Finder):
    """Says something else of itself each time."""

    def __init__(self) -> None:
        super().__init__()
        self._count = count()

    @property
    def name(self) -> str:  # type: ignore[override]
        return f"changing{next(self._count)}"

    @property
    def kinds(self) -> Any:  # type: ignore[override]
        return ("found",) if next(self._count) < 5 else None


def test_attributes_are_read_once() -> None:
    language = ToyLanguage("lua")
    host = host_of(moody=Provides([language], extractors=[Changing()]))
    assert not host.problems
    (extractor,) = host.extractors
    assert extractor.item.name == extractor.item.name
    assert (
        host.fact_sources.kinds
        == host_of(moody=Provides([ToyLanguage("lua")], extractors=[Changing()])).fact_sources.kinds
    )
    language.dialects = {}
    assert host.languages[0].dialects == {".lua": "lua"}
