"""A page of XAML as C#: a part of the class that it names, parsed and lowered to a unit.

Its elements with a name are fields; what it creates, sets and reads stands in a method that nobody lists. A page without a class of its
own, such as a dictionary of resources, is a class that nobody lists either.
"""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec.structs import replace

from codemap_plugins.csharp.bodies import Op, XamlMember, last_name
from codemap_plugins.csharp.page_names import PageKind
from codemap_plugins.csharp.parsing import ParsedSource, parse_source
from codemap_plugins.csharp.unit import DocumentUnit, Members
from codemap_plugins.csharp.xaml.generated import Mark, Marked, PageText
from codemap_plugins.csharp.xaml.reader import PageReader

_NO_CLASS: Final = "file class __Page"
_ALIAS: Final = re.compile(r"\b__\w*::")
_LOADS: Final = "void __Load() {\n"
_MARKED: Final = frozenset({Op.TYPEOF.value, Op.DEFAULT.value, Op.ASSIGN.value})
"""Nodes in whose place others are meant; the first operand is the offset of the token that says so."""
_MEMBERS: Final = {
    Mark.MEMBER: XamlMember.OWN.value,
    Mark.ATTACHED: XamlMember.ATTACHED.value,
    Mark.ATTACHED_READ: XamlMember.ATTACHED_READ.value,
}


class ParsedPage:
    """A page with the C# text that was made of it."""

    def __init__(self, parsed: ParsedSource, marks: dict[int, Marked], kind: PageKind, head: str) -> None:
        self.parsed: Final = parsed
        self._marks: Final = marks
        self._kind: Final = kind
        self._head: Final = head

    def placed(self, unit: DocumentUnit) -> DocumentUnit:
        """That of the generated text, as one of the page: a field is on the line that has its name."""
        outline, lines = unit.outline, self.parsed.line_index
        types = outline.types
        if types:
            end = max(1, lines.line_count)
            types = (replace(types[0], line_start=1, line_end=end, signature=self._head), *types[1:])
        members = tuple(
            replace(each, line_start=line, line_end=line, signature=_ALIAS.sub("", each.signature))
            for each in unit.members.declarations
            for line in (lines.line(each.name_offset),)
        )
        outline = replace(outline, types=types, page=self._kind)
        return replace(unit, outline=outline, members=Members(members))

    def lowered(self, node: list[Any]) -> list[Any]:
        """A lowered root with what the marks mean in place of what stands for it."""
        is_node = bool(node) and isinstance(node[0], int)
        if is_node and node[0] == Op.CHAIN and node[1][0] == Op.DEFAULT and node[2]:
            begins = self._marks.get(node[1][1])
            if begins is not None and begins.mark is Mark.ELEMENT:
                first = node[2][0]
                name = first[2] if first[0] == Op.MEMBER else ""
                return [Op.XAML_PATH.value, begins.number, name, [node[0], self.lowered(node[1]), *node[2:]]]
        marked = self._marks.get(node[1]) if is_node and node[0] in _MARKED else None
        if marked is None:
            for index, child in enumerate(node):
                if isinstance(child, list):
                    node[index] = self.lowered(child)
            return node
        if node[0] == Op.TYPEOF:
            return [Op.XAML_TYPE.value, node[2], marked.number, int(marked.mark is Mark.CREATED)]
        if node[0] == Op.DEFAULT:
            return [Op.XAML_VALUE.value, marked.number, marked.names]
        _, _, _, target, value, *_ = node
        named = last_name(target)
        if named is None:
            return node
        given = value if value is not None and value[0] == Op.NAME else None
        return [Op.XAML_MEMBER.value, *named, marked.number, _MEMBERS[marked.mark], given]


def parse_page(page: bytes) -> ParsedPage:
    generated = PageReader(page).read()
    has_class = not generated.name.is_empty
    text = PageText(page)
    text.append(generated.usings)
    if not generated.namespace.is_empty:
        text.add("namespace ")
        text.append(generated.namespace)
        text.add(";\n")
    text.add("public partial class " if has_class else _NO_CLASS)
    text.append(generated.name)
    if not generated.base.is_empty:
        text.add(" : ")
        text.append(generated.base)
    text.add(" {\n")
    text.append(generated.members)
    text.add(_LOADS)
    text.append(generated.body)
    text.add("\n}\n}\n")
    parsed = parse_source(text.text(), (), text.lines())
    head = f"public partial class {generated.name.text().decode('utf-8', 'replace')}"
    return ParsedPage(parsed, text.marks(), PageKind.XAML if has_class else PageKind.RESOURCES, head)
