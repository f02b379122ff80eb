"""What protocol buffers are called in C# (Protocol Buffers, *C# Generated Code Guide*; for enumerations, the rules are those of
``protoc``)."""

from __future__ import annotations

from typing import Final

_RESERVED: Final = frozenset(
    {"Types", "Descriptor", "Equals", "ToString", "GetHashCode", "WriteTo", "Clone", "CalculateSize", "MergeFrom"}
    | {"OnConstruction", "Parser"}
)
"""Members that every message has."""


def namespace_name(package: str) -> str:
    """That of a file which says no other: ``shop.v1`` is ``Shop.V1``."""
    return ".".join(pascal_case(each) for each in package.split(".") if each)


def pascal_case(name: str) -> str:
    """``product_id`` and ``productId`` are ``ProductId``; a letter behind a digit is a capital."""
    made: list[str] = []
    begins = True
    for character in name:
        is_letter = character.isascii() and character.isalpha()
        if is_letter:
            made.append(character.upper() if begins else character)
        elif character.isdigit():
            made.append(character)
        begins = not is_letter
    return "".join(made)


def descriptor_class(file_name: str) -> str:
    """The class that holds what describes a file."""
    return f"{pascal_case(file_name.rpartition('/')[2].removesuffix('.proto'))}Reflection"


def property_name(field: str, message: str) -> str:
    name = pascal_case(field)
    return f"{name}_" if name == message or name in _RESERVED else name


def value_name(value: str, enumeration: str) -> str:
    """``STATUS_IN_STOCK`` of ``Status`` is ``InStock``."""
    made: list[str] = []
    before = "_"
    for character in _without_prefix(value, enumeration):
        if character.isalnum():
            capital = not before.isalnum() or before.isdigit()
            made.append(character.upper() if capital else character if before.islower() else character.lower())
        before = character
    name = "".join(made)
    return f"_{name}" if name[:1].isdigit() else name


def _without_prefix(value: str, enumeration: str) -> str:
    """``value`` without the name of its enumeration before it, whatever the case and the underscores of either; all of it where nothing
    would be left."""
    prefix = enumeration.replace("_", "").lower()
    at = found = 0
    while found < len(prefix) and at < len(value):
        if value[at] != "_":
            if value[at].lower() != prefix[found]:
                return value
            found += 1
        at += 1
    rest = value[at:].lstrip("_")
    return rest if rest and found == len(prefix) else value
