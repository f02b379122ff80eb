"""Arguments of tools: the JSON schema a client sees, and strict decoding of what it sends.

The schema is flat (no ``$ref``, no titles) and short, as every model that connects reads it: arguments that are other spellings of
listed ones are left out, and so are bounds, which a refusal names. Decoding is strict about names, with a suggestion for each
unknown one, and lenient where hosts are known to differ: integers and booleans as strings, arrays and objects as JSON
text, one value in place of an array, a number in place of a string, ``null`` for "not given".
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Container, Iterable, Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from codemap_core.errors import InvalidArgumentError
from codemap_server.json_shape import shape_problem

MAX_TEXT: Final = 4_096
"""Characters of one string argument. Texts within arrays and objects are the tool's business."""
_NAMES_OF_TYPES: Final = frozenset({"title", "$defs"})
_NOISE: Final = _NAMES_OF_TYPES | {"minimum", "maximum", "minLength"}
_TWINS: Final = {"project": "project_name", "project_name": "project", "limit": "limit_per_level"}
"""Names under which the contracts know one idea: what a tool does not take under the one, it takes under the other."""
_LARGEST_INTEGER: Final = 2**53 - 1
"""Beyond it JSON numbers are not exact for every client."""
_WORDS: Final = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        ("`str` of length >= 1$", "a text that is not empty"),
        ("of length >= ", "of a length of at least "),
        ("of length <= ", "of a length of at most "),
        (">= ", "of at least "),
        ("<= ", "of at most "),
        ("`int`", "a whole number"),
        ("`float`", "a number"),
        ("`str`", "a text"),
        ("`bool`", "true or false"),
        ("`array`", "a list"),
        ("`object`", "an object"),
        ("Object contains unknown field `(.*)`", r"it has no member '\1'"),
        ("Object missing required field `(.*)`", r"it needs '\1'"),
    )
)
"""What msgspec says, and what a reader is told."""


def input_schema(arguments: type[Struct], *, with_rare: bool = False) -> dict[str, Any]:
    """The JSON schema of a tool's arguments, ready for ``tools/list``; or, ``with_rare``, for the documentation."""
    root = msgspec.json.schema(arguments)
    schema = _inline(root, root.get("$defs", {}))
    assert isinstance(schema, dict)
    properties = {
        name: each
        for name, each in schema.get("properties", {}).items()
        if not each.get("unlisted") or (with_rare and each.get("rare"))
    }
    own_first = (*schema.get("required", ()), *_own_first(arguments))
    schema.pop("additionalProperties", None)  # decoding refuses unknown names, and says which was meant
    schema["properties"] = {
        name: _shortened(properties[name], with_numbers=with_rare) for name in own_first if name in properties
    }
    return schema


def full_schema(arguments: type[Struct]) -> dict[str, Any]:
    """The JSON schema of a tool that answers by a contract of its own: with bounds and every default, unlisted arguments left out."""
    root = msgspec.json.schema(arguments)
    schema = _inline(root, root.get("$defs", {}), noise=_NAMES_OF_TYPES)
    assert isinstance(schema, dict)
    properties = _without_empty_defaults(schema.get("properties", {}))
    schema["properties"] = {
        name: properties[name]
        for name in (*schema.get("required", ()), *_own_first(arguments))
        if name in properties and not properties[name].get("unlisted")
    }
    return schema


