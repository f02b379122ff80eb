"""What a front end says of files before they are analysed: whether it leaves one out, whether one is generated, which settings matter.

A fault costs that answer and is named: nothing is left out then, nothing is generated, and all settings matter. A front end that is not
built in is asked about all files at once, in a process of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from codemap_core.hooks.contracts import AnalysisSettings, LanguageFrontEnd, LeavesFilesOut
from codemap_core.hooks.registry import Owner
from codemap_core.pipeline.apart import asked_apart, is_default
from codemap_core.pipeline.guard import ExtractionFailure, failure_of

_Question = TypeVar("_Question")
_Answer = TypeVar("_Answer")


def left_out(
    language: LanguageFrontEnd, owner: Owner, paths: Sequence[str]
) -> tuple[frozenset[str], tuple[ExtractionFailure, ...]]:
    """Those of the paths that a front end leaves out."""
    if not isinstance(language, LeavesFilesOut):
        return frozenset(), ()
    return _chosen(language, owner, paths, language.leaves_out, "leaves_out")


def generated(
    language: LanguageFrontEnd, owner: Owner, paths: Sequence[str]
) -> tuple[frozenset[str], tuple[ExtractionFailure, ...]]:
    """Those of the paths that a front end says are generated."""
    if is_default(language, "is_generated"):
        return frozenset(), ()
    return _chosen(language, owner, paths, language.is_generated, "is_generated")


def relevant_settings(
    language: LanguageFrontEnd,
    owner: Owner,
    files: Sequence[tuple[str, bytes, AnalysisSettings]],
) -> tuple[tuple[AnalysisSettings, ...], tuple[ExtractionFailure, ...]]:
    """What of the settings matters to each file, which have the dialect that its suffix says; all of them where the front end fails.
    ``files``: path, content, settings."""
    if is_default(language, "relevant_settings"):
        return tuple(AnalysisSettings(dialect=settings.dialect) for _, _, settings in files), ()

    def ask(file: tuple[bytes, AnalysisSettings]) -> AnalysisSettings:
        return language.relevant_settings(*file)

    asked = [(path, (content, settings)) for path, content, settings in files]
    found, failures = _answers(language, owner, asked, ask, AnalysisSettings, "relevant_settings")
    return tuple(
        settings if each is None else replace(each, dialect=settings.dialect)
        for each, (_, _, settings) in zip(found, files, strict=True)
    ), failures


def _chosen(
    language: LanguageFrontEnd, owner: Owner, paths: Sequence[str], chooses: Callable[[str], object], where: str
) -> tuple[frozenset[str], tuple[ExtractionFailure, ...]]:
    """Those of the paths that a question of a front end is answered with yes for."""
    if not paths:
        return frozenset(), ()
    asked = [(path, path) for path in paths]
    found, failures = _answers(language, owner, asked, lambda path: bool(chooses(path)), bool, where)
    return frozenset(path for path, is_chosen in zip(paths, found, strict=True) if is_chosen), failures


def _answers(
    language: LanguageFrontEnd,
    owner: Owner,
    asked: Sequence[tuple[str, _Question]],
    ask: Callable[[_Question], _Answer],
    kind: type[_Answer],
    where: str,
) -> tuple[list[_Answer | None], tuple[ExtractionFailure, ...]]:
    """The answer to each question about a path; null where it failed."""

    def collect() -> tuple[list[_Answer | None], list[ExtractionFailure]]:
        answers: list[_Answer | None] = []
        failures: list[ExtractionFailure] = []
        for path, question in asked:
            try:
                answers.append(msgspec.convert(ask(question), kind))
            except (Exception, SystemExit) as error:
                answers.append(None)
                failures.append(failure_of(owner, language.name, path, error))
        return answers, failures

    if owner.built_in:
        answers, failures = collect()
        return answers, tuple(failures)
    data, fault = asked_apart(owner, language.name, lambda: msgspec.msgpack.encode(collect()), where)
    if fault is not None:
        return [None] * len(asked), (fault,)
    encoded, faults = msgspec.msgpack.decode(data)
    found = [None if answer is None else msgspec.convert(answer, kind) for answer in encoded]
    return found, msgspec.convert(faults, tuple[ExtractionFailure, ...])
