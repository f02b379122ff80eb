"""Property functions: the static ones MSBuild allows (``$([MSBuild]::...)``, ``$([System.IO.Path]::...)``, ...) and
members of values.

Only pure functions of their arguments and of the commit's files are here. What would look at the machine (environment,
clock, registry, random) gives an empty value on purpose: the same commit must give the same answer everywhere. The
evaluation is that of a Unix machine.
"""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Self

from msgspec import Struct

from codemap_plugins.dotnet.frameworks import is_compatible, parse_framework
from codemap_plugins.dotnet.repository_tree import RepositoryTree, absolute, folder_of
from codemap_plugins.dotnet.versions import Version, compare_versions


class MachineValue(Struct, frozen=True):
    """The clock, the environment, a random number: empty, and so is everything asked of it."""


OF_THE_MACHINE: Final = MachineValue()


class DirectoryInfo(Struct, frozen=True):
    """A folder, as ``Directory.GetParent`` gives it; ``path`` without a slash at its end."""

    path: str


class MatchedText(str):
    """What a regular expression matched, or one of its groups, as ``Regex.Match`` gives it; empty where nothing matched. ``groups``: the
    whole of it first, and behind the last one empty ones, as .NET has them."""

    groups: list[str]

    @classmethod
    def of(cls, texts: Sequence[str | None]) -> Self:
        matched = cls(texts[0] or "")
        matched.groups = [cls(each or "") for each in (*texts, *[""] * _GROUPS_BEHIND)]
        return matched


_GROUPS_BEHIND: Final = 16

Value = str | int | float | bool | Version | MachineValue | DirectoryInfo | list[str] | None
"""The values that a property function takes and returns; properties themselves are strings."""

MAX_TEXT: Final = 256 * 1024
"""Characters a value may have; properties that double themselves stop here."""
_MAX_SUBJECT: Final = 512


class UnknownFunctionError(ValueError):
    """A function, a member or arguments that we do not evaluate; the message names it."""


class Place:
    """Where a function is evaluated: the repository, the project's folder, the folder of the file that calls."""

    __slots__ = ("file_folder", "project_folder", "tree")

    def __init__(self, tree: RepositoryTree, project_folder: str, file_folder: str) -> None:
        self.tree = tree
        self.project_folder = project_folder
        self.file_folder = file_folder


def to_text(value: Value) -> str:
    """As .NET's invariant ToString would print it; a list with semicolons."""
    if value is None or isinstance(value, MachineValue):
        return ""
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, list):
        return ";".join(value)
    return value.path if isinstance(value, DirectoryInfo) else str(value)


def to_number(value: Value) -> float | int:
    text = to_text(value).strip()
    try:
        return int(text, 16) if text.lower().startswith("0x") else int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError as error:
            raise UnknownFunctionError(f"{text!r} is not a number") from error


def to_bool(value: Value) -> bool:
    return to_text(value).strip().lower() in ("true", "on", "yes", "1")


def call_static(place: Place, type_name: str, member: str, arguments: Sequence[Value]) -> Value:
    """Raises: UnknownFunctionError."""
    function = _STATIC.get((type_name.lower().removeprefix("system."), member.lower()))
    if function is None:
        if type_name.lower().removeprefix("system.") in _OF_THE_MACHINE:
            return OF_THE_MACHINE
        raise UnknownFunctionError(f"[{type_name}]::{member}")
    try:
        return function(place, *arguments)
    except UnknownFunctionError:
        raise
    except (TypeError, ValueError, IndexError, ArithmeticError, KeyError) as error:
        raise UnknownFunctionError(f"[{type_name}]::{member}: {error}") from error


_OF_THE_MACHINE: Final = frozenset(
    {"datetime", "datetimeoffset", "guid", "environment", "globalization.cultureinfo", "random", "timezoneinfo", "appdomain"}
    | {"diagnostics.process", "security.principal.windowsidentity", "net.dns", "appcontext"}
)  # fmt: skip


