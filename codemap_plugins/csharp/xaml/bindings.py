"""Bindings and other markup extensions as C#: the path of a binding is read from the local that holds what its element shows.

``{Binding Customer.Name}`` reads members of the data context, ``{x:Bind …}`` of the page or of a template's item; ``ElementName``,
``Source`` and ``RelativeSource`` say something else. A path is followed as far as it is members; what comes after an index is read from
what the index gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from codemap_plugins.csharp.xaml.extensions import Extension, Value, extension
from codemap_plugins.csharp.xaml.frames import UNKNOWN, Frame
from codemap_plugins.csharp.xaml.generated import NOTHING, Mark, Marked, PageText
from codemap_plugins.csharp.xaml.markup import Element, Span, is_identifier, member_named
from codemap_plugins.csharp.xaml.namespaces import Prefix, Standing

_STEP: Final = re.compile(rb"\.?\s*([A-Za-z_\x80-\xff][\w\x80-\xff]*)|\[[^\]]*\]|[?^!](?=[.\[]|$)")
_CAST: Final = re.compile(rb"\((?:\((?P<inner>[\w\-]+:\w+)\)[^()]*|(?P<outer>[\w\-]+:\w+))\)")
"""``((s:Cart)DataContext)``, ``(s:Cart)``; what has a dot behind the type is an attached property."""
_ATTACHED: Final = re.compile(rb"\(([\w\-]+:\w+\.\w+)\)")
_STATIC: Final = re.compile(rb"([\w\-]+:[A-Za-z_][\w]*)\.")
_FIRST: Final = re.compile(rb"\s*!*\s*")
_PARENT: Final = re.compile(rb"\$parent(?:\[([^\]]*)\])?")
_NAMED: Final = re.compile(rb"#([\w\x80-\xff]+)")
_ARGUMENT: Final = re.compile(rb"\s*([A-Za-z_][\w.:]*)\s*(?:,|$)")
BINDINGS: Final = frozenset({b"Binding", b"CompiledBinding", b"ReflectionBinding"})
_RESOURCES: Final = frozenset({b"StaticResource", b"DynamicResource", b"ThemeResource"})
_WRITES: Final = frozenset({b"TwoWay", b"OneWayToSource"})
_DATA: Final = re.compile(rb"(?:DataContext|BindingContext)(?:\.|$)")
_OF_ITEM: Final = frozenset({b"DisplayMemberBinding", b"ItemDisplayBinding", b"SelectedValueBinding"})
"""Properties whose binding reads an item, as ``Binding`` of a column does."""
_SOURCE: Final = b"Source"
_ITSELF: Final = frozenset({b"", b"."})
Root: TypeAlias = "str | int"
"""What a path begins with: a local, or the number of an element or type."""


class Reading(Protocol):
    """Who reads the page."""

    @property
    def page(self) -> bytes: ...

    @property
    def text(self) -> PageText: ...

    def said(self, span: Span) -> bytes: ...

    def prefix_of(self, name: bytes) -> Prefix: ...

    def is_type(self, name: Span) -> bool: ...

    def is_own_type(self, name: Span) -> bool: ...

    def type_at(self, name: Span, text: PageText, *, is_placed: bool = True) -> None: ...

    def type_of_extension(self, found: Extension) -> Span | None: ...

    def number(self, name: Span, mark: Mark, *, is_placed: bool = True) -> int: ...

    def member(self, number: int, name: Span, value: Span | None, mark: Mark = Mark.MEMBER) -> None: ...

    def local(self, kind: str) -> str: ...

    @property
    def class_name(self) -> bytes: ...

    def element_named(self, name: bytes) -> Frame | None: ...

    def resource(self, key: bytes) -> Span | None: ...


def reads_item(owner: bytes, property_: bytes) -> bool:
    """Whether a binding that a property of an element is given reads one of the items that are shown."""
    return property_ in _OF_ITEM or (property_ == b"Binding" and owner.endswith(b"Column"))


class Bindings:
    """Writes what the extensions of one page read."""

    def __init__(self, reader: Reading) -> None:
        self._reader: Final = reader
        self._page: Final = reader.page

    def value(self, frame: Frame, found: Extension, *, of_item: bool = False, keeps: bool = False) -> str:
        """What a value that is an extension names. ``of_item``: a binding reads one of the items around. ``keeps``: answers with the local
        that holds what a binding gives, empty where that is nothing."""
        reader = self._reader
        name = reader.said(found.name)
        local = name.rpartition(b":")[2]
        standing = reader.prefix_of(name).standing
        if standing is Standing.LANGUAGE:
            return self._of_language(frame, found, local, keeps=keeps)
        if local in BINDINGS and standing is not Standing.CODE:
            return self._binding(frame, found, of_item=of_item, keeps=keeps)
        if local == b"TemplateBinding":
            self._of_template(frame, found)
        elif (
            local == b"DataTemplate"
            and isinstance(found.positional, Span)
            and self._reader.is_own_type(found.positional)
        ):
            reader.number(found.positional, Mark.CREATED)
        elif reader.is_own_type(found.name):
            self._created(found)
        self._inner(frame, found)
        return ""

    def element(self, frame: Frame, element: Element) -> None:
        """``<Binding Path="Name"/>``."""
        around = frame.around
        of_item = around is not None and reads_item(around.owner_name, around.property_name)
        values: list[tuple[Span | None, Value]] = [
            (each.name, extension(self._page, each.value) or each.value) for each in element.attributes
        ]
        self._binding(frame, Extension(element.name, tuple(values)), of_item=of_item, keeps=False)

    def source(self, frame: Frame, value: Span) -> str:
        """The local that holds what a data context is set to; empty where that is not known."""
        found = extension(self._page, value)
        if found is None:
            return ""
        name = self._reader.said(found.name)
        if name in _RESOURCES:
            return self._resource(found)
        return self.value(frame, found, keeps=True)

    def _inner(self, frame: Frame, found: Extension) -> None:
        """Extensions that others are given, except for the source of a binding."""
        for key, value in found.arguments:
            if isinstance(value, Extension) and (key is None or self._reader.said(key) != _SOURCE):
                self.value(frame, value)

    def _created(self, found: Extension) -> None:
        """An extension of the code, whose name may go without ``Extension``, with the properties that are set."""
        reader = self._reader
        number = reader.number(found.name, Mark.CREATED)
        for key, _ in found.arguments:
            if key is not None:
                reader.member(number, key, None)

    def _of_language(self, frame: Frame, found: Extension, local: bytes, *, keeps: bool) -> str:
        reader = self._reader
        given = found.keyed(self._page, b"Member") or found.positional
        if local == b"Static" and isinstance(given, Span):
            named = member_named(self._page, given)
            if named is not None and reader.is_own_type(named[0]):
                return self._read(lambda: self._of_type(named[0], named[1]), keeps=keeps)
        elif local == b"Type":
            type_meant = reader.type_of_extension(found)
            if type_meant is not None:
                reader.number(type_meant, Mark.NAMED)
        elif local == b"Bind":
            return self._bound(frame, found, keeps=keeps)
        else:
            self._inner(frame, found)
        return ""

    def _read(self, expression: Callable[[], None], *, keeps: bool) -> str:
        """A statement that reads what ``expression`` writes; the local that holds it, if it is kept."""
        text = self._reader.text
        local = self._reader.local("value") if keeps else ""
        text.add(f"var {local} = " if keeps else "_ = ")
        expression()
        text.add(";\n")
        return local

    # Bindings

    def _binding(self, frame: Frame, found: Extension, *, of_item: bool, keeps: bool) -> str:
        path = found.keyed(self._page, b"Path") or found.positional
        self._inner(frame, found)
        if isinstance(path, Extension):
            return ""
        at = path if path is not None else Span(found.name.end, found.name.end)
        if of_item:
            self.of_item(frame, at)
            return ""
        attached = _ATTACHED.match(self._page, at.start, at.end)
        if attached is not None:
            self._attached(Span(*attached.span(1)))
            return ""
        root, at = self._root(frame, found, at)
        if not root:
            return ""
        if self._reader.said(at).strip() in _ITSELF:
            return self.whole(root) if keeps and root != UNKNOWN else ""
        mode = found.keyed(self._page, b"Mode")
        if isinstance(mode, Span) and self._reader.said(mode).rpartition(b".")[2] in _WRITES and not keeps:
            self._path(root, at)
            self._reader.text.add(" = default!;\n")
            return ""
        return self._read(lambda: self._path(root, at), keeps=keeps)

    def of_item(self, frame: Frame, path: Span) -> None:
        """A path that begins with one of the items that the element, or the one around it, shows."""
        items = frame.shown_items()
        if items and self._reader.said(path).strip() not in _ITSELF:
            local = self._reader.local("data")
            self._reader.text.add(f"foreach (var {local} in {items}) {{\n")
            self._read(lambda: self._path(local, path), keeps=False)
            self._reader.text.add("}\n")

    def whole(self, root: Root) -> str:
        """A local that holds what a root is."""
        return root if isinstance(root, str) else self._read(lambda: self._add_root(root), keeps=True)

    def _add_root(self, root: Root) -> None:
        text = self._reader.text
        if root == UNKNOWN:
            text.add("default(", Marked(Mark.DATA, NOTHING))
            text.add("__Data)")
        elif isinstance(root, str):
            text.add(root)
        else:
            text.add("default(", Marked(Mark.ELEMENT, root))
            text.add("__Element)")

    def _root(self, frame: Frame, found: Extension, path: Span) -> tuple[Root, Span]:
        """What a path begins with, and the rest of the path. Nothing where that is an element which is not known, or one of a framework."""
        page, reader = self._page, self._reader
        start = _past(_FIRST, page, path)
        rest = Span(start, path.end)
        named, parent = _NAMED.match(page, start, path.end), _PARENT.match(page, start, path.end)
        element, source = found.keyed(page, b"ElementName"), found.keyed(page, _SOURCE)
        relative = found.keyed(page, b"RelativeSource")
        typed = found.keyed(page, b"x:DataType", b"DataType")
        if isinstance(typed, Span):
            return (self.typed(typed) if reader.is_own_type(typed) else ""), rest
        if named is not None:
            return self._of_element(reader.element_named(named[1]), Span(named.end(), path.end))
        if parent is not None:
            type_ = (parent[1] or b"").partition(b";")[0].partition(b",")[0]
            return self._of_ancestor(frame, type_, Span(parent.end(), path.end))
        if page.startswith(b"$self", start):
            return self._of_element(frame, Span(start + len(b"$self"), path.end))
        if isinstance(element, Span):
            return self._of_element(reader.element_named(reader.said(element)), rest)
        if isinstance(source, Extension):
            if reader.said(source.name) == b"RelativeSource":
                return self._of_relative(frame, source, rest)
            given = source.keyed(page, b"Name") or source.positional
            if reader.said(source.name).endswith(b":Reference") and isinstance(given, Span):
                return self._of_element(reader.element_named(reader.said(given)), rest)
            return self._of_source(frame, source), rest
        if relative is not None or source is not None:
            return self._of_relative(frame, relative, rest)
        return frame.data, rest

    def typed(self, type_: Span, *, is_placed: bool = True) -> str:
        """A local that holds a value of the type that stands there. ``is_placed``: as of ``type_at``."""
        return self._read(lambda: self._default(type_, is_placed=is_placed), keeps=True)

    def _default(self, type_: Span, *, is_placed: bool = True) -> None:
        self._reader.text.add("default(")
        self._reader.type_at(type_, self._reader.text, is_placed=is_placed)
        self._reader.text.add(")")

    def _of_element(self, element: Frame | None, rest: Span) -> tuple[Root, Span]:
        """A path into an element: on to what that shows, or to members of its type."""
        after = rest
        while self._page[after.start : after.start + 1] in (b".", b"?"):
            after = Span(after.start + 1, after.end)
        shown = _DATA.match(self._page, after.start, after.end)
        if shown is not None:
            return element.data if element is not None else UNKNOWN, Span(shown.end(), after.end)
        if _CAST.match(self._page, after.start, after.end) is not None:
            return UNKNOWN, after
        return element.number if element is not None and element.number else "", rest

    def _of_ancestor(self, frame: Frame, type_: bytes, rest: Span) -> tuple[Root, Span]:
        """The nearest element around that has a type; one that is not in the page is not known."""
        wanted = type_.strip().rpartition(b":")[2]
        for each in frame.around.outwards() if frame.around is not None else ():
            is_page = each.around is None and self._reader.class_name == wanted
            if wanted and not each.is_property and (is_page or each.local_name == wanted):
                return self._of_element(each, rest)
        return self._of_element(None, rest)

    def _of_relative(self, frame: Frame, relative: Value | None, rest: Span) -> tuple[Root, Span]:
        page, reader = self._page, self._reader
        if isinstance(relative, Extension):
            mode = relative.keyed(page, b"Mode") or relative.positional
            said = reader.said(mode) if isinstance(mode, Span) else b""
            given = relative.keyed(page, b"AncestorType")
            type_ = reader.type_of_extension(given) if isinstance(given, Extension) else given
            if said == b"Self":
                return self._of_element(frame, rest)
            if said == b"TemplatedParent":
                return frame.target or "", rest
            if type_ is not None:
                root, after = self._of_ancestor(frame, reader.said(type_), rest)
                if self._reader.is_own_type(type_):
                    number = reader.number(type_, Mark.NAMED, is_placed=given is type_)
                    root = root or number
                return root, after
        return self._of_element(None, rest)

    def _of_source(self, frame: Frame, source: Extension) -> str:
        """What ``Source={…}`` gives."""
        name = self._reader.said(source.name)
        if name in _RESOURCES:
            return self._resource(source) or UNKNOWN
        return self.value(frame, source, keeps=True) if name.endswith(b":Static") else UNKNOWN

    def _resource(self, found: Extension) -> str:
        """The local that holds a resource of the page."""
        key = found.keyed(self._page, b"ResourceKey") or found.positional
        type_ = self._reader.resource(self._reader.said(key)) if isinstance(key, Span) else None
        return self.typed(type_, is_placed=False) if type_ is not None and self._reader.is_type(type_) else ""

    def _of_template(self, frame: Frame, found: Extension) -> None:
        """``{TemplateBinding Title}``: a property of what the template is for."""
        given = found.keyed(self._page, b"Property") or found.positional
        if not isinstance(given, Span):
            return
        if b"." in self._reader.said(given):
            self._attached(given)
        elif frame.target:
            self._read(lambda: self._path(frame.target, given), keeps=False)

    def _attached(self, property_: Span) -> None:
        """``controls:Chart.Scale``, read from whatever it is attached to."""
        named = member_named(self._page, property_)
        if named is not None and self._reader.is_own_type(named[0]):
            number = self._reader.number(named[0], Mark.NAMED)
            self._reader.member(number, named[1], None, Mark.ATTACHED_READ)

    # Paths

    def _bound(self, frame: Frame, found: Extension, *, keeps: bool) -> str:
        """``{x:Bind Cart.Total}``, ``{x:Bind local:Money.Format(Total)}``: of the page, or of a template's item."""
        path = found.keyed(self._page, b"Path") or found.positional
        self._inner(frame, found)
        if not isinstance(path, Span):
            return ""
        root = frame.data if frame.has_item else "this"
        called = self._page.find(b"(", path.start + 1, path.end)
        end = called if called >= 0 and self._page[path.start] != 0x28 else path.end
        if end < path.end:
            for argument in _ARGUMENT.finditer(self._page, end + 1, self._page.rfind(b")", end, path.end)):
                self._bound_path(root, Span(*argument.span(1)), keeps=False)
        return self._bound_path(root, Span(path.start, end), keeps=keeps)

    def _bound_path(self, root: str, path: Span, *, keeps: bool) -> str:
        static = _STATIC.match(self._page, path.start, path.end)
        if static is not None:
            owner = Span(*static.span(1))
            if not self._reader.is_type(owner):
                return ""
            return self._read(lambda: self._of_type(owner, Span(owner.end, path.end)), keeps=keeps)
        return self._read(lambda: self._path(root, path), keeps=keeps)

    def _of_type(self, owner: Span, rest: Span) -> None:
        self._reader.type_at(owner, self._reader.text)
        self._steps(rest)

    def _path(self, root: Root, path: Span) -> None:
        """Members from a root on, as far as the path consists of them."""
        cast = _CAST.match(self._page, path.start, path.end)
        if cast is not None:
            owner = Span(*cast.span("inner" if cast["inner"] is not None else "outer"))
            if self._reader.is_type(owner):
                self._default(owner)
                self._steps(Span(cast.end() + (self._page[cast.end() : cast.end() + 1] == b")"), path.end))
                return
        self._add_root(root)
        self._steps(path)

    def _steps(self, path: Span) -> None:
        at, text = path.start, self._reader.text
        while (step := _STEP.match(self._page, at, path.end)) is not None and step.end() > at:
            if step[1] is not None:
                if not is_identifier(step[1]):
                    break
                text.add(".")
                text.copy(*step.span(1))
            elif step[0].startswith(b"["):
                text.add("[default]")
            at = step.end()


def _past(pattern: re.Pattern[bytes], page: bytes, span: Span) -> int:
    match = pattern.match(page, span.start, span.end)
    return match.end() if match is not None else span.start
