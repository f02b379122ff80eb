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
from codemap_plugins.csharp.grammar import CSHARP


class Edit(NamedTuple):
    """Bytes to put at an offset."""

    start: int
    text: bytes


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


def disambiguate(masked: bytes) -> bytes:
    """Rewrites, before any parse, what is cheap to find and sure.

    ``async`` where what follows shows that it is a name; and what the grammar reads wrongly without an error: ``?.`` and
    ``?[``, which bind less than every operator there (``!a?.b`` as ``(!a)?.b``), become `` .`` and `` [``; escaped braces
    directly before a hole, ``$"{{{a}"``, become blank; ``&&`` after a generic type that is tested for, ``x is B<C> && y is E``, becomes
    ``||``, as it could be two address-of operators behind a comparison; ``new A<B, C> { … }`` gets an empty argument list, as it could be
    two comparisons in a list; a name in parentheses behind ``>`` becomes a number, ``a.F<B>(c) && d`` is ``a.F<B>(1) && d``, as an operator
    that could be unary would make the parentheses a cast behind two comparisons: a number that is a name in the source is that name;
    comments between the head of a generic class and its bases, ``class A<T> // … : B<T> where``, become blank, as ``<T>`` would be type
    parameters behind them; extension blocks, which are constructors to it while they hold but methods.
    """
    if b"?" in masked:
        masked = _CONDITIONAL_MEMBER.sub(rb" \1.", masked)
        masked = _CONDITIONAL_ELEMENT.sub(_conditional_element, masked)
    if b"async" in masked:
        masked = _ASYNC_NAME.sub(b"a_ync", masked)
    if _CLOSED_BEFORE_AND.search(masked) is not None:
        masked = _TYPE_BEFORE_AND.sub(rb"\1||", masked)
    masked = _GENERIC_CREATION.sub(_with_arguments, masked)
    masked = _NAME_IN_PARENTHESES.sub(_as_number, masked)
    if _CLOSED_BEFORE_WHERE.search(masked) is not None:
        masked = _COMMENT_BEFORE_BASES.sub(_without_comments, masked)
    if b"extension" in masked:
        masked = _written(masked, (edit for match in _EXTENSION_BLOCK.finditer(masked) for edit in _extension(match)))
    if b"{{{" in masked and b"$$" not in masked:
        masked = _BRACES_BEFORE_HOLE.sub(lambda match: b" " * len(match[0]), masked)
    return masked


_CONDITIONAL_MEMBER: Final = re.compile(rb"\?(\s*)\.(?=\s*[A-Za-z_@\x80-\xff])")
_CONDITIONAL_ELEMENT: Final = re.compile(rb"\?\[(?<=[\w)\]!>]\?\[)(?!\s*[\],])")
_ARRAY_CREATION: Final = re.compile(rb"\b(?:new|stackalloc)\s+[\w.<>,\s]*\Z")
_CLOSED_BEFORE_AND: Final = re.compile(rb">\s*&&")
"""Where it is not found, ``_TYPE_BEFORE_AND`` is not either, whose search takes five times as long."""
_TYPE_BEFORE_AND: Final = re.compile(rb"(\b(?:is|not|or|and)\s+[\w.:@]+<[^;(){}&|=\"']*>\s*)&&")
_GENERIC_CREATION: Final = re.compile(rb"(new(?<![\w@]new)\s+[\w.:@]+<[^;(){}&|=\"']*,[^;(){}&|=\"']*>)(\s*)\{(\s*)")
_NAME_IN_PARENTHESES: Final = re.compile(
    rb">[ ]?\(\s*(?!(?:"
    rb"base|bool|byte|char|decimal|default|double|dynamic|false|float|int|long|nint|nuint|null|object|sbyte|short|string|this|true|uint|ulong|"
    rb"ushort)\b)(?P<name>@?[A-Za-z_\x80-\xff][\w\x80-\xff]*)"
    rb"(?=(?:\s*\.\s*[\w\x80-\xff]+|\s*\[\s*[^\[\](){};,\s][^\[\](){};]*\])*\s*\)\s*(?:[&*+\[-]|\.\.))"
)
_BRACES_BEFORE_HOLE: Final = re.compile(rb"\{\{(?<!\{\{\{)(?:\{\{)*(?=\{(?!\{))")


def _name(word: bytes, following: bytes) -> re.Pattern[bytes]:
    """``word`` where what follows shows that it is a name. The word comes first: a literal prefix is searched for
    fastest."""
    return re.compile(b"(" + word + rb")\b(?<![\w@]" + word + rb")(?=\s*(?:" + following + b"))")


_AFTER_NAME: Final = rb"[;),:.?&|=!\]}\[/%^]|[-+](?!\w)|(?:is|as|switch|in)\b"
_AFTER_DECLARED_NAME: Final = rb"[;),:]|=(?!=)|(?:in|when)\b|&&|\|\|"
_ASYNC_NAME: Final = _name(b"async", _AFTER_NAME + rb"|[+<]|\([^()]*\)(?!\s*(?:=>|/[/*]))")


def _without_comments(match: re.Match[bytes]) -> bytes:
    return match[1] + _NOT_A_LINE_END.sub(b" ", match[2])


def _as_number(match: re.Match[bytes]) -> bytes:
    return match[0][: match.start("name") - match.start()] + b"1" * len(match["name"])