def safe_search(subject: str, pattern: str) -> re.Match[str] | None:
    return _checked(pattern, subject).search(subject)


def _checked(pattern: str, subject: str) -> re.Pattern[str]:
    """A pattern of the repository, compiled only if it cannot run long: short subject, no repetition of a group, few
    repetitions and options."""
    if len(subject) > _MAX_SUBJECT or len(pattern) > _MAX_SUBJECT:
        raise UnknownFunctionError("a regular expression over a long text")
    unbounded, optional = len(re.findall(r"(?<!\\)[*+{]", pattern)), len(re.findall(r"(?<!\\)\?", pattern))
    if re.search(r"\)\s*[*+{]", pattern) or unbounded > 3 or optional > 8:
        raise UnknownFunctionError(f"the regular expression {pattern!r}")
    try:
        return re.compile(re.sub(r"\(\?<(?=[A-Za-z])", "(?P<", pattern))
    except re.error as error:
        raise UnknownFunctionError(f"the regular expression {pattern!r}") from error


def _join_paths(_: Place, *parts: Value) -> str:
    joined = ""
    for part in parts:
        text = to_text(part).replace("\\", "/")
        joined = text if text.startswith("/") or not joined else joined.rstrip("/") + "/" + text if text else joined
    return joined


def _file_above(place: Place, name: Value, start: Value = None) -> str:
    folder = absolute(place.project_folder, to_text(start)) if start else place.file_folder
    return place.tree.above(folder, to_text(name)) or ""


def _folder_above(place: Place, start: Value, name: Value) -> str:
    found = place.tree.above(absolute(place.project_folder, to_text(start)), to_text(name))
    return folder_of(found) if found else ""


def _relative_path(place: Place, base: Value, path: Value) -> str:
    text = to_text(path)
    result = posixpath.relpath(
        absolute(place.project_folder, text), absolute(place.project_folder, to_text(base)) or "/"
    )
    return result + "/" if text.endswith(("/", "\\")) and result != "." else result


def _full_path(place: Place, *parts: Value) -> str:
    text = _join_paths(place, *parts)
    result = absolute(place.project_folder, text)
    return result + "/" if text.endswith("/") and result != "/" else result


def _parent(place: Place, path: Value) -> DirectoryInfo:
    """Of a path with a slash at its end, it is the folder itself, as in .NET."""
    text = to_text(path)
    folder = absolute(place.project_folder, text)
    return DirectoryInfo(folder if text.endswith(("/", "\\")) else folder_of(folder))


def _with_slash(text: str) -> str:
    return text if not text or text.endswith(("/", "\\")) else text + "/"


def _is_platform(_: Place, name: Value) -> bool:
    return to_text(name).lower() in ("linux", "unix")


def _platform(name: str, _: Place) -> str:
    return name


def _same_frameworks(_: Place, left: Value, right: Value) -> str:
    allowed = [parse_framework(one) for one in to_text(right).split(";") if one.strip()]
    wanted = [one for one in to_text(left).split(";") if one.strip()]
    return ";".join(one for one in wanted if any(_alike(parse_framework(one), other) for other in allowed))


def _alike(one: object, other: object) -> bool:
    return one == other


def _framework_version(_: Place, moniker: Value, parts: Value = 2) -> str:
    framework = parse_framework(to_text(moniker))
    version = [*framework.version, 0, 0, 0, 0]
    least, count = int(to_number(parts)), 4
    while count > least and version[count - 1] == 0:
        count -= 1
    return ".".join(map(str, version[:count])) if framework.identifier else "0.0"


def _platform_version(_: Place, moniker: Value, parts: Value = 2) -> str:
    return parse_framework(to_text(moniker)).platform_version or "0.0"


