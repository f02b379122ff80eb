"""Reads a page: markup with C# in it, C# with markup in it, and directives (Razor syntax reference for ASP.NET Core).

The C# of the page is copied to the sections of ``Generated``: statements and expressions of the markup into the method that renders it,
members of ``@code`` and ``@functions`` into the class. Of markup only the names of components count, and what is C# in attributes
(``tags``). Nothing fails: what is not closed ends with the page.
"""

from __future__ import annotations

import re
from typing import Final

from codemap_plugins.csharp.lexer import end_of_literal
from codemap_plugins.csharp.page_names import PageKind
from codemap_plugins.csharp.razor.generated import PageText
from codemap_plugins.csharp.razor.tags import Tags

_MAX_DEPTH: Final = 60
"""Markup in C# in markup nested deeper is text."""
_NAME: Final = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*")
_SPACE: Final = re.compile(rb"\s*")
_BLANKS: Final = re.compile(rb"[ \t]*")
_REST_OF_LINE: Final = re.compile(rb"[^\r\n]*")
_COMMENT: Final = re.compile(rb"@\*.*?(?:\*@|\Z)", re.DOTALL)
_TAG: Final = re.compile(rb"</?[A-Za-z\x80-\xff]|<!")
_WORD: Final = re.compile(rb"[\w\x80-\xff]+")
_QUALIFIED: Final = re.compile(rb"[\w.\x80-\xff]+")
_MARKUP_STOP: Final = re.compile(rb"[@<{}]")
_CODE_STOP: Final = re.compile(rb"""[^\s\w\x80-\xff.,=!&|+\-*%^~?>\]\\)]|[)\]]""")
_STATEMENTS: Final = frozenset({b"if", b"for", b"foreach", b"while", b"do", b"switch", b"lock", b"try", b"using"})
_CONTINUED: Final = {
    b"if": (b"else",),
    b"else": (b"else",),
    b"try": (b"catch", b"finally"),
    b"catch": (b"catch", b"finally"),
    b"do": (b"while",),
}
"""What goes on with a statement."""
_BEFORE_STATEMENTS: Final = re.compile(
    rb"(?:[);{}:]|=>|\b(?:else|do|try|finally|get|set|init|add|remove|unchecked|checked))\s*\Z"
)
"""What stands before a brace that statements follow, not the members of a type or of what is created."""
_LOOKED_BACK: Final = 200
"""How many bytes before a place are read to see what it is."""
_OPENING: Final = {0x28: 0x29, 0x5B: 0x5D, 0x7B: 0x7D}
_PAGE: Final = b"page"
_IGNORED: Final = frozenset(
    {_PAGE, b"addTagHelper", b"removeTagHelper", b"tagHelperPrefix", b"preservewhitespace", b"rendermode"}
)
"""Directives in which nothing is bound."""


class Generated:
    """The sections of the C# text, as the page fills them."""

    def __init__(self, page: bytes) -> None:
        self.usings: Final = PageText(page)
        self.attributes: Final = PageText(page)
        self.namespace: Final = PageText(page)
        self.bases: Final = PageText(page)
        """Names after ``:``, with commas between; the base class, if there is one, is in ``base``."""
        self.base: Final = PageText(page)
        self.type_parameters: Final = PageText(page)
        self.constraints: Final = PageText(page)
        self.members: Final = PageText(page)
        self.body: Final = PageText(page)
        self.model: Final = PageText(page)
        self.is_page = False
        """It has the directive ``@page``."""


