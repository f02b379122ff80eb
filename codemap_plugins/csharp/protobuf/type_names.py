"""What the types of fields and methods are in C#. Those of the same file are known by the scopes around (Protocol Buffers Language
Specification, *Packages and Name Resolution*); others by what C# calls them in the namespaces that stand for their package.

Which namespaces those are, the files that declare something in a package say, as assemblies do of XML namespaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from codemap_plugins.csharp.page_names import xml_namespace
from codemap_plugins.csharp.page_text import Section
from codemap_plugins.csharp.protobuf.names import namespace_name
from codemap_plugins.csharp.protobuf.syntax import Enumeration, Message, Name, ProtoFile

ProtoText = Section[None]
"""A part of the text that is made of a file."""
_SCALARS: Final = {
    **{each: each for each in ("double", "float", "bool", "string")},
    **dict.fromkeys(("int32", "sint32", "sfixed32"), "int"),
    **dict.fromkeys(("int64", "sint64", "sfixed64"), "long"),
    **dict.fromkeys(("uint32", "fixed32"), "uint"),
    **dict.fromkeys(("uint64", "fixed64"), "ulong"),
    "bytes": "global::Google.Protobuf.ByteString",
}
_WELL_KNOWN: Final = "google.protobuf."
_NULLABLE: Final = ("Double", "Float", "Bool", "Int32", "Int64", "UInt32", "UInt64")
_VALUES: Final = {
    **_SCALARS,
    **{f"{_WELL_KNOWN}{name}Value": f"{_SCALARS[name.lower()]}?" for name in _NULLABLE},
    f"{_WELL_KNOWN}StringValue": "string",
    f"{_WELL_KNOWN}BytesValue": _SCALARS["bytes"],
}
"""Those of scalars, and of messages that stand for a value or none."""
_NESTED: Final = ".Types."
_DOTTED: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def package_uri(package: str) -> str:
    """What stands for a package, as a namespace of XML does for those of a framework."""
    return f"proto:{package}"


def _namespace(file: ProtoFile) -> str:
    said = file.namespace
    return said if said is not None and _DOTTED.fullmatch(said) is not None else namespace_name(file.package)


class TypeNames:
    """Writes the types that a file names."""

    def __init__(self, source: bytes, file: ProtoFile) -> None:
        self._source: Final = source
        self._package: Final = file.package
        self._declared: Final[dict[str, str]] = {}
        """By full name, what C# calls it."""
        self._aliases: Final[dict[str, tuple[str, ...]]] = {}
        """By alias, the packages that it may stand for."""
        self.namespace: Final = _namespace(file)
        for message in file.messages:
            self._declare(message, file.package, self.namespace, ".")
        for enumeration in file.enumerations:
            self._declare(enumeration, file.package, self.namespace, ".")

    def _declare(self, declared: Message | Enumeration, scope: str, container: str, separator: str) -> None:
        full = f"{scope}.{declared.name.text}".lstrip(".")
        made = f"{container}{separator}{declared.name.text}".lstrip(".")
        self._declared.setdefault(full, made)
        if isinstance(declared, Message):
            for message in declared.messages:
                self._declare(message, full, made, _NESTED)
            for enumeration in declared.enumerations:
                self._declare(enumeration, full, made, _NESTED)

    def usings(self) -> Iterator[str]:
        """Of the aliases that the types which were written need."""
        for alias, packages in self._aliases.items():
            for package in packages:
                yield f"using {alias} = global::{xml_namespace(package_uri(package))};\n"
            for package in filter(None, packages):
                yield f"using {alias} = global::{namespace_name(package)};\n"

    def add(self, text: ProtoText, type_: Name, scope: str, *, is_message: bool = False) -> None:
        """Writes a type as it is named in ``scope``, a message or the package. ``is_message``: no other type can be meant."""
        full = type_.text.removeprefix(".")
        if not is_message and (value := _VALUES.get(full)) is not None:
            text.add(value)
            return
        made = self._in_file(type_.text, scope) or self._elsewhere(full)
        start = self._last_word(type_)
        text.add(made.removesuffix(self._source[start : type_.end].decode()))
        text.copy(start, type_.end)

    def _last_word(self, type_: Name) -> int:
        """Where the last word of a dotted name begins; its end for one that is said again, of which nothing is copied."""
        dot = self._source.rfind(b".", type_.start, type_.end)
        word = self._source[dot + 1 if dot >= 0 else type_.start : type_.end]
        return type_.end - len(word.lstrip())

    def _in_file(self, name: str, scope: str) -> str | None:
        if name.startswith("."):
            found = self._declared.get(name[1:])
            return f"global::{found}" if found is not None else None
        while True:
            found = self._declared.get(f"{scope}.{name}".lstrip("."))
            if found is not None:
                return f"global::{found}"
            if not scope:
                return None
            scope = scope.rpartition(".")[0]

    def _elsewhere(self, name: str) -> str:
        """What a type of another file is called. Packages are taken to begin with small letters, and types with capitals, as the style
        guide has it."""
        if name.startswith(_WELL_KNOWN):
            return f"global::Google.Protobuf.WellKnownTypes.{_NESTED.join(name.removeprefix(_WELL_KNOWN).split('.'))}"
        parts = name.split(".")
        first = next((index for index, part in enumerate(parts[:-1]) if part[:1].isupper()), len(parts) - 1)
        package, type_ = ".".join(parts[:first]), _NESTED.join(parts[first:])
        alias = f"__{package.replace('.', '_')}"
        self._aliases[alias] = tuple(self._packages(package))
        return f"{alias}::{type_}"

    def _packages(self, written: str) -> Iterator[str]:
        """Those that a package may be as it is written here, innermost first."""
        around = self._package
        while True:
            yield ".".join(filter(None, (around, written)))
            if not around:
                return
            around = around.rpartition(".")[0]
