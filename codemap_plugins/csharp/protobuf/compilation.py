"""A file of protocol buffers as C#, parsed and lowered to a unit."""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from codemap_core.model import DocumentStatus, Problem
from codemap_plugins.csharp.page_names import PageKind
from codemap_plugins.csharp.parsing import parse_source
from codemap_plugins.csharp.protobuf.messages import DESCRIPTOR, Messages, Places
from codemap_plugins.csharp.protobuf.names import descriptor_class
from codemap_plugins.csharp.protobuf.services import USING, Services
from codemap_plugins.csharp.protobuf.syntax import ProtoFile, read_proto
from codemap_plugins.csharp.protobuf.type_names import ProtoText, TypeNames, package_uri
from codemap_plugins.csharp.source_text import LineIndex
from codemap_plugins.csharp.unit import DocumentUnit, MemberDeclaration, Members, TypeDeclaration

_ALIAS: Final = re.compile(r"\b(?:global|__\w*)::")
_LIBRARIES: Final = r"System\.Threading\.Tasks|Google\.Protobuf(?:\.Collections|\.WellKnownTypes)?"
_NOT_UNDERSTOOD: Final = "text that is not understood, or a statement that does not end"
_BASES: Final = " :"


class ParsedProto:
    """A file with the C# text that was made of it. ``parsed`` has the problems of the file."""

    lowered: Final = None
    """No token stands for what C# has no words for."""

    def __init__(self, source: bytes, file: ProtoFile, text: ProtoText, namespace: str, places: Places) -> None:
        lines = text.lines()
        parsed = parse_source(text.text(), (), lines)
        self._own_lines: Final = LineIndex.of(source)
        if file.problems:
            problems = (Problem("syntax", _NOT_UNDERSTOOD, self._own_lines.line(each)) for each in file.problems)
            parsed = replace(parsed, status=DocumentStatus.FALLBACK, problems=tuple(problems))
        self.parsed: Final = parsed
        self._lines: Final = lines
        self._problems: Final = file.problems
        self._places: Final = places
        around = f"|{re.escape(namespace)}" if namespace else ""
        self._qualified: Final = re.compile(rf"\b(?:{_LIBRARIES}{around})\.(?=[^\W\d])")

    def placed(self, unit: DocumentUnit) -> DocumentUnit:
        """That of the generated text, as one of the file: what is declared stands where its statement does."""
        types = tuple(self._placed_type(each) for each in unit.outline.types)
        members = tuple(map(self._placed_member, unit.members.declarations))
        outline = replace(unit.outline, types=types, page=PageKind.PROTOBUF)
        return replace(unit, outline=outline, members=Members(members))

    def _placed_type(self, declaration: TypeDeclaration) -> TypeDeclaration:
        start, end, is_broken = self._span(declaration.name_offset)
        signature = declaration.signature.partition(_BASES)[0]
        return replace(
            declaration, line_start=start, line_end=end, signature=signature, broken=declaration.broken or is_broken
        )

    def _placed_member(self, declaration: MemberDeclaration) -> MemberDeclaration:
        start, end, is_broken = self._span(declaration.name_offset)
        signature = self._qualified.sub("", _ALIAS.sub("", declaration.signature))
        return replace(
            declaration, line_start=start, line_end=end, signature=signature, broken=declaration.broken or is_broken
        )

    def _span(self, name: int) -> tuple[int, int, bool]:
        """The lines of the statement that declares what is called so in the generated text, and whether something in it is not
        understood."""
        place = self._places.by_name.get(self._lines.pieces.origin(name))
        if place is None:
            line = self._lines.line(name)
            return line, line, False
        is_broken = any(place.start <= each <= place.end for each in self._problems)
        return self._own_lines.line(place.start), self._own_lines.line(place.end - 1), is_broken


def parse_proto(source: bytes, file_path: str) -> ParsedProto:
    file = read_proto(source)
    types, places = TypeNames(source, file), Places()
    messages, services = Messages(types, places), Services(types, places, file.package)
    body = ProtoText(source)
    body.add(f"public static partial class {descriptor_class(file_path)} {{\n{DESCRIPTOR}}}\n")
    messages.add_all(body, file.messages, file.enumerations, file.package)
    for service in file.services:
        services.add(body, service)
    text = ProtoText(source)
    if file.services:
        text.add(USING)
    for using in types.usings():
        text.add(using)
    text.add(f'[assembly: XmlnsDefinition("{package_uri(file.package)}", "{types.namespace}")]\n')
    if types.namespace:
        text.add(f"namespace {types.namespace};\n")
    text.append(body)
    return ParsedProto(source, file, text, types.namespace, places)