def _without_empty_defaults(properties: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Properties without defaults that mean the same as leaving the argument out, those of inner objects too."""
    shown = {}
    for name, each in properties.items():
        described = {
            key: value for key, value in each.items() if key != "default" or value not in ("", None, [], (), {})
        }
        if "properties" in described:
            described["properties"] = _without_empty_defaults(described["properties"])
        shown[name] = described
    return shown


def _own_first(arguments: type[Struct]) -> list[str]:
    """Names of arguments: a tool's own before those it shares with others."""
    declared = dict.fromkeys(name for each in arguments.__mro__ for name in getattr(each, "__annotations__", ()))
    return [name for name in declared if name in arguments.__struct_fields__]


def _inline(node: Any, definitions: Mapping[str, Any], noise: frozenset[str] = _NOISE) -> Any:
    """``node`` with references replaced by what they mean, ``noise`` dropped and ``X | None`` shown as ``X``, since a null
    means the same as leaving the argument out. Arguments are never recursive and have no other unions."""
    if isinstance(node, list):
        return [_inline(each, definitions, noise) for each in node]
    if not isinstance(node, dict):
        return node
    if "anyOf" in node:
        (meant,) = [each for each in node["anyOf"] if each != {"type": "null"}]
        node = {**{key: value for key, value in node.items() if key != "anyOf"}, **meant}
    if "$ref" in node:
        target = dict(definitions[node["$ref"].rsplit("/", 1)[1]])
        target.pop("description", None)  # the docstring of a class, written for its readers
        siblings = {key: value for key, value in node.items() if key not in ("$ref", *noise)}
        return {**_inline(target, definitions, noise), **_inline(siblings, definitions, noise)}
    result = {}
    for key, value in node.items():
        if key == "properties":
            result[key] = {name: _inline(each, definitions, noise) for name, each in value.items()}
        elif key not in noise:
            result[key] = _inline(value, definitions, noise)
    if not result.get("required", True):
        del result["required"]
    return result


def _shortened(described: dict[str, Any], *, with_numbers: bool) -> dict[str, Any]:
    """Without empty defaults, nor those of numbers unless ``with_numbers``; a list that may be written as one text is shown as that."""
    default = described.get("default")
    if type(default) is int and not with_numbers:
        default = None
    if default is None or default in ("", 0) or (isinstance(default, list | tuple | dict) and not default):
        described.pop("default", None)
    described.pop("unlisted", None)
    if described.pop("as_text", False):
        described.pop("items", None)
        described["type"] = "string"
    return described


def decode_arguments(tool: str, arguments: type[Struct], given: Mapping[str, Any]) -> Struct:
    """``given`` as a value of ``arguments``. Raises: InvalidArgumentError that says what is wrong and what would do."""
    known, shapes = _declared(arguments)
    meant = {_own_name(name, given, known): value for name, value in given.items() if value is not None}
    unknown = sorted(name for name in meant if name not in known)
    if unknown:
        listed = ", ".join(input_schema(arguments)["properties"])
        raise InvalidArgumentError(
            f"{tool} has no argument {_unknown_names(unknown, known)}. It takes: {listed or 'none'}.",
            unknown_arguments=unknown,
        )
    missing = sorted(name for name, field in known.items() if field.required and name not in meant)
    if missing:
        raise InvalidArgumentError(f"{tool} needs {', '.join(missing)}.", missing_arguments=missing)
    for name, value in meant.items():
        if isinstance(value, int) and abs(value) > _LARGEST_INTEGER:
            raise InvalidArgumentError(f"{tool}: {name} is out of range.")
        if isinstance(value, str) and len(value) > MAX_TEXT:
            raise InvalidArgumentError(f"{tool}: {name} has {len(value)} characters; the maximum is {MAX_TEXT}.")
    settled = {name: _reshape(f"{tool}: {name}", value, shapes[name]) for name, value in meant.items()}
    try:
        return msgspec.convert(settled, type=arguments, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidArgumentError(f"{tool}: {_in_words(error, known)}") from error


def _own_name(name: str, given: Container[str], known: Container[str]) -> str:
    """What a tool calls the argument that was given."""
    twin = _TWINS.get(name, "")
    return twin if name not in known and twin in known and twin not in given else name


@cache
def _declared(arguments: type[Struct]) -> tuple[Mapping[str, FieldInfo], Mapping[str, msgspec.inspect.Type]]:
    """The fields of a tool's arguments and their types, by name. Looking into a struct takes as long as a small query."""
    types = msgspec.inspect.type_info(arguments)
    assert isinstance(types, msgspec.inspect.StructType)
    known = {field.encode_name: field for field in fields(arguments)}
    return known, {field.encode_name: field.type for field in types.fields}


def _reshape(what: str, value: Any, shape: msgspec.inspect.Type) -> Any:
    """Arrays and objects that arrived as JSON text, single values in place of arrays, numbers in place of text.
    ``what``: how an error names the value. Raises: InvalidArgumentError for JSON text that is not to be parsed."""
    if isinstance(shape, msgspec.inspect.Metadata):
        return _reshape(what, value, shape.type)
    if isinstance(shape, msgspec.inspect.UnionType):
        (shape,) = [each for each in shape.types if not isinstance(each, msgspec.inspect.NoneType)]
        return _reshape(what, value, shape)
    is_array = isinstance(shape, msgspec.inspect.CollectionType | msgspec.inspect.VarTupleType)
    is_object = isinstance(shape, msgspec.inspect.StructType | msgspec.inspect.DictType)
    if isinstance(value, str) and ((is_array and value[:1] == "[") or (is_object and value[:1] == "{")):
        problem = shape_problem(value.encode("utf-8", "replace"))
        if problem:
            raise InvalidArgumentError(f"{what}: {problem}")
        try:
            return msgspec.json.decode(value)
        except (msgspec.DecodeError, ValueError):
            return [value] if is_array else value
    if is_array and not isinstance(value, list | tuple):
        return [value]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number and isinstance(shape, msgspec.inspect.StrType) else value


def _unknown_names(unknown: Iterable[str], known: Iterable[str]) -> str:
    described = []
    for name in unknown:
        near = difflib.get_close_matches(name, list(known), n=1)
        described.append(f"{name!r} (did you mean {near[0]!r}?)" if near else repr(name))
    return ", ".join(described)


def _in_words(error: msgspec.ValidationError, known: Mapping[str, Any]) -> str:
    """msgspec's message, ``Expected `int`, got `str` - at `$.limit```, in a reader's words and with the argument first:
    ``limit: expected a whole number, got a text``."""
    problem, _, path = str(error).partition(" - at ")
    for pattern, words in _WORDS:
        problem = pattern.sub(words, problem)
    path = path.strip("`").removeprefix("$").removeprefix(".")
    problem = problem[:1].lower() + problem[1:]
    return f"{path}: {problem}" if path else problem