def _read_text(place: Place, path: Value) -> str:
    found = place.tree.file(absolute(place.project_folder, to_text(path)))
    if found is None:
        raise UnknownFunctionError(f"File::ReadAllText: there is no {to_text(path)}")
    return place.tree.read(found)[:MAX_TEXT].decode("utf-8-sig", "replace")


def _number(value: float | int) -> Value:
    return int(value) if float(value).is_integer() else value


def _compare(test: Callable[[int], bool]) -> Callable[[Place, Value, Value], Value]:
    return lambda _, a, b: test(compare_versions(to_text(a), to_text(b)))


def _on_file(test: Callable[[RepositoryTree, str], bool]) -> Callable[[Place, Value], Value]:
    return lambda place, path: bool(to_text(path)) and test(place.tree, absolute(place.project_folder, to_text(path)))


def _name_of(path: Value) -> str:
    return to_text(path).replace("\\", "/").rpartition("/")[2]


def _stem_of(path: Value) -> str:
    name = _name_of(path)
    return name.rpartition(".")[0] if "." in name else name


def _extension_of(path: Value) -> str:
    _, dot, suffix = _name_of(path).rpartition(".")
    return dot + suffix if dot else ""


def _replace(_: Place, text: Value, pattern: Value, replacement: Value) -> str:
    compiled = _checked(to_text(pattern), to_text(text))
    return compiled.sub(
        re.sub(r"\$(\d+)|\$\{(\w+)\}", r"\\g<\1\2>", to_text(replacement).replace("\\", "\\\\")), to_text(text)
    )


def _quotient(left: float | int, right: float | int) -> Value:
    """Of whole numbers a whole one (MSBuild's ``TryExecuteArithmeticOverload``)."""
    return _cut_off(left, right) if isinstance(left, int) and isinstance(right, int) else _number(left / right)


def _remainder(left: float | int, right: float | int) -> Value:
    """With the sign of ``left``, as in C#."""
    if isinstance(left, int) and isinstance(right, int):
        return left - right * _cut_off(left, right)
    return _number(math.fmod(left, right))


