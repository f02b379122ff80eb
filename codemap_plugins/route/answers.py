"""What answers the requests that code makes, and what addresses that are written out lead to: links of the roles ``requests`` and
``routes_to`` to the handlers of the routes that match.

What the project of a request declares or references is meant before all else, as a test references the application that it starts; then
what is referenced over several steps. Of anything else the match must be of one project alone. A path of which no segment is written
matches nothing; where its beginning is not known, two must be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.facts import link, note_data, read_note_data
from codemap_core.hooks.extractors import Note
from codemap_core.model import HOLE, Confidence, FactRow, ReferenceRow
from codemap_core.model.documentation_id import is_type_id
from codemap_core.model.reference import REQUESTS
from codemap_core.model.route_templates import ANY, PAGE, UNKNOWN, AskedRoute, Fit, conventional_path, segments
from codemap_plugins.route.folders import with_index
from codemap_plugins.route.pages import CodeBehind, answering
from codemap_plugins.route.requests import MADE, Request, Requests
from codemap_plugins.route.route_rows import ROUTES_TO, Source
from codemap_plugins.route.route_tree import Matching, RouteTree, before_query, path_segments
from codemap_plugins.route.sight import Sight
from codemap_plugins.route.templates import route_value
from codemap_plugins.route.written_addresses import WRITTEN

_ANSWER: Final = "answer"
"""The topic of notes."""
_ID: Final = ("M:", "T:")
_LEFT_OUT: Final = frozenset({Source.HUB.value, Source.GRPC.value, Source.WCF.value})
_HANDLER: Final = re.compile(r"[?&]handler=([^&#]*)", re.IGNORECASE)
_VERBS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
"""Those that a request may have whose verb is not known."""
_HANDLER_PARAMETER: Final = re.compile(r"\{handler\b[^{}]*\}", re.IGNORECASE)
_WORD: Final = re.compile(r"\w+")
_ONLY_READ: Final = frozenset({Source.HEALTH.value, Source.COMPONENT.value})
_OF_KNOWN: Final = 1
_OF_UNKNOWN: Final = 2
"""How many segments must be those of the template, where the beginning of a path is known and where it is not."""


class Answer(Struct, frozen=True, array_like=True):
    """A route as requests meet it."""

    verb: str
    template: str
    source: str
    target: str
    """The handler; what maps the route, where that has no id."""
    confidence: Confidence
    defaults: str = ""
    """As the detail of a route has them."""
    projects: frozenset[str] = frozenset()
    """That declare it."""


def answer_notes(row: FactRow) -> Iterator[Note]:
    """Of a route that a document says for itself, which no note tells."""
    answer = _answer(row)
    if answer is not None:
        yield Note(_ANSWER, row.file_path, row.line_start, note_data(answer))


def _answer(row: FactRow) -> Answer | None:
    handler = str(row.detail.get("handler", ""))
    source = str(row.detail["source"])
    target = handler if handler.startswith(_ID) else row.symbol_id
    if target is None or source in _LEFT_OUT:
        return None
    defaults = str(row.detail.get("defaults", ""))
    return Answer(str(row.detail["verb"]), str(row.detail["template"]), source, target, row.confidence, defaults)


def request_links(
    notes: Sequence[Note], routes: Sequence[FactRow], behind: Sequence[tuple[str, CodeBehind]]
) -> Iterator[ReferenceRow]:
    """``behind``: as ``may_be_behind`` finds them."""
    every = [(note, read_note_data(note.data, Requests)) for note in notes if note.topic in (MADE, WRITTEN)]
    if not every:
        return
    paths = [path_segments(each.path) for _, said in every for each in said.made]
    every_path = (each for path in paths for each in (path, _behind_unknown(path), before_query(path)))
    mentioned = {segment.lower() for path in every_path for segment in path}
    answers = Answers(notes, routes, behind, mentioned)
    for note, said in every:
        role = REQUESTS if note.topic == MADE else ROUTES_TO
        is_abroad = role == REQUESTS or not said.of_application
        for request in said.made:
            found = answers.of(request, said.project, is_abroad=is_abroad)
            for target in found.targets:
                yield link(role, request.owner, target, note.file_path, request.line, request.column, found.confidence)


def _by_default(row: FactRow) -> Iterator[str]:
    """What a convention may put into a path, in lower case."""
    if row.detail["source"] == Source.CONVENTIONAL.value:
        yield from (
            each.lower() for each in _WORD.findall(f"{row.detail['template']} {row.detail.get('defaults', '')}")
        )


def _may_match(row: FactRow, mentioned: AbstractSet[str]) -> bool:
    if row.detail["source"] == Source.CONVENTIONAL.value:
        return True
    template = str(row.detail["template"])
    parts = segments(template) if "{" in template else template.split("/")
    return all("{" in each or each.lower() in mentioned for each in parts if each)


class _Asked(Struct, frozen=True):
    path: Sequence[str]
    verb: str
    handler: str
    """Of a page, the one that the query names; empty for none."""
    is_abroad: bool


class Found(Struct, frozen=True):
    """``targets``: none where what answers is not known."""

    targets: tuple[str, ...] = ()
    confidence: Confidence = Confidence.MEDIUM


class Answers:
    """What answers requests. ``mentioned``: the segments of their paths, in lower case; a route with another one is left out, so that a
    few requests cost little beside thousands of routes."""

    def __init__(
        self,
        notes: Sequence[Note],
        routes: Sequence[FactRow],
        behind: Sequence[tuple[str, CodeBehind]],
        mentioned: AbstractSet[str],
    ) -> None:
        self._tree: Final = RouteTree[Answer]()
        self._conventions: Final[list[Answer]] = []
        self._classes: Final = {code.id: code for _, code in behind}
        self._sight: Final = Sight(notes)
        mentioned = mentioned | {each for row in routes for each in _by_default(row)}
        answers = [(row.file_path, _answer(row)) for row in routes if _may_match(row, mentioned)]
        answers += [(note.file_path, read_note_data(note.data, Answer)) for note in notes if note.topic == _ANSWER]
        for file_path, answer in answers:
            if answer is not None:
                self._add(replace(answer, projects=self._sight.compiling(file_path)), file_path)

    def _add(self, answer: Answer, file_path: str) -> None:
        if answer.source == Source.CONVENTIONAL.value:
            self._conventions.append(answer)
            return
        self._tree.add(answer.template, answer)
        if answer.source == Source.PAGE.value:
            named = with_index(file_path, answer.template)
            if named is not None:
                self._tree.add(named, replace(answer, template=named))

    def of(self, request: Request, project: str, *, is_abroad: bool) -> Found:
        """``project``: path of that of the request; ``is_abroad``: whether what it does not see may answer."""
        path = path_segments(request.path)
        visible = self._sight.seen_from(project)
        handler = _HANDLER.search(request.path)
        named = handler[1] if handler is not None else ""
        verbs = (request.verb,) if request.verb else _VERBS
        by_verb = [self._by_verb(_Asked(path, verb, named, is_abroad), visible) for verb in verbs]
        targets = tuple(dict.fromkeys(target for each in by_verb for target in each.targets))
        if len(verbs) > 1:  # the class of a page stands for the verbs that no method of it answers
            targets = tuple(each for each in targets if not is_type_id(each)) or targets
        is_sure = request.is_certain and HOLE not in request.path and len(targets) == 1
        return Found(targets, by_verb[0].confidence if is_sure else Confidence.MEDIUM)

    def _by_verb(self, asked: _Asked, visible: Sequence[frozenset[str]]) -> Found:
        if not asked.path or not asked.path[0].startswith(HOLE):
            return self._nearest(asked, visible, _OF_KNOWN)
        found = self._nearest(asked, visible, _OF_UNKNOWN)
        rest = _behind_unknown(asked.path)
        return self._nearest(replace(asked, path=rest), visible, _OF_UNKNOWN) if rest and not found.targets else found

    def _nearest(self, asked: _Asked, visible: Sequence[frozenset[str]], fewest: int) -> Found:
        """``fewest``: how many segments must be those of the template, of a path that has any."""
        for projects in visible:
            near = self._matching(asked, partial(_is_declared_in, projects))
            if near.answers and (not asked.path or _literals(near) >= fewest):
                return self._found(asked, near.answers)
        far = self._matching(asked, lambda _: asked.is_abroad)
        if not asked.path or _literals(far) < fewest:
            return Found()
        return replace(self._found(asked, far.answers), confidence=Confidence.MEDIUM)

    def _matching(self, asked: _Asked, is_visible: Callable[[Answer], bool]) -> Matching[Answer]:
        def is_meant(answer: Answer) -> bool:
            return is_visible(answer) and _answers_to(answer, asked.verb)

        found = self._tree.best(asked.path, is_meant)
        if found.answers and (not asked.path or _literals(found)):
            return found
        route = AskedRoute(asked.verb, "/" + "/".join(asked.path))
        for each in self._conventions:
            template = route_value(each.verb, each.template)
            path = conventional_path(route, template, each.defaults) if is_meant(each) else ""
            if path and (by_convention := self._tree.best(path_segments(path), is_meant)).answers:
                return by_convention
        return found

    def _found(self, asked: _Asked, answers: Sequence[Answer]) -> Found:
        if len({each.projects for each in answers}) != 1:
            return Found()  # which of several applications is not known
        targets = tuple(dict.fromkeys(target for each in answers for target in self._targets(each, asked)))
        is_sure = all(each.confidence is Confidence.HIGH for each in answers)
        return Found(targets, Confidence.HIGH if is_sure else Confidence.MEDIUM)

    def _targets(self, answer: Answer, asked: _Asked) -> tuple[str, ...]:
        code = self._classes.get(answer.target) if answer.source == Source.PAGE.value else None
        if code is None:
            return (answer.target,)
        named = asked.handler
        for segment, value in zip(segments(answer.template), asked.path, strict=False):
            if _HANDLER_PARAMETER.fullmatch(segment) is not None:
                named = value
        return answering(code, self._classes, asked.verb, named)


def _is_declared_in(projects: frozenset[str], answer: Answer) -> bool:
    return not projects.isdisjoint(answer.projects)


def _answers_to(answer: Answer, verb: str) -> bool:
    if answer.source in _ONLY_READ:
        return verb == "GET"
    return answer.verb in (verb, ANY, PAGE)


def _literals(matching: Matching[Answer]) -> int:
    """How many segments are those of the template."""
    return sum(fit <= Fit.LITERAL_IN_PART for fit in matching.fits)


def _behind_unknown(path: Sequence[str]) -> Sequence[str]:
    """The path without what is not known at its beginning: ``{?base}orders`` and ``{?base}/orders`` alike."""
    if not path:
        return path
    rest = UNKNOWN.sub("", path[0], count=1)
    return [rest, *path[1:]] if rest else path[1:]