class PageReader:
    """Reads one page into ``generated``."""

    def __init__(self, page: bytes, kind: PageKind, is_component: bool) -> None:
        """``is_component``: it is one, or holds what components import."""
        self.page: Final = page
        self.kind: Final = kind
        self.is_component: Final = is_component
        self.generated: Final = Generated(page)
        self.section = self.generated.body
        """What is being written to."""
        self._depth = 0
        self._ended = 0
        """Where the last expression did: what follows it at once does not belong to an address of mail."""
        self._tags: Final = Tags(self)

    def read(self) -> Generated:
        self._markup(0, braces=False)
        return self.generated

    # Markup

    def _markup(self, at: int, *, braces: bool) -> int:
        """Markup up to the end of the page, or, within ``braces``, to the ``}`` that closes them; where it ends."""
        page, depth = self.page, 0
        while (stop := _MARKUP_STOP.search(page, at)) is not None:
            at = stop.start()
            character = page[at]
            if character == 0x40:
                at = self.transition(at)
            elif character == 0x3C:
                at = self._tags.tag(at).end
            elif character == 0x7B:
                depth += 1
                at += 1
            else:
                if braces and depth == 0:
                    self._tags.close_all()
                    return at
                depth -= 1
                at += 1
        self._tags.close_all()
        return len(page)

    def _element(self, at: int) -> int:
        """One element among statements, with all that it holds; where it ends."""
        page, open_tags = self.page, 0
        self._depth += 1
        with_tags = self._tags.entered()
        while at < len(page):
            if page[at] == 0x40:
                at = self.transition(at)
                continue
            if page[at] == 0x3C:
                tag = self._tags.tag(at)
                at = tag.end
                open_tags += tag.opens
                if open_tags <= 0:
                    break
                continue
            stop = _MARKUP_STOP.search(page, at + 1)
            at = stop.start() if stop is not None else len(page)
        self._tags.left(with_tags)
        self._depth -= 1
        return at

    def _line_of_markup(self, at: int) -> int:
        """``@:`` and what follows it on its line."""
        return self.text(at, self._past(_REST_OF_LINE, at))

    def text(self, at: int, end: int) -> int:
        """Text with expressions in it; where it ends, which is later than ``end`` where an expression goes on."""
        while (found := self.page.find(b"@", at, end)) >= 0:
            at = self.transition(found)
        return max(at, end)

    # From markup to C#

    def transition(self, at: int) -> int:
        """What begins with the ``@`` at ``at``; where it ends."""
        page = self.page
        following = page[at + 1 : at + 2]
        if following == b"*":
            return self._past(_COMMENT, at)
        if following == b"@":
            return at + 2
        if self._depth > _MAX_DEPTH:
            return at + 1
        if following == b"{":
            return self._block(at + 1)
        if following == b"(":
            return self._expression(at)
        if following == b":":
            return self._line_of_markup(at + 2)
        name = _NAME.match(page, at + 1)
        if name is None or (0 < at != self._ended and _WORD.match(page, at - 1) is not None):  # an address of mail
            return at + 1
        return self._word(at + 1, name[0], name.end())

    def _word(self, at: int, word: bytes, end: int) -> int:
        """A statement, a directive or an expression that begins with a word."""
        if word == b"using" and self._next(end) != b"(":
            return self._using(end)
        if word in _STATEMENTS:
            return self._statement(at)
        if word == b"await" and self._word_after(end) == b"foreach":
            return self._statement(at)
        if word in (b"code", b"functions") and self._next(end) == b"{":
            return self._members(end)
        if word == b"section" and not self.is_component:
            return self._named_section(end)
        directive = _DIRECTIVES.get(word)
        if directive is not None and self._begins_line(at - 1):
            return directive(self, end)
        if word in _IGNORED and self._begins_line(at - 1):
            self.generated.is_page |= word == _PAGE
            return self._past(_REST_OF_LINE, end)
        return self._expression(at - 1)

    def _past(self, pattern: re.Pattern[bytes], at: int) -> int:
        """Past what matches at a place, if anything does."""
        match = pattern.match(self.page, at)
        return match.end() if match is not None else at

    def _next(self, at: int) -> bytes:
        """The first character past spaces."""
        at = self._past(_SPACE, at)
        return self.page[at : at + 1]

    def _word_after(self, at: int) -> bytes:
        word = _WORD.match(self.page, self._past(_SPACE, at))
        return word[0] if word is not None else b""

    def _begins_line(self, at: int) -> bool:
        before = self.page[max(0, at - _LOOKED_BACK) : at]
        line = before.rpartition(b"\n")[2].rpartition(b"\r")[2]
        return not line.strip(b" \t") and (len(line) < len(before) or at <= _LOOKED_BACK)

    # Expressions

    def _expression(self, at: int) -> int:
        """``@name.member(…)`` or ``@(…)``, ``at``: its ``@``. A statement that gives its value away."""
        self.section.add("_ = ")
        end = self.value(at + 1)
        self.section.add(";\n")
        self._ended = end
        return end

    def value(self, at: int) -> int:
        """Copies an expression that begins after ``@``; where it ends."""
        page = self.page
        if page[at : at + 1] == b"(":
            return self._brackets(at)
        name = _NAME.match(page, at)
        if name is None:
            self.section.add("null")
            return at
        if name[0] == b"await":
            name = _NAME.match(page, self._past(_BLANKS, name.end())) or name
        self.section.copy(at, name.end())
        at = name.end()
        while True:
            following = page[at : at + 1]
            if following in (b"(", b"["):
                at = self._brackets(at)
                continue
            start = at
            if following == b"!" and page[at + 1 : at + 2] in (b".", b"[", b"(", b"!"):
                self.section.copy(at, at + 1)
                at += 1
                continue
            if following == b"?" and page[at + 1 : at + 2] in (b".", b"["):
                at += 1
                if page[at : at + 1] == b"[":
                    self.section.copy(start, at)
                    continue
            if page[at : at + 1] != b".":
                return start
            name = _NAME.match(page, at + 1)
            if name is None:
                return start
            at = name.end()
            self.section.copy(start, at)

    def _brackets(self, at: int) -> int:
        """A bracket, what it holds and the one that closes it."""
        self.section.copy(at, at + 1)
        end = self._code(at + 1, in_statements=False)
        self.section.copy(end, end + 1)
        if end >= len(self.page):
            self.section.add(chr(_OPENING[self.page[at]]))
        return end + 1

    # Statements

    def _block(self, at: int) -> int:
        """``{ … }`` after ``@``, whose variables are in scope for the rest of the page."""
        end = self._code(at + 1, in_statements=True)
        self.section.add("\n")
        return end + 1

    def _statement(self, at: int) -> int:
        """``if (…) { … } else { … }`` and the like, from its keyword."""
        while True:
            word = _NAME.match(self.page, at)
            if word is None:
                return at
            at = self._clause(at, word.end())
            following = _CONTINUED.get(word[0], ())
            next_at = self._over_space(at)
            further = _NAME.match(self.page, next_at)
            if further is None or further[0] not in following:
                return at
            at = next_at

    def _clause(self, start: int, end: int) -> int:
        """A keyword, which stands there, what stands in parentheses after it, and its block."""
        page, at = self.page, self._over_space(end)
        while (word := _NAME.match(page, at)) is not None:  # else if, await foreach
            at = self._over_space(word.end())
        self.section.copy(start, at)
        if page[at : at + 1] == b"(":
            at = self._brackets(at)
        after = self._over_space(at)
        if page[after : after + 1] == b"{":
            self.section.copy(after, after + 1)
            end = self._code(after + 1, in_statements=True)
            self.section.add("}\n")
            return end + 1
        if page[after : after + 1] == b";":  # do … while (…);
            self.section.add(";\n")
            return after + 1
        self.section.add(";\n")
        return at

    def _over_space(self, at: int) -> int:
        """Past spaces and comments."""
        while True:
            at = self._past(_SPACE, at)
            if self.page[at : at + 2] == b"@*":
                at = self._past(_COMMENT, at)
            elif self.page[at : at + 2] in (b"//", b"/*"):
                at = end_of_literal(self.page, at)
            else:
                return at

    def _code(self, at: int, *, in_statements: bool) -> int:
        """Copies C# up to the bracket that closes what is open, with the C# of the markup in it; where that bracket is."""
        page = self.page
        start, opened, is_start = at, [in_statements], in_statements
        self._depth += 1
        while at < len(page):
            stop = _CODE_STOP.search(page, at)
            if stop is None:
                at = len(page)
                break
            if page[at : stop.start()].strip():
                is_start = False
            at = stop.start()
            character = page[at]
            if character in _OPENING:
                is_start = (
                    character == 0x7B and _BEFORE_STATEMENTS.search(page, max(0, at - _LOOKED_BACK), at) is not None
                )
                opened.append(is_start)
                at += 1
            elif character in (0x29, 0x5D, 0x7D):
                opened.pop()
                if not opened:
                    break
                is_start = character == 0x7D or (character == 0x29 and opened[-1])
                at += 1
            elif character in (0x3B, 0x3A):
                is_start = opened[-1]
                at += 1
            elif character == 0x40 and (end := self._leaves_code(at, start, is_start)):
                start = at = end
                is_start = opened[-1]
            elif character == 0x3C and is_start and self._depth < _MAX_DEPTH and _TAG.match(page, at) is not None:
                self.section.copy(start, at)
                start = at = self._element(at)
            else:
                end = end_of_literal(page, at)
                is_start = is_start and page[at : at + 2] in (b"//", b"/*")
                at = max(end, at + 1)
        self.section.copy(start, min(at, len(page)))
        self._depth -= 1
        return at

    def _leaves_code(self, at: int, start: int, is_start: bool) -> int:
        """What begins with ``@`` in C# and is none; where it ends, 0 where it is C#. ``start``: of what has not been copied."""
        page = self.page
        following = page[at + 1 : at + 2]
        if following == b"*":
            self.section.copy(start, at)
            return self._past(_COMMENT, at)
        if following == b"<" and _TAG.match(page, at + 1) is not None and self._depth < _MAX_DEPTH:
            self.section.copy(start, at)
            self.section.add(" __builder => {\n" if self.is_component else " item => {\n")
            end = self._element(at + 1)
            self.section.add("}" if self.is_component else _RENDERED)
            return end
        if is_start and (following in (b":", b"{", b"(") or _NAME.match(page, at + 1) is not None):
            self.section.copy(start, at)
            return self.transition(at)
        return 0

    # Directives

    def _members(self, at: int) -> int:
        """``@code { … }`` and ``@functions { … }``."""
        at = self._over_space(at)
        section, self.section = self.section, self.generated.members
        end = self._code(at + 1, in_statements=True)
        self.section.add("\n")
        self.section = section
        return end + 1

    def _named_section(self, at: int) -> int:
        """``@section Name { … }``: markup."""
        at = self._over_space(self._past(_NAME, self._over_space(at)))
        if self.page[at : at + 1] != b"{":
            return at
        return self._markup(at + 1, braces=True) + 1

    def _using(self, at: int) -> int:
        start, end = self._trimmed(at)
        if end > start:
            is_imported = self.kind is PageKind.IMPORTS
            self.generated.usings.add("global using " if is_imported else "using ")
            self.generated.usings.copy(start, end)
            self.generated.usings.add(";\n")
        return self._past(_REST_OF_LINE, at)

    def _trimmed(self, at: int) -> tuple[int, int]:
        """What the rest of a line says, without spaces and semicolons around it."""
        end = self._past(_REST_OF_LINE, at)
        comment = self.page.find(b"@*", at, end)
        text = self.page[at : comment if comment >= 0 else end]
        start = at + len(text) - len(text.lstrip())
        return start, at + len(text.rstrip(b" \t;"))

    def _take(self, section: PageText, at: int, before: str = "", after: str = "", *, once: bool = False) -> int:
        """``once``: the first of several counts."""
        start, end = self._trimmed(at)
        if end > start and not (once and not section.is_empty):
            section.add(before)
            section.copy(start, end)
            section.add(after)
        return self._past(_REST_OF_LINE, at)

    def _inherits(self, at: int) -> int:
        return self._take(self.generated.base, at, once=True)

    def _implements(self, at: int) -> int:
        return self._take(self.generated.bases, at, ", ")

    def _model(self, at: int) -> int:
        return self._take(self.generated.model, at, once=True)

    def _namespace(self, at: int) -> int:
        match = _QUALIFIED.match(self.page, self._over_space(at))
        if match is not None and self.generated.namespace.is_empty:
            self.generated.namespace.copy(match.start(), match.end())
        return self._past(_REST_OF_LINE, at)

    def _attribute(self, at: int) -> int:
        at = self._over_space(at)
        if self.page[at : at + 1] != b"[":
            return self._past(_REST_OF_LINE, at)
        section, self.section = self.section, self.generated.attributes
        end = self._brackets(at)
        self.section.add("\n")
        self.section = section
        return end

    def _layout(self, at: int) -> int:
        return self._take(
            self.generated.attributes, at, "[global::Microsoft.AspNetCore.Components.Layout(typeof(", "))]\n"
        )

    def _type_parameter(self, at: int) -> int:
        start, end = self._trimmed(at)
        name = _NAME.match(self.page, start)
        if name is not None:
            if not self.generated.type_parameters.is_empty:
                self.generated.type_parameters.add(", ")
            self.generated.type_parameters.copy(name.start(), name.end())
            self.generated.constraints.add(" ")
            self.generated.constraints.copy(name.end(), end)
        return self._past(_REST_OF_LINE, at)

    def _inject(self, at: int) -> int:
        """``@inject Type Name``: a property."""
        start, end = self._trimmed(at)
        words = self.page[start:end]
        name = words.rpartition(b" ")[2].rpartition(b"\t")[2]
        if name and name != words and _NAME.fullmatch(name) is not None:
            self.generated.members.copy(start, end)
            self.generated.members.add(" { get; set; }\n")
        return self._past(_REST_OF_LINE, at)


_RENDERED: Final = "return default(global::Microsoft.AspNetCore.Mvc.Razor.HelperResult); }"
"""What a template of a view ends with."""
_DIRECTIVES: Final = {
    b"inherits": PageReader._inherits,
    b"implements": PageReader._implements,
    b"model": PageReader._model,
    b"namespace": PageReader._namespace,
    b"attribute": PageReader._attribute,
    b"layout": PageReader._layout,
    b"typeparam": PageReader._type_parameter,
    b"inject": PageReader._inject,
}