def _cut_off(left: int, right: int) -> int:
    """The quotient towards zero, as in C#."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _format(_: Place, pattern: Value, *values: Value) -> str:
    return re.sub(r"\{(\d+)[^}]*\}", lambda m: to_text(values[int(m[1])]), to_text(pattern))


_STATIC: Final[dict[tuple[str, str], Callable[..., Value]]] = {
    ("msbuild", "add"): lambda _, a, b: _number(to_number(a) + to_number(b)),
    ("msbuild", "subtract"): lambda _, a, b: _number(to_number(a) - to_number(b)),
    ("msbuild", "multiply"): lambda _, a, b: _number(to_number(a) * to_number(b)),
    ("msbuild", "divide"): lambda _, a, b: _quotient(to_number(a), to_number(b)),
    ("msbuild", "modulo"): lambda _, a, b: _remainder(to_number(a), to_number(b)),
    ("msbuild", "bitwiseor"): lambda _, a, b: int(to_number(a)) | int(to_number(b)),
    ("msbuild", "bitwiseand"): lambda _, a, b: int(to_number(a)) & int(to_number(b)),
    ("msbuild", "escape"): lambda _, text: re.sub(r"[%*?@$();']", lambda m: f"%{ord(m[0]):02x}", to_text(text)),
    ("msbuild", "unescape"): lambda _, text: to_text(text),
    ("msbuild", "valueordefault"): lambda _, value, default: to_text(value) or to_text(default),
    ("msbuild", "getpathoffileabove"): _file_above,
    ("msbuild", "getdirectorynameoffileabove"): _folder_above,
    ("msbuild", "ensuretrailingslash"): lambda _, path: _with_slash(to_text(path)),
    ("msbuild", "normalizepath"): _full_path,
    ("msbuild", "normalizedirectory"): lambda place, *parts: _with_slash(_full_path(place, *parts)),
    ("msbuild", "makerelative"): _relative_path,
    ("msbuild", "isosplatform"): _is_platform,
    ("msbuild", "isosunixlike"): lambda _: True,
    ("msbuild", "isrunningfromvisualstudio"): lambda _: False,
    ("msbuild", "arefeaturesenabled"): lambda _, __: True,
    ("msbuild", "stablestringhash"): lambda _, text, *__: "",
    ("msbuild", "versionequals"): _compare(lambda order: order == 0),
    ("msbuild", "versionnotequals"): _compare(lambda order: order != 0),
    ("msbuild", "versiongreaterthan"): _compare(lambda order: order > 0),
    ("msbuild", "versiongreaterthanorequals"): _compare(lambda order: order >= 0),
    ("msbuild", "versionlessthan"): _compare(lambda order: order < 0),
    ("msbuild", "versionlessthanorequals"): _compare(lambda order: order <= 0),
    ("msbuild", "gettargetframeworkidentifier"): lambda _, one: (
        parse_framework(to_text(one)).identifier or "Unsupported"
    ),
    ("msbuild", "gettargetframeworkversion"): _framework_version,
    ("msbuild", "gettargetplatformidentifier"): lambda _, one: parse_framework(to_text(one)).platform,
    ("msbuild", "gettargetplatformversion"): _platform_version,
    ("msbuild", "istargetframeworkcompatible"): lambda _, target, candidate: is_compatible(
        parse_framework(to_text(target)), parse_framework(to_text(candidate))
    ),
    ("msbuild", "intersecttargetframeworks"): _same_frameworks,
    ("msbuild", "filtertargetframeworks"): _same_frameworks,
    ("msbuild", "substringbyasciichars"): lambda _, text, start, count: to_text(text)[
        int(start) : int(start) + int(count)
    ],
    ("msbuild", "getregistryvalue"): lambda _, *__: "",
    ("msbuild", "getregistryvaluefromview"): lambda _, *__: "",
    ("io.path", "combine"): _join_paths,
    ("io.path", "join"): _join_paths,
    ("io.path", "getfullpath"): _full_path,
    ("io.path", "getfilename"): lambda _, path: _name_of(path),
    ("io.path", "getfilenamewithoutextension"): lambda _, path: _stem_of(path),
    ("io.path", "getextension"): lambda _, path: _extension_of(path),
    ("io.path", "hasextension"): lambda _, path: bool(_extension_of(path)),
    ("io.path", "getdirectoryname"): lambda _, path: to_text(path).replace("\\", "/").rpartition("/")[0],
    ("io.path", "ispathrooted"): lambda _, path: to_text(path).startswith(("/", "\\")),
    ("io.path", "ispathfullyqualified"): lambda _, path: to_text(path).startswith(("/", "\\")),
    ("io.path", "getpathroot"): lambda _, path: "/" if to_text(path).startswith(("/", "\\")) else "",
    ("io.path", "getrelativepath"): _relative_path,
    ("io.path", "changeextension"): lambda _, path, new: (
        to_text(path).removesuffix(_extension_of(path)) + ("." + to_text(new).lstrip(".") if new else "")
    ),
    ("io.path", "directoryseparatorchar"): lambda _: "/",
    ("io.path", "altdirectoryseparatorchar"): lambda _: "/",
    ("io.path", "pathseparator"): lambda _: ":",
    ("io.path", "gettemppath"): lambda _: "/tmp/",
    ("io.file", "exists"): _on_file(lambda tree, path: tree.file(path) is not None),
    ("io.file", "readalltext"): _read_text,
    ("io.directory", "exists"): _on_file(lambda tree, path: tree.folder(path) is not None),
    ("io.directory", "getparent"): _parent,
    ("io.directory", "getcurrentdirectory"): lambda place: place.project_folder,
    ("string", "isnullorempty"): lambda _, text: not to_text(text),
    ("string", "isnullorwhitespace"): lambda _, text: not to_text(text).strip(),
    ("string", "concat"): lambda _, *texts: "".join(map(to_text, texts)),
    ("string", "join"): lambda _, separator, *texts: to_text(separator).join(
        texts[0] if len(texts) == 1 and isinstance(texts[0], list) else map(to_text, texts)
    ),
    ("string", "format"): _format,
    ("string", "copy"): lambda _, text: to_text(text),
    ("string", "new"): lambda _, text="": to_text(text),
    ("string", "equals"): lambda _, a, b, *how: (
        to_text(a).lower() == to_text(b).lower()
        if how and "ignorecase" in to_text(how[0]).lower()
        else to_text(a) == to_text(b)
    ),
    ("string", "compare"): lambda _, a, b, *__: (to_text(a) > to_text(b)) - (to_text(a) < to_text(b)),
    ("string", "empty"): lambda _: "",
    ("version", "parse"): lambda _, text: Version.parse(to_text(text)),
    ("version", "new"): lambda _, *parts: Version.parse(".".join(map(to_text, parts))),
    ("int32", "parse"): lambda _, text: int(to_number(text)),
    ("int64", "parse"): lambda _, text: int(to_number(text)),
    ("convert", "toint32"): lambda _, text, *__: int(to_number(text)),
    ("convert", "toint64"): lambda _, text, *__: int(to_number(text)),
    ("convert", "todouble"): lambda _, text: float(to_number(text)),
    ("convert", "toboolean"): lambda _, text: to_bool(text),
    ("convert", "tostring"): lambda _, text, *__: to_text(text),
    ("boolean", "parse"): lambda _, text: to_bool(text),
    ("math", "max"): lambda _, a, b: _number(max(to_number(a), to_number(b))),
    ("math", "min"): lambda _, a, b: _number(min(to_number(a), to_number(b))),
    ("math", "abs"): lambda _, a: _number(abs(to_number(a))),
    ("math", "floor"): lambda _, a: int(to_number(a) // 1),
    ("math", "ceiling"): lambda _, a: int(-(-to_number(a) // 1)),
    ("text.regularexpressions.regex", "ismatch"): lambda _, text, pattern, *__: bool(
        safe_search(to_text(text), to_text(pattern))
    ),
    ("text.regularexpressions.regex", "match"): lambda _, text, pattern, *__: MatchedText.of(
        (found[0], *found.groups()) if (found := safe_search(to_text(text), to_text(pattern))) else ("",)
    ),
    ("text.regularexpressions.regex", "replace"): _replace,
    ("text.regularexpressions.regex", "split"): lambda _, text, pattern: list(
        _checked(to_text(pattern), to_text(text)).split(to_text(text))
    ),
    ("runtime.interopservices.runtimeinformation", "isosplatform"): _is_platform,
    ("runtime.interopservices.osplatform", "create"): lambda _, name: to_text(name),
    **{
        ("runtime.interopservices.osplatform", accessor): partial(_platform, name)
        for name in ("LINUX", "WINDOWS", "OSX", "FREEBSD")
        for accessor in (name.lower(), f"get_{name.lower()}")
    },
    ("runtime.interopservices.runtimeinformation", "osarchitecture"): lambda _: "X64",
    ("runtime.interopservices.runtimeinformation", "processarchitecture"): lambda _: "X64",
    ("runtime.interopservices.runtimeinformation", "frameworkdescription"): lambda _: "",
    ("operatingsystem", "iswindows"): lambda _: False,
    ("operatingsystem", "islinux"): lambda _: True,
    ("operatingsystem", "ismacos"): lambda _: False,
    ("operatingsystem", "isosplatform"): _is_platform,
    ("stringcomparison", "ordinal"): lambda _: "Ordinal",
    ("stringcomparison", "ordinalignorecase"): lambda _: "OrdinalIgnoreCase",
    ("char", "new"): lambda _, text: to_text(text),
}
