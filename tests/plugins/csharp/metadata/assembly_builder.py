"""Writes small assemblies byte by byte (ECMA-335 II.24, II.25), so that tests need no compiler and ship no library.

All indexes are two bytes wide. Rows are appended in the order of calls: a type's fields and methods right after the
type.
"""

from __future__ import annotations

from struct import pack

_ORDER = (
    ("Module", 0x00, "HHHHH"),
    ("TypeRef", 0x01, "HHH"),
    ("TypeDef", 0x02, "IHHHHH"),
    ("Field", 0x04, "HHH"),
    ("MethodDef", 0x06, "IHHHHH"),
    ("Param", 0x08, "HHH"),
    ("InterfaceImpl", 0x09, "HH"),
    ("MemberRef", 0x0A, "HHH"),
    ("Constant", 0x0B, "HHH"),
    ("CustomAttribute", 0x0C, "HHH"),
    ("EventMap", 0x12, "HH"),
    ("Event", 0x14, "HHH"),
    ("PropertyMap", 0x15, "HH"),
    ("Property", 0x17, "HHH"),
    ("MethodSemantics", 0x18, "HHH"),
    ("TypeSpec", 0x1B, "H"),
    ("Assembly", 0x20, "IHHHHIHHH"),
    ("AssemblyRef", 0x23, "HHHHIHHHH"),
    ("ExportedType", 0x27, "IIHHH"),
    ("NestedClass", 0x29, "HH"),
    ("GenericParam", 0x2A, "HHHH"),
    ("GenericParamConstraint", 0x2C, "HH"),
)
PUBLIC, NESTED_PUBLIC, NESTED_FAMILY, INTERFACE, ABSTRACT, SEALED = 0x1, 0x2, 0x4, 0x20, 0x80, 0x100
METHOD_PRIVATE, METHOD_FAMILY, METHOD_PUBLIC, STATIC, VIRTUAL, NEW_SLOT = 0x1, 0x4, 0x6, 0x10, 0x40, 0x100
FIELD_LITERAL = 0x40
ATTRIBUTE_OF_METHOD, ATTRIBUTE_OF_TYPE, ATTRIBUTE_OF_PARAM, ATTRIBUTE_OF_ASSEMBLY = 0, 3, 4, 14
VOID, INT32, STRING, OBJECT = b"\x01", b"\x08", b"\x0e", b"\x1c"


def generic_instance(coded_type: int, *arguments: bytes) -> bytes:
    """A constructed class type of a signature."""
    return b"\x15\x12" + bytes([coded_type, len(arguments)]) + b"".join(arguments)


def method_signature(returns: bytes, *parameters: bytes, is_static: bool = False, arity: int = 0) -> bytes:
    convention = (0 if is_static else 0x20) | (0x10 if arity else 0)
    generic = bytes([arity]) if arity else b""
    return bytes([convention]) + generic + bytes([len(parameters)]) + returns + b"".join(parameters)


