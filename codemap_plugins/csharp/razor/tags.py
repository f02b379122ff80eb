"""Tags of a page: of a component the name and the parameters that it is given; of any element what is C# in its attributes.

The value of a component's parameter is C# unless the parameter is a string, which only binding knows; so it is copied with a mark, if it
can be C# at all. Directive attributes (``@onclick``, ``@bind``) are C# in any case, and so are some attributes of ASP.NET's tag helpers.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, Protocol

from codemap_core.model.bound import IN_MARKUP
from codemap_core.syntax import count_errors
from codemap_plugins.csharp.grammar import CSHARP
from codemap_plugins.csharp.razor.generated import ComponentTag, Mark, Marked, PageText

_TAG_NAME: Final = re.compile(rb"</?([A-Za-z\x80-\xff][\w.:\-\x80-\xff]*)|<!([A-Za-z]+)?")
_COMPONENT: Final = re.compile(
    rb"[A-Z][\w\x80-\xff]*(?:\.[A-Za-z_][\w\x80-\xff]*)*|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\.[A-Z]\w*"
)
_ATTRIBUTE: Final = re.compile(rb"@?[^\s=/>\"'<@]+")
_PARAMETER: Final = re.compile(rb"[A-Z\x80-\xff][\w\x80-\xff]*")
"""What is spelt otherwise is an attribute of HTML, which a component passes on."""
_EQUALS: Final = re.compile(rb"\s*=\s*")
_NAME: Final = re.compile(rb"[A-Za-z_]\w*")
_ENDS: Final = frozenset({b'"', b"'", b">", b"/", b" ", b"\t", b"\r", b"\n"})
"""What ends the value of an attribute."""
_UNQUOTED: Final = re.compile(rb"[^\s>]*")
_PLAIN: Final = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|-?\d[\d.]*[mMfFdDlL]?|true|false|null")
"""Text that is an expression without being parsed, unless it begins with a keyword."""
_KEYWORDS: Final = frozenset(
    b"""abstract as bool break byte case catch char checked class const continue decimal delegate do double else enum event explicit extern
    finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new object operator out override
    params private protected public readonly ref return sbyte sealed short sizeof stackalloc static string struct switch throw try typeof
    uint ulong unchecked unsafe ushort using virtual void volatile while""".split()
)
_TYPE_ARGUMENT: Final = re.compile(rb"T(?:[A-Z]\w*)?")
"""How type parameters of components are called, which a tag gives as if they were parameters."""
_COMPONENTS: Final = "global::Microsoft.AspNetCore.Components."
_VOID: Final = frozenset(
    b"area base br col embed hr img input link meta param source track wbr command keygen !doctype".split()
)
_RAW: Final = frozenset({b"script", b"style"})
_EXPRESSIONS: Final = frozenset({b"key", b"attributes", b"rendermode"})
"""Directive attributes whose value is an expression."""
_BOUND: Final = frozenset({b"", b"get"})
"""Of ``@bind``, what follows the colon, if anything, where the value is what is bound."""
_TEXTS: Final = frozenset({b"event", b"format"})
"""The same where it is text."""
_OF_MODEL: Final = {b"": (b"asp-for",), b"partial": (b"for",)}
"""Attributes of tag helpers that name a member of the model (``ModelExpression``): of all elements, and of the helper's own."""
_OF_HELPERS: Final = {
    b"": (b"asp-items", b"asp-all-route-data"),
    b"partial": (b"model", b"view-data"),
    b"component": (b"type",),
    b"cache": (b"expires-after", b"expires-on", b"expires-sliding", b"enabled"),
}
"""The same of those that are any C#."""
_NAMING: Final = frozenset(
    (b"asp-action", b"asp-controller", b"asp-area", b"asp-page", b"asp-page-handler", b"asp-route")
)
"""Attributes of tag helpers whose text names an action, a page or a route."""
_EVENTS: Final = {
    **dict.fromkeys(("change", "input"), f"{_COMPONENTS}ChangeEventArgs"),
    **dict.fromkeys(
        (
            *("click", "dblclick", "contextmenu", "mousedown", "mouseup"),
            *("mousemove", "mouseover", "mouseout", "mouseenter", "mouseleave"),
        ),
        f"{_COMPONENTS}Web.MouseEventArgs",
    ),
    **dict.fromkeys(("keydown", "keyup", "keypress"), f"{_COMPONENTS}Web.KeyboardEventArgs"),
    **dict.fromkeys(("focus", "blur", "focusin", "focusout"), f"{_COMPONENTS}Web.FocusEventArgs"),
    **dict.fromkeys(("wheel", "mousewheel"), f"{_COMPONENTS}Web.WheelEventArgs"),
    **dict.fromkeys(("copy", "cut", "paste"), f"{_COMPONENTS}Web.ClipboardEventArgs"),
    **dict.fromkeys(
        ("drag", "dragend", "dragenter", "dragleave", "dragover", "dragstart", "drop"),
        f"{_COMPONENTS}Web.DragEventArgs",
    ),
    **dict.fromkeys(
        ("touchstart", "touchend", "touchmove", "touchenter", "touchleave", "touchcancel"),
        f"{_COMPONENTS}Web.TouchEventArgs",
    ),
    **dict.fromkeys(
        ("pointerdown", "pointerup", "pointermove", "pointerover", "pointerout", "pointerenter", "pointerleave"),
        f"{_COMPONENTS}Web.PointerEventArgs",
    ),
    "error": f"{_COMPONENTS}Web.ErrorEventArgs",
}
"""What a handler is given (``EventHandlers`` of Microsoft.AspNetCore.Components.Web); of all others ``EventArgs``."""
_CONTEXT: Final = "context"
_MAX_OPEN: Final = 100
"""Components nested deeper have no scope of their own."""
_EVENT_ARGS: Final = "global::System.EventArgs"


