"""Route templates as ASP.NET Core combines them: prefixes, absolute templates, and the tokens in square brackets.

A template here has no outer slashes: the root is empty. What is not known in it stands as ``{?name}``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

_TOKEN: Final = re.compile(r"(?<!\[)\[(controller|action|area)\](?!\])", re.IGNORECASE)
_ABSOLUTE: Final = ("/", "~/")
_CONTROLLER: Final = "Controller"
_ASYNC: Final = "Async"


def is_absolute(template: str) -> bool:
    """Whether a method's template stands alone, without that of its class (``AttributeRouteModel.IsOverridePattern``)."""
    return template.startswith(_ABSOLUTE)


def combined(pieces: Iterable[str]) -> str:
    """Templates one after another; empty ones add nothing."""
    trimmed = (piece.removeprefix("~").strip("/") if is_absolute(piece) else piece.strip("/") for piece in pieces)
    return "/".join(piece for piece in trimmed if piece)


def of_action(class_template: str | None, method_template: str | None) -> str | None:
    """The template of an action; null where neither its class nor its method has one."""
    if method_template is not None and is_absolute(method_template):
        return combined((method_template,))
    if class_template is None and method_template is None:
        return None
    return combined((class_template or "", method_template or ""))


def with_tokens(template: str, values: Mapping[str, str], in_case: Callable[[str], str] = str) -> str:
    """``[controller]``, ``[action]`` and ``[area]`` replaced, in whatever case they are written; one without a value stays, and so does
    ``[[area]]``, which means the brackets themselves."""

    def value(match: re.Match[str]) -> str:
        known = values.get(match[1].lower())
        return in_case(known) if known is not None else match[0]

    return _TOKEN.sub(value, template)


def controller_name(type_name: str) -> str:
    """What ``[controller]`` means: the name of the class without its ending."""
    name = type_name
    if name.lower().endswith(_CONTROLLER.lower()) and len(name) > len(_CONTROLLER):
        return name[: -len(_CONTROLLER)]
    return name


def action_name(method_name: str) -> str:
    """What ``[action]`` means for a method without ``[ActionName]`` (``SuppressAsyncSuffixInActionNames``)."""
    return method_name.removesuffix(_ASYNC) or method_name


def route_value(verb: str, template: str) -> str:
    """``GET /orders/{id}``."""
    return f"{verb} /{template}"
