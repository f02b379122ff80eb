"""Endpoints of minimal APIs, with the prefixes of their groups, also where a group is handed to a method of another file."""

from codemap_core.hooks.extractors import Note
from codemap_core.hooks.interests import Interests
from codemap_core.model import Confidence, FactKindInfo, FactRow
from codemap_core.model.bound import NOWHERE

VERBS = {"MapGet": "GET", "MapPost": "POST", "MapPut": "PUT", "MapDelete": "DELETE"}

ENDPOINT = FactKindInfo(
    name="endpoint",
    title="Endpoints",
    value="VERB /template",
    detail={"at": "line", "verb": "HTTP verb", "template": "path"},
)


class Endpoints:
    name = "endpoints"
    language = "csharp"
    interests = Interests(invocations=(*VERBS, "MapGroup"))
    kinds = ("endpoint",)

    def extract(self, seen):
        for event in seen.document.events:
            prefix, method = group_of(seen, event.receiver)
            if event.name in VERBS and (template := text_of(event)) is not None:
                data = {
                    "verb": VERBS[event.name],
                    "path": [*prefix, template],
                    "owner": event.enclosing,
                    "of": method and event.enclosing,
                }
                yield Note("endpoint", seen.file_path, event.line, data)
            elif prefix and event.target is not None and event.name != "MapGroup":
                data = {"method": event.target, "path": prefix, "of": method and event.enclosing}
                yield Note("group", seen.file_path, event.line, data)

    def conclude(self, notes):
        groups = {}
        for note in notes:
            if note.topic == "group":
                groups.setdefault(note.data["method"], []).append(note.data)
        for note in notes:
            if note.topic == "endpoint":
                for prefix, is_certain in prefixes(groups, note.data["of"]):
                    yield fact(note, [*prefix, *note.data["path"]], is_certain)


def group_of(seen, value):
    """The prefixes of the groups that made a value, and whether they begin at a parameter of the method."""
    prefix = []
    while (event := seen.origin(value)) is not None and event.name == "MapGroup":
        prefix.insert(0, text_of(event) or "{?}")
        value = event.receiver
    return prefix, value is not None and value.parameter != NOWHERE and value.region == NOWHERE


def text_of(event):
    """The constant text of the first argument, or None."""
    constant = event.arguments[0].value.constant if event.arguments else None
    return constant.value if constant is not None and isinstance(constant.value, str) else None


def prefixes(groups, method, seen=()):
    """What a group that a method is handed begins with: once for each call."""
    calls = groups.get(method, []) if method and method not in seen else []
    if not calls:
        yield [], not method
    for call in calls:
        for outer, is_certain in prefixes(groups, call["of"], (*seen, method)):
            yield [*outer, *call["path"]], is_certain


def fact(note, path, is_certain):
    template = "/" + "/".join(piece.strip("/") for piece in path if piece.strip("/"))
    return FactRow(
        kind="endpoint",
        value=f"{note.data['verb']} {template}",
        detail={"at": note.line, "verb": note.data["verb"], "template": template},
        symbol_id=note.data["owner"],
        file_path=note.file_path,
        line_start=note.line,
        line_end=note.line,
        confidence=Confidence.HIGH if is_certain else Confidence.MEDIUM,
    )
