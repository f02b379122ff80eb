"""Reads a page of XAML into the sections of a C# class: elements, their attributes, and the names that they have in code.

An element with a type of the code is an object that is created; its attributes are members that are set, or events that methods of the
page handle. Elements of the framework count for what they say of the page's own code: names, handlers, bindings (``bindings``).
"""

from __future__ import annotations

import re
from typing import Final

from codemap_plugins.csharp.page_names import VIEW_MODEL, VIEW_MODEL_MEMBERS
from codemap_plugins.csharp.xaml.bindings import BINDINGS, Bindings, reads_item
from codemap_plugins.csharp.xaml.extensions import Extension, extension
from codemap_plugins.csharp.xaml.frames import DATA_TEMPLATES, UNKNOWN, Frame
from codemap_plugins.csharp.xaml.generated import Mark, Marked, PageText
from codemap_plugins.csharp.xaml.markup import (
    Attribute,
    Element,
    Span,
    TagKind,
    element_of,
    is_identifier,
    member_named,
    tags,
)
from codemap_plugins.csharp.xaml.namespaces import NO_PREFIX, Prefix, Standing, prefix

_XMLNS: Final = re.compile(rb"""\bxmlns(?::([\w.\-\x80-\xff]+))?\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_COMMON_VALUES: Final = frozenset(
    b"""True False true false Auto Stretch Center Left Right Top Bottom Horizontal Vertical Visible Collapsed Hidden Transparent Wrap NoWrap
    Bold Normal Fill Uniform None Start End CenterAndExpand FillAndExpand StartAndExpand EndAndExpand""".split()
)
"""Texts that are values of common properties, and hardly ever names of methods."""
_TEXTS: Final = frozenset(b"Content Description Header Label PlaceholderText Tag Text Title ToolTip Watermark".split())
"""Properties that hold texts."""
_DATA: Final = (b"DataContext", b"BindingContext")
_OF_TYPES: Final = (b"TargetType", b"DataType")
_ITEMS: Final = frozenset({b"ItemsSource", b"Items", b"BindableLayout.ItemsSource"})
_ITEM_PATHS: Final = frozenset({b"DisplayMemberPath", b"SelectedValuePath"})
_STYLES: Final = frozenset({b"Style", b"ControlTheme"})
_OTHER_TEMPLATES: Final = frozenset({b"ControlTemplate", b"ItemsPanelTemplate"})
_DICTIONARIES: Final = frozenset(
    {b"ResourceDictionary", b"Styles", b"Application", b"Resources", b"MergedDictionaries"}
)
"""Elements and properties that hold resources."""
_MOST_BLOCKS: Final = 40
"""Templates in templates deeper than that show what is not known."""
_VIEW_ENDINGS: Final = ("UserControl", "Control", "View", "Page", "Window", "Dialog")


class Generated:
    """The sections of the C# text, as the page fills them."""

    def __init__(self, page: bytes) -> None:
        self.usings: Final = PageText(page)
        self.namespace: Final = PageText(page)
        self.name: Final = PageText(page)
        """Of the class; empty where the page has none."""
        self.base: Final = PageText(page)
        self.members: Final = PageText(page)
        self.body: Final = PageText(page)


class PageReader:
    """Reads one page into ``generated``."""

    def __init__(self, page: bytes) -> None:
        self.page: Final = page
        self.generated: Final = Generated(page)
        self._text: Final = self.generated.body
        self._prefixes: Final = self._declared_prefixes()
        self._aliases: Final = set[str]()
        """Of the prefixes that something is named with."""
        self._bindings: Final = Bindings(self)
        self._frame: Frame | None = None
        self._count = 0
        self._blocks = 0
        self._keyed: Final[dict[bytes, Span]] = {}
        """The type of each resource of the page, by its key."""
        self._named: Final[dict[bytes, Frame]] = {}
        """The elements that have a name, by that."""

    def read(self) -> Generated:
        for tag in tags(self.page):
            name = self.said(tag.name)
            if self._frame is not None and self.prefix_of(name).standing is Standing.VALUES:
                continue  # pages of texts hold hundreds of them
            if tag.kind is TagKind.CLOSES:
                self._closed(name)
                continue
            frame = self._opened(element_of(self.page, tag))
            if tag.kind is TagKind.ALONE:
                self._left(frame)
            else:
                self._frame = frame
        while self._frame is not None:
            self._left(self._frame)
        self._add_usings()
        return self.generated

    def said(self, span: Span) -> bytes:
        return self.page[span.start : span.end]

    @property
    def text(self) -> PageText:
        return self._text

    @property
    def class_name(self) -> bytes:
        return self.generated.name.text()

    def element_named(self, name: bytes) -> Frame | None:
        return self._named.get(name)

    def resource(self, key: bytes) -> Span | None:
        """Where the name stands of the type that a resource of the page has."""
        return self._keyed.get(key)

    # Types

    def _declared_prefixes(self) -> dict[bytes, Prefix]:
        found: dict[bytes, Prefix] = {}
        for match in _XMLNS.finditer(self.page):
            name = match[1] or b""
            uri = (match[2] if match[2] is not None else match[3]).decode("utf-8", "replace").strip()
            if name in found:
                continue
            found[name] = prefix(name.decode("utf-8", "replace"), uri)
        return found

    def _add_usings(self) -> None:
        """An alias for each prefix that something is named with, in the order of the page."""
        for declared in self._prefixes.values():
            for namespace in declared.namespaces if declared.alias in self._aliases else ():
                self.generated.usings.add(f"using {declared.alias} = global::{namespace};\n")

    def prefix_of(self, name: bytes) -> Prefix:
        return self._prefixes.get(name.rpartition(b":")[0], NO_PREFIX)

    def type_at(self, name: Span, text: PageText, *, is_placed: bool = True) -> None:
        """The type that a name with or without a prefix means, as C#; a nested one stands behind ``+``. ``is_placed``: the name is one of
        the references of the page."""
        said = self.said(name)
        at = name.start + said.rfind(b":") + 1
        alias = self.prefix_of(said).alias
        self._aliases.add(alias)
        before = f"{alias}::"
        for part in self.page[at : name.end].split(b"+"):
            text.add(before)
            if is_placed:
                text.copy(at, at + len(part))
            else:
                text.add(part.decode("utf-8", "replace"))
            at += len(part) + 1
            before = "."

    def is_type(self, name: Span) -> bool:
        said = self.said(name)
        return self.prefix_of(said).has_types and all(map(is_identifier, said.rpartition(b":")[2].split(b"+")))

    def is_own_type(self, name: Span) -> bool:
        """A type of the code, and not one of the framework's, which may not be at hand."""
        return self.prefix_of(self.said(name)).standing is Standing.CODE and self.is_type(name)

    def type_meant(self, value: Span) -> Span | None:
        """The name of a type in ``{x:Type local:Order}`` or ``local:Order``."""
        found = extension(self.page, value)
        if found is None:
            return value if self.is_type(value) else None
        return self.type_of_extension(found)

    def type_of_extension(self, found: Extension) -> Span | None:
        given = found.keyed(self.page, b"TypeName", b"Type") or found.positional
        if isinstance(given, Extension):
            return self.type_of_extension(given)
        return given if given is not None and self.is_type(given) else None

    def number(self, name: Span, mark: Mark, *, is_placed: bool = True) -> int:
        """Notes the type that stands there under a number of its own. ``is_placed``: as of ``type_at``."""
        self._count += 1
        self._text.add("_ = ")
        self._text.add("typeof(", Marked(mark, self._count))
        self.type_at(name, self._text, is_placed=is_placed)
        self._text.add(");\n")
        return self._count

    def local(self, kind: str) -> str:
        self._count += 1
        return f"__{kind}{self._count}"

    # Elements

    def _opened(self, element: Element) -> Frame:
        name, around = self.said(element.name), self._frame
        if b"." in name.rpartition(b":")[2]:
            return self._property_element(element, name, around)
        standing = self.prefix_of(name).standing
        number = 0
        if around is None:
            number = self._root(element)
        elif standing in (Standing.CODE, Standing.FRAMEWORK) and self.is_type(element.name):
            number = self.number(element.name, Mark.CREATED)
        data = around.data if around is not None else self._data_by_convention()
        frame = Frame(name, element.name, number, data, around)
        self._fill(frame, element)
        if around is not None and around.is_property and around.property_name in _DATA and around.around is not None:
            self._declare_data(around.around, element.name, is_placed=False)
        return frame

    def _property_element(self, element: Element, name: bytes, around: Frame | None) -> Frame:
        """``<local:Chart.Title>``: a member of the element around it, or an attached property."""
        named = member_named(self.page, element.name)
        if named is not None and around is not None and self.prefix_of(name).standing is Standing.CODE:
            owner, member = named
            is_own = around.name == self.said(owner) and around.number
            number = around.number if is_own else self.number(owner, Mark.NAMED)
            self.member(number, member, None, Mark.MEMBER if is_own else Mark.ATTACHED)
        frame = Frame(name, element.name, 0, around.data if around is not None else UNKNOWN, around)
        if frame.property_name in _DICTIONARIES:
            frame.target = 0
        return frame

    def _root(self, element: Element) -> int:
        """The class of the page, and its base class."""
        generated = self.generated
        named = next((each for each in element.attributes if self._is_directive(each, b"Class")), None)
        name = self.said(named.value) if named is not None else b""
        if named is None or not all(map(is_identifier, name.split(b"."))):
            return self.number(element.name, Mark.CREATED) if self.is_own_type(element.name) else 0
        qualified = member_named(self.page, named.value)
        if qualified is not None:
            generated.namespace.copy(*qualified[0])
        generated.name.copy(*(qualified[1] if qualified is not None else named.value))
        if self.is_type(element.name):
            self.number(element.name, Mark.NAMED)
            self.type_at(element.name, generated.base, is_placed=False)
            arguments = next((each for each in element.attributes if self._is_directive(each, b"TypeArguments")), None)
            if arguments is not None and self.is_type(arguments.value):
                generated.base.add("<")
                self.type_at(arguments.value, generated.base)
                generated.base.add(">")
        self._count += 1
        self._text.add("_ = ")
        self._text.add("typeof(", Marked(Mark.NAMED, self._count))
        self._text.add(f"{generated.name.text().decode('utf-8', 'replace')});\n")
        return self._count

    def _data_by_convention(self) -> str:
        """What a page shows whose class says so, or is called so: ``CartView`` shows a ``CartViewModel``. All names that may decide it
        stand in the text, as what a document mentions is what it may depend on."""
        name = self.generated.name.text().decode("utf-8", "replace")
        if not name:
            return UNKNOWN
        stems = dict.fromkeys([name, *(name.removesuffix(each) for each in _VIEW_ENDINGS)])
        names = [f"{stem}{VIEW_MODEL}" for stem in stems if stem and not stem.endswith(VIEW_MODEL)]
        local = self.local("data")
        self._text.add(f"var {local} = ")
        self._text.add("default(", Marked(Mark.DATA, 0, " ".join(names)))
        self._text.add(f"__Data<{', '.join([*names, *VIEW_MODEL_MEMBERS])}>);\n")
        return local

    def _declare_data(self, frame: Frame, type_: Span, *, is_placed: bool = True) -> None:
        """What an element shows has the type that stands there. ``is_placed``: as of ``type_at``."""
        if not self.is_type(type_):
            return
        if not self.is_own_type(type_):
            frame.data = self._bindings.whole(self.number(type_, Mark.NAMED, is_placed=is_placed))
            return
        frame.data = self._bindings.typed(type_, is_placed=is_placed)

    def _fill(self, frame: Frame, element: Element) -> None:
        """What the attributes of an element say: first of what is shown, then of all else."""
        local = frame.local_name
        if local in _OTHER_TEMPLATES or local in DATA_TEMPLATES:
            frame.in_template = True
        if local in DATA_TEMPLATES:
            self._data_template(frame, element)
        elif local in _STYLES or local in _OTHER_TEMPLATES:
            self._style(frame, element)
        else:
            self._data_context(frame, element)
        for attribute in sorted(element.attributes, key=self._is_of_items, reverse=True):
            self._attribute(frame, attribute)
        if local in BINDINGS:
            self._bindings.element(frame, element)
        elif local == b"Setter":
            self._setter(frame, element)

    def _is_of_items(self, attribute: Attribute) -> bool:
        return self.said(attribute.name) in _ITEMS

    def _valued(self, element: Element, name: bytes) -> Attribute | None:
        return next((each for each in element.attributes if self.said(each.name) == name), None)

    def _is_directive(self, attribute: Attribute, name: bytes) -> bool:
        """``x:Name`` and the like, whatever the prefix."""
        said = self.said(attribute.name)
        return said.rpartition(b":")[2] == name and self.prefix_of(said).standing is Standing.LANGUAGE

    # What is shown

    def _data_template(self, frame: Frame, element: Element) -> None:
        """What a template shows has the type that it says, or is one of the items around it."""
        if self._blocks >= _MOST_BLOCKS:
            frame.data = UNKNOWN
            return
        said = next(
            (
                each
                for each in element.attributes
                if self._is_directive(each, b"DataType") or self.said(each.name) == b"DataType"
            ),
            None,
        )
        type_ = self.type_meant(said.value) if said is not None else None
        items = frame.around.shown_items() if frame.around is not None and said is None else ""
        frame.data, frame.has_item = UNKNOWN, True
        if type_ is not None:
            self._open(frame, "{\n")
            self._declare_data(frame, type_)
        elif items:
            frame.data = self.local("data")
            self._open(frame, f"foreach (var {frame.data} in {items}) {{\n")

    def _style(self, frame: Frame, element: Element) -> None:
        """Setters and template bindings are about the type that a style or template is for. A resource shows what uses it does."""
        target = self._valued(element, b"TargetType")
        type_ = self.type_meant(target.value) if target is not None else None
        if type_ is not None:
            frame.target = self.number(type_, Mark.NAMED)
        elif frame.local_name in _STYLES:
            frame.target = 0
        around = frame.around
        if around is None or around.local_name in _DICTIONARIES or around.property_name in _DICTIONARIES:
            frame.data = UNKNOWN
        elif around.property_name == b"ItemContainerStyle":
            items = around.shown_items()
            frame.data = UNKNOWN
            if items and self._blocks < _MOST_BLOCKS:
                frame.data = self.local("data")
                self._open(frame, f"foreach (var {frame.data} in {items}) {{\n")

    def _open(self, frame: Frame, block: str) -> None:
        self._text.add(block)
        self._blocks += 1
        frame.closes += 1

    def _data_context(self, frame: Frame, element: Element) -> None:
        """What an element says of what it shows, the surest first."""
        declared: Attribute | None = None
        given: Attribute | None = None
        designed: Attribute | None = None
        for each in element.attributes:
            name = self.said(each.name)
            if self._is_directive(each, b"DataType"):
                declared = each
            elif name in _DATA:
                given = each
            elif name.endswith(b":DataContext") and self.prefix_of(name).standing is Standing.DESIGN:
                designed = each
        if declared is not None:
            type_ = self.type_meant(declared.value)
            if type_ is not None:
                self._declare_data(frame, type_)
            else:
                frame.data = UNKNOWN
            return
        context = self._bindings.source(frame, given.value) if given is not None else ""
        if given is not None:
            frame.data = context or UNKNOWN
        if designed is not None and not context:
            instance = extension(self.page, designed.value)
            type_ = self.type_of_extension(instance) if instance is not None else None
            if type_ is not None:
                self._declare_data(frame, type_)

    # Attributes

    def _attribute(self, frame: Frame, attribute: Attribute) -> None:
        name = self.said(attribute.name)
        if name.startswith(b"xmlns") or name in _DATA or name in _OF_TYPES:
            return
        before, _, local = name.rpartition(b":")
        if self._is_directive(attribute, b"Name") or name == b"Name":
            self._name(frame, attribute)
            return
        if self._is_directive(attribute, b"Key"):
            self._keyed.setdefault(self.said(attribute.value), frame.place)
            return
        standing = self.prefix_of(name).standing if before else Standing.CODE
        if standing in (Standing.LANGUAGE, Standing.DESIGN):
            return
        found = extension(self.page, attribute.value)
        if b"." in local:
            if before and standing is Standing.CODE:
                self._attached(attribute.name, attribute.value)
        elif not before and frame.number:
            is_own = self.prefix_of(frame.name).standing is Standing.CODE or frame.around is None
            if found is not None:
                if is_own:
                    self.member(frame.number, attribute.name, None)
            elif local in _ITEM_PATHS:
                self._bindings.of_item(frame, attribute.value)
            elif is_own or (local not in _TEXTS and self._may_be_name(attribute.value)):
                self.member(frame.number, attribute.name, attribute.value)
        elif not before and not frame.number and found is None and local not in _TEXTS:
            self._handler(attribute.value)
        if found is not None:
            of_item = reads_item(frame.local_name, local)
            items = self._bindings.value(frame, found, of_item=of_item, keeps=name in _ITEMS)
            frame.items = items or frame.items

    def _may_be_name(self, value: Span) -> bool:
        said = self.said(value)
        return said not in _COMMON_VALUES and is_identifier(said)

    def _name(self, frame: Frame, attribute: Attribute) -> None:
        """An element with a name is a field of the class, but in a template."""
        name = self.said(attribute.value)
        if not is_identifier(name):
            return
        self._named.setdefault(name, frame)
        if frame.in_template or frame.around is None or self.generated.name.is_empty or not self.is_type(frame.place):
            return
        members = self.generated.members
        members.add("internal ")
        self.type_at(frame.place, members, is_placed=False)
        members.add(" ")
        members.copy(*attribute.value)
        members.add(";\n")

    def member(self, number: int, name: Span, value: Span | None, mark: Mark = Mark.MEMBER) -> None:
        """A member of an element is given a value. ``value``: a text, which may be a name."""
        if not number or not is_identifier(self.said(name)):
            return
        self._text.add("__element.")
        self._text.copy(*name)
        self._text.add(" ")
        self._text.add("= ", Marked(mark, number))
        if value is not None and self._may_be_name(value):
            self._text.copy(*value)
            self._text.add(";\n")
        else:
            self._text.add('"";\n')

    def _handler(self, value: Span) -> None:
        """A text that names a method of the page, if it names any."""
        if self._may_be_name(value):
            self._text.add("__element.__Handler ")
            self._text.add("= ", Marked(Mark.MEMBER))
            self._text.copy(*value)
            self._text.add(";\n")

    def _attached(self, property_: Span, value: Span | None) -> None:
        """``controls:Chart.Scale`` is set."""
        named = member_named(self.page, property_)
        if named is not None and self.is_type(named[0]):
            self.member(self.number(named[0], Mark.NAMED), named[1], value, Mark.ATTACHED)

    def _setter(self, frame: Frame, element: Element) -> None:
        """``<Setter Property="Title" Value="…"/>`` in a style for a type."""
        property_, value = self._valued(element, b"Property"), self._valued(element, b"Value")
        if property_ is None:
            return
        text = value.value if value is not None else None
        if b"." in self.said(property_.value):
            self._attached(property_.value, text)
        else:
            self.member(frame.target, property_.value, text)

    # Ends

    def _closed(self, name: bytes) -> None:
        """What a closing tag leaves open ends with it; one that closes nothing is passed over."""
        if self._frame is None or all(each.name != name for each in self._frame.outwards()):
            return
        while self._frame is not None:
            frame = self._frame
            self._left(frame)
            if frame.name == name:
                return

    def _left(self, frame: Frame) -> None:
        self._blocks -= frame.closes
        self._text.add("}\n" * frame.closes)
        self._frame = frame.around
