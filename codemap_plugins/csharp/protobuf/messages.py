"""Messages and enumerations as C#: a class with a property for each field, a type for the choices of a ``oneof``, and what every message
has (Protocol Buffers, *C# Generated Code Guide*).

What stands nowhere in the file means what it is made for, which an attribute of its own says: ``HasTotal`` means ``Total``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from codemap_plugins.csharp.page_names import MEANS
from codemap_plugins.csharp.protobuf.names import pascal_case, property_name, value_name
from codemap_plugins.csharp.protobuf.syntax import Enumeration, Field, Message, Name, Place
from codemap_plugins.csharp.protobuf.type_names import ProtoText, TypeNames

_PROTOBUF: Final = "global::Google.Protobuf"


def means(what: str = "") -> str:
    """The attribute of what stands nowhere in the file. ``what``: a member, of a type beside its own where that is named; empty for its
    own type."""
    return f'[{MEANS}("{what}")] '


DESCRIPTOR: Final = f"{means()}public static {_PROTOBUF}.Reflection.FileDescriptor Descriptor {{ get; }}\n"
"""Of a file."""


class Places:
    """Where the declarations of a file stand, by the offsets of their names."""

    def __init__(self) -> None:
        self.by_name: Final[dict[int, Place]] = {}

    def declare(self, text: ProtoText, name: Name, place: Place, comment: str = "") -> None:
        """What is declared next stands there; writes what the comment before it says."""
        self.by_name.setdefault(name.start, place)
        if comment:
            lines = "".join(f"/// {line}\n" for line in escape(comment, quote=False).splitlines())
            text.add(f"/// <summary>\n{lines}/// </summary>\n")


class Messages:
    def __init__(self, types: TypeNames, places: Places) -> None:
        self._types: Final = types
        self._places: Final = places

    def add_enumeration(self, text: ProtoText, enumeration: Enumeration) -> None:
        name = enumeration.name
        self._places.declare(text, name, enumeration.place, enumeration.comment)
        text.add("public enum ")
        text.copy(name.start, name.end)
        text.add(" {\n")
        for value in enumeration.values:
            self._places.declare(text, value.name, value.name.place, value.comment)
            text.rename(value.name.start, value_name(value.name.text, name.text))
            text.add(f" = {value.number},\n")
        text.add("}\n")

    def add(self, text: ProtoText, message: Message, scope: str) -> None:
        """``scope``: what the message is declared in, by its full name."""
        name = message.name
        self._places.declare(text, name, message.place, message.comment)
        text.add("public sealed partial class ")
        text.copy(name.start, name.end)
        text.add(f" : {_PROTOBUF}.IMessage<{name.text}>, {_PROTOBUF}.IBufferMessage {{\n")
        self._add_common(text, name.text)
        full = f"{scope}.{name.text}".lstrip(".")
        for field in message.fields:
            self._add_field(text, field, message, full)
        for index, oneof in enumerate(message.oneofs):
            self._add_oneof(text, oneof, [each for each in message.fields if each.oneof == index], message)
        if message.messages or message.enumerations:
            text.add("public static partial class ")
            text.rename(name.start, "Types")
            text.add(" {\n")
            self.add_all(text, message.messages, message.enumerations, full)
            text.add("}\n")
        text.add("}\n")

    def add_all(
        self, text: ProtoText, messages: Iterable[Message], enumerations: Iterable[Enumeration], scope: str
    ) -> None:
        for enumeration in enumerations:
            self.add_enumeration(text, enumeration)
        for message in messages:
            self.add(text, message, scope)

    @staticmethod
    def _add_common(text: ProtoText, name: str) -> None:
        text.add(f"public {name}() {{ }}\npublic {name}({name} other) {{ }}\n")
        for member in (
            f"static {_PROTOBUF}.MessageParser<{name}> Parser {{ get; }}",
            f"static {_PROTOBUF}.Reflection.MessageDescriptor Descriptor {{ get; }}",
            f"{name} Clone() {{ }}",
            "int CalculateSize() { }",
            f"void MergeFrom({name} other) {{ }}",
            f"void MergeFrom({_PROTOBUF}.CodedInputStream input) {{ }}",
            f"void WriteTo({_PROTOBUF}.CodedOutputStream output) {{ }}",
            f"bool Equals({name} other) {{ }}",
        ):
            text.add(f"{means()}public {member}\n")

    def _add_field(self, text: ProtoText, field: Field, message: Message, scope: str) -> None:
        name = property_name(field.name.text, message.name.text)
        self._places.declare(text, field.name, field.place, field.comment)
        text.add("public ")
        if field.key is not None:
            text.add(f"{_PROTOBUF}.Collections.MapField<")
            self._types.add(text, field.key, scope)
            text.add(", ")
        elif field.is_repeated:
            text.add(f"{_PROTOBUF}.Collections.RepeatedField<")
        self._types.add(text, field.type, scope)
        is_collection = field.key is not None or field.is_repeated
        text.add("> " if is_collection else " ")
        text.rename(field.name.start, name)
        text.add(" { get; }\n" if is_collection else " { get; set; }\n")
        if field.is_optional or field.oneof >= 0:
            meant = means(name)
            text.add(f"{meant}public bool Has{name} {{ get; }}\n{meant}public void Clear{name}() {{ }}\n")

    def _add_oneof(self, text: ProtoText, oneof: Name, fields: Sequence[Field], message: Message) -> None:
        name = pascal_case(oneof.text)
        self._places.declare(text, oneof, oneof.place)
        text.add("public enum ")
        text.rename(oneof.start, f"{name}OneofCase")
        text.add(f" {{ {means()}None,\n")
        for field in fields:
            choice = property_name(field.name.text, message.name.text)
            text.add(f"{means(choice)}{choice} = {field.number},\n")
        text.add(f"}}\npublic {name}OneofCase ")
        text.rename(oneof.start, f"{name}Case")
        text.add(f" {{ get; }}\n{means(f'{name}Case')}public void Clear{name}() {{ }}\n")