_LONG_LINE: Final = 2000
"""Bytes of a line that are looked at: all of them would take time quadratic in its length."""


def _with_arguments(match: re.Match[bytes]) -> bytes:
    """The creation with an empty argument list, and its brace, in the first blanks behind it; unchanged where there is no room, and behind
    ``//``, whose comment the blanks may leave."""
    creation, before, after = match.groups()
    blanks = bytearray(before + b" " + after)
    room = [at for at, byte in enumerate(blanks) if byte not in b"\r\n"]
    begun = max(0, match.end(1) - _LONG_LINE)
    line = match.string[max(begun, match.string.rfind(b"\n", begun, match.end(1)) + 1) : match.end(1)]
    comment = line.find(b"//")
    if len(room) < 3 or (comment >= 0 and line.count(b'"', 0, comment) % 2 == 0):
        return match[0]
    for at, byte in zip(room, b"(){", strict=False):
        blanks[at] = byte
    return creation + bytes(blanks)


def _conditional_element(match: re.Match[bytes]) -> bytes:
    start = match.start()
    return match[0] if _ARRAY_CREATION.search(match.string, max(0, start - 120), start) else b" ["


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
    masked = _written(best.masked, edits)
    tree = CSHARP.reparse(masked, best.tree, ((start, start + len(text)) for start, text in edits))
    errors = count_errors(tree)
    return Repaired(masked, tree, errors, names) if errors < best.errors else best


def _written(masked: bytes, edits: Iterable[Edit]) -> bytes:
    edited = bytearray(masked)
    for start, text in edits:
        edited[start : start + len(text)] = text
    return bytes(edited)


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


def _extension(match: re.Match[bytes]) -> Iterator[Edit]:
    """``extension<T>(List<T> source)`` → ``class Ext<T>(List<T> source)``; without a name, ``extension(List<T>)`` →
    ``class Ext:List<T> ``, so that the receiver's type is the one base. A class whose name's place reads ``xtension``
    in the source is an extension block; the name node starts six bytes after the block's keyword."""
    yield Edit(match.start(), b"class Ext")
    receiver = match["receiver"]
    prefix = _RECEIVER_PREFIX.match(receiver)
    type_start = prefix.end() if prefix else 0
    if not _NAMED_RECEIVER.search(receiver, type_start):
        start = match.start("receiver")
        yield Edit(start - 1, b":" + b" " * type_start)
        yield Edit(match.end("receiver"), b" ")


_NAMED_RECEIVER: Final = re.compile(rb"[\w>\])?*]\s*(?<=[\s>\])?*])@?[^\W\d]\w*\s*\Z")
_RECEIVER_PREFIX: Final = re.compile(rb"(?:\s*\[[^\]]*\])*(?:\s*(?:ref|in|out|readonly|scoped)\b)*\s*")


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
_IN_ARGUMENTS: Final = rb"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_IN_BRACKETS: Final = rb"\[(?:[^\[\]]|\[[^\[\]]*\])*\]"
_TYPE_ARGUMENTS: Final = rb"<[^<>;{}()]*(?:<[^<>;{}()]*>[^<>;{}()]*)*>"
_NUMERIC_TYPE: Final = rb"(?:byte|char|double|float|int|long|nint|nuint|sbyte|short|uint|ulong|ushort)"
_POINTER_CAST: Final = rb"\(\s*[\w.:]+(?:" + _TYPE_ARGUMENTS + rb")?\s*\*+\s*\)"

_EXTENSION_BLOCK: Final = re.compile(
    rb"extension(?:(?<=[;{}\n]extension)|(?<=[ \t]extension)(?<![\w>\]?*][ \t]extension))\s*(?:<(?:[^<>;{}()]|<[^<>;{}()]*>|"
    + _IN_ARGUMENTS
    + rb")*>)?\s*\((?P<receiver>(?:[^()]|"
    + _IN_ARGUMENTS
    + rb")*)\)(?=\s*(?:where\b[^;{}]*)?\{)"
)

_COMMENT_BEFORE_BASES: Final = re.compile(
    rb"(\b(?:class|struct)\s+\w+\s*<[^<>;{}()]*>\s*(?:"
    + _IN_ARGUMENTS
    + rb"\s*)?)((?:(?://|#\s*(?:pragma|region|endregion|nullable)\b)[^\n]*\n\s*|/\*(?:[^*]|\*(?!/))*\*/\s*)+)(?=:[^;{}]*>\s*where\b)"
)
_CLOSED_BEFORE_WHERE: Final = re.compile(rb">\s*where\b")
"""Where it is not found, ``_COMMENT_BEFORE_BASES`` is not either."""
_NOT_A_LINE_END: Final = re.compile(rb"[^\r\n]")

_NAMES: Final = (
    *((word, _AFTER_NAME) for word in (b"required", b"partial", b"await", b"file", b"scoped", b"record")),
    *((word, _AFTER_DECLARED_NAME) for word in (b"and", b"or", b"with")),
)

MASKS: Final[tuple[Mask, ...]] = (
    *(Mask(f"{word.decode()} as a name", word, _name(word, following), _second_letter) for word, following in _NAMES),
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
            + _IN_ARGUMENTS
            + rb"|\w+(?=\+\+|--)|(?:\+\+|--)\w+)(?P<step>\+\+|--)?(?=\)?"
            + _ASSIGNMENT
            + rb")"
        ),
        _assigned_indirection,
    ),
)
