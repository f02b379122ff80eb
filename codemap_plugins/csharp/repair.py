"""Repair masks: length-preserving rewrites of constructs that the grammar lacks, so that the code around them parses.

A mask is tried only when a parse has errors and kept only when it leaves fewer. Offsets stay true and the source
stays what it was: every consumer takes text from the source, never from masked bytes, and so sees the names and
operators that were written. What a consumer can learn from comparing the two is said at each mask. Patterns look into
comments and literals too: a rewrite there changes no node.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from codemap_core.syntax import Tree, count_errors
from codemap_plugins.csharp.disambiguation import (
    AFTER_DECLARED_NAME,
    AFTER_NAME,
    IN_ARGUMENTS,
    Edit,
    name_where,
    written,
)
from codemap_plugins.csharp.grammar import CSHARP


class Mask(NamedTuple):
    """One construct. ``needle``: bytes without which ``pattern`` cannot match; ``edits`` makes a match parse."""

    name: str
    needle: bytes
    pattern: re.Pattern[bytes]
    edits: Callable[[re.Match[bytes]], Iterable[Edit]]


class Repaired(NamedTuple):
    """``errors``: how many are left in ``tree``; ``masks``: names of those that were kept."""

    masked: bytes
    tree: Tree
    errors: int
    masks: tuple[str, ...]


def repair(masked: bytes, tree: Tree, errors: int) -> Repaired:
    """The best of ``masked``, whose ``tree`` has ``errors``, and its repairs: all masks that match together, then
    each alone."""
    best = Repaired(masked, tree, errors, ())
    if len(masked) > _MAX_BYTES:
        return best
    found = [(mask.name, edits) for mask in MASKS if mask.needle in masked and (edits := _edits(mask, masked))]
    if not found:
        return best
    best = _better(best, [edit for _, edits in found for edit in edits], tuple(name for name, _ in found))
    if best.errors and len(found) > 1:
        for name, edits in found[:_MAX_ATTEMPTS]:
            if name not in best.masks:
                best = _better(best, edits, (*best.masks, name))
    return best


_MAX_BYTES: Final = 4_000_000
_MAX_ATTEMPTS: Final = 12


def _edits(mask: Mask, masked: bytes) -> list[Edit]:
    return [edit for match in mask.pattern.finditer(masked) for edit in mask.edits(match)]


def _better(best: Repaired, edits: list[Edit], names: tuple[str, ...]) -> Repaired:
    masked = written(best.masked, edits)
    tree = CSHARP.reparse(masked, best.tree, ((start, start + len(text)) for start, text in edits))
    errors = count_errors(tree)
    return Repaired(masked, tree, errors, names) if errors < best.errors else best


def _blanked(match: re.Match[bytes]) -> Iterator[Edit]:
    """Group 1 goes. The source has it."""
    yield Edit(match.start(1), b" " * len(match[1]))


def _letter(match: re.Match[bytes]) -> Iterator[Edit]:
    """``_`` → ``x``."""
    yield Edit(match.start(1), b"x")


def _union(match: re.Match[bytes]) -> Iterator[Edit]:
    """``union U(A, B)`` → ``class U      ``: a class whose keyword in the source is ``union``."""
    yield Edit(match.start(), b"class")
    yield Edit(match.start("cases"), b" " * len(match["cases"]))


def _second_letter(match: re.Match[bytes]) -> Iterator[Edit]:
    """``async`` → ``a_ync``: no keyword any more, the same extent."""
    yield Edit(match.start(1) + 1, b"_")


def _lambda_parameters(match: re.Match[bytes]) -> Iterator[Edit]:
    """``(text, out result) =>`` and ``(in T x) =>``: the modifier goes; ``(out T x) =>`` becomes ``ref T x``. The source has what was
    written."""
    start = match.start(1)
    of_method = _METHOD_NAME.search(match.string, max(0, start - 80), start - 1) is not None
    for parameter in _LAMBDA_PARAMETER.finditer(match[1]):
        modifiers, type_ = parameter["modifiers"], parameter["type"]
        begin = start + parameter.start("modifiers")
        if not type_ or (modifiers.startswith(b"in") and not of_method):
            yield Edit(begin, b" " * len(modifiers))
        elif b"out" in modifiers:
            yield Edit(begin, modifiers.replace(b"out", b"ref"))


_METHOD_NAME: Final = re.compile(rb"(?:\w(?<!\basync)(?<!\bstatic)(?<!\breturn)|[^=]>)\s*\Z")
_LAMBDA_PARAMETER: Final = re.compile(
    rb"(?:\A|,)\s*(?P<modifiers>(?:(?:ref|out|in|readonly|scoped|params)\s+)+)(?P<type>[\w.<>,?\[\]\s]*?[\s>\]?])??@?\w+\s*(?=,|\Z|=)"
)


def _underscored(match: re.Match[bytes]) -> Iterator[Edit]:
    """``allows ref struct`` → one identifier: a constraint whose text in the source begins with ``allows`` is
    none."""
    yield Edit(match.start(), re.sub(rb"\s", b"_", match[0]))


def _slice(match: re.Match[bytes]) -> Iterator[Edit]:
    """``.. var x`` → ``_, var x``; ``..,`` → ``_ ,``: a discard whose text in the source is ``.`` is a slice, of the
    pattern after it."""
    yield Edit(match.start(), b"_ " if match["end"] is not None else b"_,")


def _guarded_list(match: re.Match[bytes]) -> Iterator[Edit]:
    """``[x, ..] when`` → ``(x, _ ) when``, as ``when`` would be read as the list's designation: a parenthesis that is
    ``[`` in the source is a list pattern."""
    end = match.start()
    start = _opening(match.string, end, b"[", b"]")
    if start is None or match.string[start - 1 : start] in _INDEXED:
        return
    yield Edit(start, b"(")
    yield Edit(end, b")")
    for part in _SLICE_IN_LIST.finditer(match.string, start, end + 1):
        yield Edit(part.start(), b"_ " if part["end"] is not None else b"_,")


_INDEXED: Final = frozenset(bytes([byte]) for byte in b")]?_" + string.ascii_letters.encode() + string.digits.encode())
_SLICE_IN_LIST: Final = re.compile(rb"\.\.(?P<end>(?=\s*[,\]]))?")


def _leading_slice(match: re.Match[bytes]) -> Iterator[Edit]:
    """``[..]`` → ``[_ ]``, as in ``_slice``."""
    yield Edit(match.start(1), b"_ ")


def _reference_call(match: re.Match[bytes]) -> Iterator[Edit]:
    """``F(0) = x`` → ``F[0] = x``: an element access whose ``[`` is ``(`` in the source is a call. ``F() = x`` → ``F
    = x``."""
    end = match.start()
    start = _opening(match.string, end, b"(", b")")
    if start is None:
        return
    name_end = start
    if match.string[start - 1] == _CLOSE_ANGLE:
        name_end = _opening(match.string, start - 1, b"<", b">", 400) or 0
    if b";" in match.string[name_end:start] or not _CALLEE.search(match.string, max(0, name_end - 80), name_end):
        return
    empty = not match.string[start + 1 : end].strip()
    yield Edit(start, b" " if empty else b"[")
    yield Edit(end, b" " if empty else b"]")


_CLOSE_ANGLE: Final = 0x3E
_CALLEE: Final = re.compile(
    rb"(?:(?<![\w.])(?!(?:if|else|do|in|while|for|foreach|switch|using|lock|fixed|var|catch|when|return)\b)\w|(?<=[>)\]])\.)"
    rb"[\w.\s]*\Z"
)


def _opening(source: bytes, end: int, opening: bytes, closing: bytes, reach: int = 2000) -> int | None:
    """Where the bracket that the one at ``end`` closes opens, looked for ``reach`` bytes back."""
    depth = 0
    for at in range(end, max(-1, end - reach), -1):
        character = source[at]
        if character == closing[0]:
            depth += 1
        elif character == opening[0]:
            depth -= 1
            if depth == 0:
                return at
    return None


def _indirection(match: re.Match[bytes]) -> Iterator[Edit]:
    """``*(T*)p`` → ``~(T*)p``, which cannot be a product: an operator whose text in the source is ``*``."""
    start, end = match.span(match.lastgroup or 0)
    yield Edit(start, b"~" * (end - start))


def _assigned_indirection(match: re.Match[bytes]) -> Iterator[Edit]:
    """``*(p + 1) = x`` → ``_[p + 1] = x``: an element access of a name that is ``*`` in the source. A cast before the parenthesis goes, as
    does the step of ``*p++ = x`` and ``*--p = x``."""
    cast, value, step = match["cast"], match["value"], match["step"]
    if cast:
        yield Edit(match.start("cast"), b" " * len(cast))
    if value.startswith(b"("):
        yield Edit(match.start(), b"_")
        yield Edit(match.start("value"), b"[")
        yield Edit(match.end("value") - 1, b"]")
    elif not step:
        yield Edit(match.start("value"), b"  ")
    if step:
        yield Edit(match.start("step"), b" " * len(step))


def _adjoined(match: re.Match[bytes]) -> Iterator[Edit]:
    """``} ;`` → ``}; ``."""
    yield Edit(match.start(1), b";" + b" " * (len(match[1]) - 1))


def _empty_interpolation(match: re.Match[bytes]) -> Iterator[Edit]:
    """``$""`` → ``@""``: a verbatim string that begins with ``$`` in the source is interpolated."""
    yield Edit(match.start(), b"@")


def _verbatim_quotes(match: re.Match[bytes]) -> Iterator[Edit]:
    """In ``$@"…"``: doubled quotes at the start or end would be read as those of a raw string, a backslash before doubled
    quotes as an escape; they go."""
    start, text = match.start(1), match[1]
    leading = len(text) - len(text.lstrip(b'"'))
    trailing = len(text) - len(text.rstrip(b'"')) if leading < len(text) else 0
    yield Edit(start, b" " * leading)
    yield Edit(match.end(1) - trailing, b" " * trailing)
    for backslash in _BACKSLASH_BEFORE_QUOTES.finditer(text):
        yield Edit(start + backslash.start(), b" ")


_BACKSLASH_BEFORE_QUOTES: Final = re.compile(rb'\\(?="")')


def _closing_quotes(match: re.Match[bytes]) -> Iterator[Edit]:
    """The doubled quotes between a hole and the end of ``$@"…"``, as in ``_verbatim_quotes``: a hole may hold strings of its own. The
    nearest opening tells them from a raw string's end."""
    opened = [match.string.rfind(opening, 0, match.start()) for opening in (b'$@"', b'@$"', b'$"""')]
    if max(opened) != opened[2]:
        yield from _blanked(match)


def _format_quotes(match: re.Match[bytes]) -> Iterator[Edit]:
    """``{x:HH \\"UTC\\"}`` → ``{x:HH __UTC__}``."""
    for quote in re.finditer(rb'\\"', match[1]):
        yield Edit(match.start(1) + quote.start(), b"__")


def _bare(match: re.Match[bytes]) -> Iterator[Edit]:
    """``(*p) = x`` → `` *p  = x``."""
    end = match.start()
    start = _opening(match.string, end, b"(", b")", 200)
    if start is not None and match.string[start + 1 : end].lstrip().startswith(b"*"):
        yield Edit(start, b" ")
        yield Edit(end, b" ")


_ASSIGNMENT: Final = rb"\s*(?:[-+*/%&|^]|<<|>>>?|\?\?)?=(?![=>])"
_IN_BRACKETS: Final = rb"\[(?:[^\[\]]|\[[^\[\]]*\])*\]"
_TYPE_ARGUMENTS: Final = rb"<[^<>;{}()]*(?:<[^<>;{}()]*>[^<>;{}()]*)*>"
_NUMERIC_TYPE: Final = rb"(?:byte|char|double|float|int|long|nint|nuint|sbyte|short|uint|ulong|ushort)"
_POINTER_CAST: Final = rb"\(\s*[\w.:]+(?:" + _TYPE_ARGUMENTS + rb")?\s*\*+\s*\)"

_NAMES: Final = (
    *((word, AFTER_NAME) for word in (b"required", b"partial", b"await", b"file", b"scoped", b"record")),
    *((word, AFTER_DECLARED_NAME) for word in (b"and", b"or", b"with")),
)

MASKS: Final[tuple[Mask, ...]] = (
    *(
        Mask(f"{word.decode()} as a name", word, name_where(word, following), _second_letter)
        for word, following in _NAMES
    ),
    Mask(
        "attribute target as a name",
        b"[",
        re.compile(rb"\[\s*(type|method|property|field|param|typevar|assembly|module)\b(?!\s*:(?!:))"),
        _second_letter,
    ),
    Mask(
        "attribute target of an accessor", b":", re.compile(rb"\[\s*((?:get|set|init|add|remove)\s*:)(?!:)"), _blanked
    ),
    Mask("lambda parameter modifier", b"=>", re.compile(rb"\(([^()]*)\)(?=\s*=>)"), _lambda_parameters),
    Mask(
        "compound assignment operator",
        b"operator",
        re.compile(rb"operator\s+(?:checked\s+)?(?:[-+*/%&|^]|<<|>>>?)(=)(?=\s*\()"),
        _blanked,
    ),
    Mask("allows ref struct", b"allows", re.compile(rb"allows\s+ref\s+struct\b"), _underscored),
    Mask(
        "slice pattern",
        b"..",
        re.compile(
            rb"\.\.(?<=[\[,\s]\.\.)"
            rb"(?:(?=\s*(?:var|not|null)\b|\s*[{<>_\[]|\s*[A-Za-z_][\w.]*\s+@?\w+\s*[,\]])|(?P<end>(?=\s*,)))"
        ),
        _slice,
    ),
    Mask("leading slice", b"[..", re.compile(rb"\[(\.\.)(?<=[\s(,:\[]\[\.\.)(?=\s*[\],])"), _leading_slice),
    Mask("leading slice apart", b"..", re.compile(rb"[\s(,:\[]\[\s+(\.\.)(?=\s*[\],])"), _leading_slice),
    Mask("assignment to a call", b")", re.compile(rb"\)(?=" + _ASSIGNMENT + rb")"), _reference_call),
    Mask(
        "quotes in a verbatim interpolated string",
        b'""',
        re.compile(rb'(?:\$@|@\$)"((?:[^"]|"")*)'),
        _verbatim_quotes,
    ),
    Mask("empty interpolated string", b'$""', re.compile(rb'\$""(?<![$@]\$"")(?!")'), _empty_interpolation),
    Mask(
        "scoped before a modifier",
        b"scoped",
        re.compile(rb"[(,\]]\s*(scoped)(?=\s+(?:in|out|params)\b)"),
        _blanked,
    ),
    Mask("semicolon after a declaration", b"}", re.compile(rb"\}([ \t]+;)"), _adjoined),
    Mask(
        "closing quotes of a verbatim interpolated string",
        b'}"""',
        re.compile(rb'\}((?:"")+)"(?!")'),
        _closing_quotes,
    ),
    Mask(
        "escaped quotes in a format",
        b'\\"',
        re.compile(rb'\{[^{}"\r\n]*:([^{}"\r\n]*\\"(?:[^{}"\r\n]|\\")*)\}'),
        _format_quotes,
    ),
    Mask("modifier of a finalizer", b"~", re.compile(rb"\b(unsafe|extern)\s+(?=~\s*\w+\s*\(\s*\))"), _blanked),
    Mask("another kind of space", b"\xe2\x80", re.compile(rb"(\xe2\x80[\x80-\x8a\xaf])"), _blanked),
    Mask("indirection in parentheses", b"*", re.compile(rb"\)(?=" + _ASSIGNMENT + rb")"), _bare),
    Mask("discard as a range variable", b"_", re.compile(rb"(?:from|join)\s+(_)\s+in\b"), _letter),
    Mask("guarded list pattern", b"when", re.compile(rb"\](?=\s*when\b)"), _guarded_list),
    Mask(
        "checked constant as a pattern",
        b"checked",
        re.compile(rb"\b(?:is|case|not|and|or)\s+((?:un)?checked)(?=\s*\()"),
        _blanked,
    ),
    Mask("ref before partial", b"partial", re.compile(rb"(ref)\b(?<!\wref)(?=\s+partial\s+struct\b)"), _blanked),
    Mask("closed class", b"closed", re.compile(rb"(closed)\b(?=\s+(?:\w+\s+)*(?:class|record)\b)"), _blanked),
    Mask(
        "union",
        b"union",
        re.compile(rb"union(?<!\wunion)\s+\w+\s*(?:" + _TYPE_ARGUMENTS + rb")?\s*(?P<cases>\([^()]*\))(?=\s*[{;:])"),
        _union,
    ),
    Mask(
        "indirection",
        b"*",
        re.compile(
            rb"(?:(?:\b(?:return|ref|in)|=>|(?<!\bsizeof)(?<!\bsizeof )\(\s*"
            + _NUMERIC_TYPE
            + rb"\s*\)|(?<![\w)\]])!|(?<!\+)\+|(?<!-)-|[=(,?:&|<>~^%\[])\s*)"
            rb"(?P<stars>\*+)(?=\s*(?:\(|\+\+|--))"
            rb"|(?<![*/])(?P<before_cast>\*+)(?=\s*" + _POINTER_CAST + rb")"
        ),
        _indirection,
    ),
    Mask(
        "assignment through a pointer",
        b"*",
        re.compile(
            rb"\*(?<=[;{}(\s]\*)\s*(?P<cast>"
            + _POINTER_CAST
            + rb"\s*)?(?P<value>"
            + IN_ARGUMENTS
            + rb"|\w+(?=\+\+|--)|(?:\+\+|--)\w+)(?P<step>\+\+|--)?(?=\)?"
            + _ASSIGNMENT
            + rb")"
        ),
        _assigned_indirection,
    ),
)