class Reading(Protocol):
    """Who reads the page that tags stand in."""

    section: PageText

    @property
    def page(self) -> bytes: ...

    @property
    def is_component(self) -> bool: ...

    def transition(self, at: int) -> int: ...

    def text(self, at: int, end: int) -> int: ...

    def value(self, at: int) -> int: ...


class Tag(NamedTuple):
    """``opens``: 1 for a tag that another one closes, -1 for that one, 0 for a tag alone."""

    end: int
    opens: int


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")


class Tags:
    """Reads the tags of one page."""

    def __init__(self, reader: Reading) -> None:
        self._reader: Final = reader
        self._page: Final = reader.page
        self._open: list[ComponentTag] = []
        """Components and their parameters whose content is being read, innermost last."""
        self._around: ComponentTag | None = None
        """The component in whose content the C# stands that these are in."""
        self._count = 0
        self._last_of: Final[dict[bytes, int]] = {}

    def entered(self) -> tuple[list[ComponentTag], ComponentTag | None]:
        """Content of its own begins; what it leaves open is closed by ``left``."""
        before = self._open, self._around
        self._open, self._around = [], self._open[-1] if self._open else self._around
        return before

    def left(self, before: tuple[list[ComponentTag], ComponentTag | None]) -> None:
        self.close_all()
        self._open, self._around = before

    def close_all(self) -> None:
        while self._open:
            self._open.pop()
            self._reader.section.add("}\n")

    def tag(self, at: int) -> Tag:
        """What begins with ``<``."""
        page = self._page
        if page.startswith(b"<!--", at):
            end = page.find(b"-->", at)
            end = end + 3 if end >= 0 else len(page)
            return Tag(self._reader.text(at + 4, end), 0)
        match = _TAG_NAME.match(page, at)
        if match is None:
            return Tag(at + 1, 0)
        if page[at + 1 : at + 2] == b"/":
            end = page.find(b">", match.end())
            self._closed(match[1])
            return Tag(end + 1 if end >= 0 else len(page), -1)
        if match[1] is None:
            end = page.find(b">", at)
            return Tag(end + 1 if end >= 0 else len(page), 0)
        name: bytes = match[1]
        component = None
        if self._reader.is_component and _COMPONENT.fullmatch(name) is not None:
            self._count += 1
            component = ComponentTag(_text(name), self._count, self._open[-1] if self._open else self._around)
            self._types(Marked(Mark.COMPONENT, component), at + 1, match.end())
        end, is_closed = self._attributes(match.end(), name, component)
        if is_closed or name.lower() in _VOID:
            return Tag(end, 0)
        if name.lower() in _RAW:
            closing = re.compile(rb"</" + re.escape(name) + rb"\s*>", re.IGNORECASE).search(page, end)
            return Tag(self._reader.text(end, closing.start() if closing is not None else len(page)), 1)
        if component is not None:
            self._opens(component, end)
        return Tag(end, 1)

    def _opens(self, component: ComponentTag, end: int) -> None:
        """Content begins, in which what it is given has a name: ``context`` unless the tag, or that of the component whose content it is,
        says otherwise."""
        if len(self._open) >= _MAX_OPEN:
            return
        section = self._reader.section
        section.add("{\n")
        names = dict.fromkeys((component.context or _CONTEXT, component.context_around or _CONTEXT))
        used = [name for name in names if self._last(name.encode()) >= end]
        if used:
            section.add("__Context ", Marked(Mark.CONTEXT, component))
            section.add(f"{', '.join(used)};\n")
        self._open.append(component)

    def _last(self, name: bytes) -> int:
        """Where a text occurs last in the page; -1 where it does not."""
        known = self._last_of.get(name)
        if known is None:
            known = self._last_of[name] = self._page.rfind(name)
        return known

    def _closed(self, name: bytes) -> None:
        text = _text(name)
        if any(each.name == text for each in self._open):
            while self._open.pop().name != text:
                self._reader.section.add("}\n")
            self._reader.section.add("}\n")

    def _types(self, marked: Marked, start: int, end: int) -> None:
        """``typeof`` of what stands there."""
        section = self._reader.section
        section.add("_ = ")
        section.add("typeof(", marked)
        section.copy(start, end)
        section.add(");\n")

    # Attributes

    def _attributes(self, at: int, tag: bytes, component: ComponentTag | None) -> tuple[int, bool]:
        """The rest of a tag: where it ends, and whether it is closed at once."""
        page = self._page
        while at < len(page):
            at = self._over_space(at)
            if page[at : at + 2] == b"/>":
                return at + 2, True
            if page[at : at + 1] == b">":
                return at + 1, False
            match = _ATTRIBUTE.match(page, at)
            is_code = page[at : at + 1] == b"@" and not (self._reader.is_component and self._is_directive(match))
            if is_code:
                at = max(self._reader.transition(at), at + 1)
                continue
            if match is None:
                at += 1
                continue
            equals = _EQUALS.match(page, match.end())
            start = equals.end() if equals is not None else match.end()
            end, quote = self._extent(start) if equals is not None else (start, b"")
            if component is not None and match[0] == b"Context" and equals is not None:
                name = page[start + len(quote) : end]
                component.context = name.decode() if _NAME.fullmatch(name) is not None else component.context
                at = end + len(quote)
                continue
            at = self._attribute(tag, match, start + len(quote), end, component, equals is not None)
            if quote:
                at = self._past_quote(at, quote)
        return at, True

    def _past_quote(self, at: int, quote: bytes) -> int:
        """Past the quote that ends a value, with what is C# in the rest of it."""
        while True:
            closing = self._page.find(quote, at)
            if closing < 0:
                return len(self._page)
            at = self._reader.text(at, closing)
            if at == closing:
                return closing + 1

    def _over_space(self, at: int) -> int:
        page = self._page
        while at < len(page) and (page[at : at + 1].isspace() or (page[at] == 0x2F and page[at + 1 : at + 2] != b">")):
            at += 1
        return at

    def _is_directive(self, match: re.Match[bytes] | None) -> bool:
        if match is None or len(match[0]) < 2:
            return False
        name = match[0][1:].partition(b":")[0]
        return (
            name in (*_EXPRESSIONS, b"ref", b"bind", b"formname") or name.startswith((b"bind-", b"on"))
        ) and self._page[match.end() : match.end() + 1] in (b"=", b" ", b">", b"/", b"\n", b"\r", b"\t")

    def _extent(self, start: int) -> tuple[int, bytes]:
        """Where a value ends that begins at ``start``, and the quote around it. Quotes within an expression do not end it."""
        page = self._page
        quote = page[start : start + 1]
        if quote in (b'"', b"'"):
            end = page.find(quote, start + 1)
            return (end if end >= 0 else len(page)), quote
        match = _UNQUOTED.match(page, start)
        end = match.end() if match is not None else start
        if page[end - 1 : end + 1] == b"/>":
            end -= 1
        return end, b""

    def _attribute(
        self, tag: bytes, match: re.Match[bytes], start: int, end: int, component: ComponentTag | None, has_value: bool
    ) -> int:
        """The value of an attribute; where it ends."""
        name = match[0]
        if name.startswith(b"@"):
            return self._directive(match.start() + 1, name[1:], start, end, component)
        if component is not None and _PARAMETER.fullmatch(name) is not None:
            return self._parameter(component, match.start(), match.end(), start, end, has_value)
        if not self._reader.is_component and not self._page.startswith(b"@", start):
            if name in _OF_MODEL[b""] or name in _OF_MODEL.get(tag, ()):
                return self._given(start, end, "_ = Model.", ";\n")
            if name in _OF_HELPERS[b""] or name in _OF_HELPERS.get(tag, ()) or self._is_of_component(tag, name):
                return self._given(start, end, "_ = ", ";\n")
        if not self._reader.is_component and name in _NAMING and self._page.startswith(b"@", start):
            return self._said(start, end)
        return self._reader.text(start, end)

    def _said(self, start: int, end: int) -> int:
        """An expression that gives a text, as a call by which those who read texts find it; where it ends. Where more text follows, that is
        an argument too."""
        section, page = self._reader.section, self._page
        section.add(f"{IN_MARKUP}({start}, ")
        at = self._reader.value(start + 1)
        is_all = at >= end and (at >= len(page) or page[at : at + 1] in _ENDS)
        section.add(");\n" if is_all else ", null);\n")
        return self._reader.text(at, end)

    @staticmethod
    def _is_of_component(tag: bytes, name: bytes) -> bool:
        """A parameter that ``<component type="…">`` hands on."""
        return tag == b"component" and name.startswith(b"param-")

    def _directive(self, at: int, name: bytes, start: int, end: int, component: ComponentTag | None) -> int:
        """``@onclick="…"``, ``@bind-Value="…"`` and the like. ``at``: of its name."""
        word, _, modifier = name.partition(b":")
        if end <= start:
            return end
        if word.startswith(b"on"):
            if modifier:
                return self._given(start, end, "_ = ", ";\n")
            arguments = _EVENTS.get(word[2:].decode("ascii", "replace"), _EVENT_ARGS)
            return self._handler(start, end, f"<{arguments}>")
        if word == b"ref":
            return self._given(start, end, "", " = default!;\n")
        if word in _EXPRESSIONS:
            return self._given(start, end, "_ = ", ";\n")
        if word == b"bind" or word.startswith(b"bind-"):
            if modifier in _TEXTS:
                return end
            if modifier in (b"after", b"set"):
                return self._handler(start, end, "")
            if not modifier:
                self._given(start, end, "", " = default!;\n")
            is_code = self._page.startswith(b"@", start) or self._is_expression(start, end)
            if component is not None and word.startswith(b"bind-") and modifier in _BOUND and is_code:
                self._sets(at + len(b"bind-"), at + len(word), Marked(Mark.EXPRESSION, component))
                return self._given(start, end, "(", ");\n")
            return self._given(start, end, "_ = ", ";\n")
        return self._reader.text(start, end)

    def _handler(self, start: int, end: int, arguments: str) -> int:
        return self._given(start, end, f"_ = {_COMPONENTS}EventCallback.Factory.Create{arguments}(this, ", ");\n")

    def _given(self, start: int, end: int, before: str, after: str) -> int:
        """A value that is C#, with or without ``@`` before it; where it ends."""
        section = self._reader.section
        if self._page.startswith(b"@", start):
            section.add(before)
            end = self._reader.value(start + 1)
            section.add(after)
        elif self._is_expression(start, end):
            section.add(before)
            section.copy(start, end)
            section.add(after)
        return end

    def _parameter(
        self, component: ComponentTag, name_start: int, name_end: int, start: int, end: int, has_value: bool
    ) -> int:
        """``Title="…"`` of a component."""
        section, page = self._reader.section, self._page
        if _TYPE_ARGUMENT.fullmatch(page, name_start, name_end) is not None and self._is_type(start, end):
            self._types(Marked(Mark.TYPE_ARGUMENT, component, _text(page[name_start:name_end])), start, end)
            return end
        begins_code = page.startswith(b"@", start) and not page.startswith(b"@@", start)
        may_be_code = not begins_code and b"@" not in page[start:end] and has_value and self._is_expression(start, end)
        mark = Mark.PARAMETER if may_be_code else Mark.EXPRESSION
        self._sets(name_start, name_end, Marked(mark, component))
        at = start
        if not has_value:
            section.add("true")
        elif begins_code:
            section.add("(")
            at = self._reader.value(start + 1)
            section.add(")")
        elif may_be_code:
            section.add("(")
            section.copy(start, end)
            section.add(")")
        else:
            section.add('""')
        section.add(";\n")
        return self._reader.text(at, end)

    def _is_type(self, start: int, end: int) -> bool:
        text = self._page[start:end].strip()
        return bool(text) and self._parses(b"typeof(" + text + b")")

    def _sets(self, start: int, end: int, marked: Marked) -> None:
        """The assignment to the parameter that is named there, up to its value."""
        section = self._reader.section
        section.add("__component.")
        section.copy(start, end)
        section.add(" ")
        section.add("= ", marked)

    def _is_expression(self, start: int, end: int) -> bool:
        """Whether text can be C#."""
        text = self._page[start:end].strip()
        if not text:
            return False
        if _PLAIN.fullmatch(text) is not None:
            return text.partition(b".")[0] not in _KEYWORDS
        return self._parses(text)

    @staticmethod
    def _parses(expression: bytes) -> bool:
        return count_errors(CSHARP.parse(b"class C { void M() { _ = (" + expression + b"); } }\n")) == 0