class AssemblyBuilder:
    def __init__(self, name: str, version: tuple[int, int, int, int] = (1, 0, 0, 0)) -> None:
        self._strings = bytearray(b"\0")
        self._blobs = bytearray(b"\0")
        self.rows: dict[str, list[tuple[int, ...]]] = {table: [] for table, _, _ in _ORDER}
        self._references: dict[str, int] = {}
        self._constructors: dict[str, int] = {}
        self._core = self.assembly_ref("System.Runtime")
        self.row("Module", 0, self.string(f"{name}.dll"), 0, 0, 0)
        self.row("Assembly", 0x8004, *version, 0, 0, self.string(name), 0)
        self.row("TypeDef", 0, self.string("<Module>"), 0, 0, 1, 1)

    def row(self, table: str, *values: int) -> int:
        """Appends a row; its number."""
        self.rows[table].append(values)
        return len(self.rows[table])

    def string(self, text: str) -> int:
        if not text:
            return 0
        self._strings += text.encode() + b"\0"
        return len(self._strings) - len(text.encode()) - 1

    def blob(self, content: bytes) -> int:
        if not content:
            return 0
        start = len(self._blobs)
        assert len(content) < 0x80
        self._blobs += bytes([len(content)]) + content
        return start

    def assembly_ref(self, name: str) -> int:
        return self.row("AssemblyRef", 1, 0, 0, 0, 0, 0, self.string(name), 0, 0)

    def type_ref(self, full_name: str) -> int:
        """Coded TypeDefOrRef of a library type."""
        if full_name not in self._references:
            namespace, _, name = full_name.rpartition(".")
            self._references[full_name] = self.row(
                "TypeRef", self._core << 2 | 2, self.string(name), self.string(namespace)
            )
        return self._references[full_name] << 2 | 1

    def type_def(self, flags: int, full_name: str, base: int = 0, enclosing: int = 0) -> int:
        """A type without members so far; its row number."""
        namespace, _, name = full_name.rpartition(".")
        fields, methods = len(self.rows["Field"]) + 1, len(self.rows["MethodDef"]) + 1
        number = self.row("TypeDef", flags, self.string(name), self.string(namespace), base, fields, methods)
        if enclosing:
            self.row("NestedClass", number, enclosing)
        return number

    def method(self, flags: int, name: str, signature: bytes, parameters: tuple[tuple[str, int], ...] = ()) -> int:
        """A method with (name, ParamAttributes) of its parameters."""
        first = len(self.rows["Param"]) + 1
        for position, (parameter, attributes) in enumerate(parameters, 1):
            self.row("Param", attributes, position, self.string(parameter))
        return self.row("MethodDef", 0, 0, flags, self.string(name), self.blob(signature), first)

    def field(self, flags: int, name: str, signature: bytes) -> int:
        return self.row("Field", flags, self.string(name), self.blob(b"\x06" + signature))

    def generic_parameter(self, owner: int, number: int, name: str, of_method: bool = False, flags: int = 0) -> int:
        return self.row("GenericParam", number, flags, owner << 1 | int(of_method), self.string(name))

    def attribute(self, parent: int, parent_tag: int, attribute: str, arguments: bytes = b"\0\0") -> None:
        """``arguments``: what follows the prolog, the count of named arguments included."""
        if attribute not in self._constructors:
            parent_type = (self.type_ref(attribute) >> 2) << 3 | 1
            signature = self.blob(method_signature(VOID))
            self._constructors[attribute] = self.row("MemberRef", parent_type, self.string(".ctor"), signature)
        constructor = self._constructors[attribute] << 3 | 3
        self.row("CustomAttribute", parent << 5 | parent_tag, constructor, self.blob(b"\x01\0" + arguments))

    def build(self) -> bytes:
        tables = b"".join(pack(f"<{layout}", *row) for table, _, layout in _ORDER for row in self.rows[table])
        present = [(number, len(self.rows[table])) for table, number, _ in _ORDER if self.rows[table]]
        valid = sum(1 << number for number, _ in present)
        counts = b"".join(pack("<I", count) for _, count in present)
        stream = pack("<IBBBBQQ", 0, 2, 0, 0, 1, valid, 0) + counts + tables
        return _image(_metadata({"#~": stream, "#Strings": bytes(self._strings), "#Blob": bytes(self._blobs)}))


def _metadata(streams: dict[str, bytes]) -> bytes:
    version = b"v4.0.30319\0\0"
    headers, content = b"", b""
    names = {name: name.encode().ljust((len(name) // 4 + 1) * 4, b"\0") for name in streams}
    start = 16 + len(version) + 4 + sum(8 + len(name) for name in names.values())
    for name, data in streams.items():
        padded = data.ljust((len(data) + 3) // 4 * 4, b"\0")
        headers += pack("<II", start + len(content), len(padded)) + names[name]
        content += padded
    return b"BSJB" + pack("<HHII", 1, 1, 0, len(version)) + version + pack("<HH", 0, len(streams)) + headers + content


def _image(metadata: bytes) -> bytes:
    """A PE32 file of one section that starts at file offset 0x200, address 0x2000."""
    cli_header = pack("<IHHII", 72, 2, 5, 0x2000 + 72, len(metadata)).ljust(72, b"\0")
    section = cli_header + metadata
    directories = [(0, 0)] * 14 + [(0x2000, 72), (0, 0)]
    optional = pack("<H", 0x10B).ljust(92, b"\0") + pack("<I", 16)
    optional += b"".join(pack("<II", *directory) for directory in directories)
    file_header = pack("<HHIIIHH", 0x14C, 1, 0, 0, 0, len(optional), 0x2102)
    section_header = b".text\0\0\0" + pack("<IIIIIIHHI", len(section), 0x2000, len(section), 0x200, 0, 0, 0, 0, 0)
    head = b"MZ".ljust(0x3C, b"\0") + pack("<I", 0x40) + b"PE\0\0" + file_header + optional + section_header
    return head.ljust(0x200, b"\0") + section
