"""A sample assembly with one of nearly everything the reader knows."""

from __future__ import annotations

import pytest

from tests.plugins.csharp.metadata import assembly_builder as build
from tests.plugins.csharp.metadata.assembly_builder import AssemblyBuilder, generic_instance, method_signature


def sample_assembly(name: str = "Sample", version: tuple[int, int, int, int] = (1, 2, 3, 4)) -> bytes:
    """``Sample``: see the ids that ``test_ecma335`` expects of it."""
    b = AssemblyBuilder(name, version)
    b.assembly_ref("Zebra")
    object_type, enum, delegate = (b.type_ref(f"System.{base}") for base in ("Object", "Enum", "MulticastDelegate"))
    enumerable = b.type_ref("System.Collections.Generic.IEnumerable`1")
    tuple_type = b.type_ref("System.ValueTuple`2")
    struct = b.type_ref("System.ValueType")

    box = b.type_def(build.PUBLIC, "N.Box`1", object_type)
    b.generic_parameter(box, 0, "T", flags=0x10)
    b.row("InterfaceImpl", box, b.row("TypeSpec", b.blob(generic_instance(enumerable, b"\x13\0"))) << 2 | 2)
    b.field(build.METHOD_PRIVATE, "_hidden", build.INT32)
    b.field(build.METHOD_FAMILY, "Kept", b"\x13\0")
    b.method(build.METHOD_PUBLIC, ".ctor", method_signature(build.VOID))
    b.method(build.METHOD_PRIVATE, "Secret", method_signature(build.VOID))
    b.method(
        build.METHOD_PUBLIC,
        "Convert",
        method_signature(b"\x1e\0", b"\x10\x13\0", b"\x10\x1e\0", b"\x1d\x0e", b"\x0f\x01", arity=1),
        (("one", 0), ("two", 0x2), ("rest", 0), ("raw", 0x10)),
    )
    b.generic_parameter(3, 0, "U", of_method=True)
    b.attribute(3, build.ATTRIBUTE_OF_PARAM, "System.ParamArrayAttribute")
    b.method(
        build.METHOD_PUBLIC | build.STATIC, "op_Implicit", method_signature(build.INT32, b"\x13\0", is_static=True)
    )
    getter = b.method(build.METHOD_PUBLIC, "get_Item", method_signature(b"\x13\0", build.INT32), (("index", 0),))
    setter = b.method(
        build.METHOD_FAMILY,
        "set_Item",
        method_signature(build.VOID, build.INT32, b"\x13\0"),
        (("index", 0), ("value", 0)),
    )
    b.row("PropertyMap", box, 1)
    item = b.row("Property", 0, b.string("Item"), b.blob(b"\x28\x01\x13\0\x08"))
    b.row("MethodSemantics", 2, getter, item << 1 | 1)
    b.row("MethodSemantics", 1, setter, item << 1 | 1)
    b.attribute(box, build.ATTRIBUTE_OF_TYPE, "System.Reflection.DefaultMemberAttribute", b"\x04Item\0\0")

    b.type_def(build.NESTED_PUBLIC, "Pair`1", struct, enclosing=box)
    b.generic_parameter(3, 0, "T")
    b.generic_parameter(3, 1, "V", flags=0x4)
    own = generic_instance(3 << 2, b"\x13\0", b"\x13\x01")
    b.method(build.METHOD_PUBLIC, "Same", method_signature(build.VOID, own, b"\x14\x08\x02\0\0"))

    color = b.type_def(build.PUBLIC | build.SEALED, "N.Color", enum)
    b.field(build.METHOD_PUBLIC, "value__", b"\x05")
    red = b.field(build.METHOD_PUBLIC | build.STATIC | build.FIELD_LITERAL, "Red", b"\x11" + bytes([color << 2]))
    b.row("Constant", 0x05, red << 2, b.blob(b"\x07"))

    b.type_def(build.PUBLIC | build.SEALED, "N.Done", delegate)
    b.method(build.METHOD_PUBLIC | build.VIRTUAL, "Invoke", method_signature(build.VOID, build.OBJECT), (("it", 0),))
    changed = b.row(
        "TypeDef", build.PUBLIC | build.INTERFACE | build.ABSTRACT, b.string("IWatch"), b.string("N"), 0, 5, 10
    )
    add = b.method(0x5C6, "add_Changed", method_signature(build.VOID, b"\x12" + bytes([5 << 2])), (("value", 0),))
    b.row("EventMap", changed, 1)
    b.row("MethodSemantics", 0x8, add, b.row("Event", 0, b.string("Changed"), 5 << 2) << 1)

    more = b.type_def(build.PUBLIC | build.ABSTRACT | build.SEALED, "N.More", object_type)
    b.attribute(more, build.ATTRIBUTE_OF_TYPE, "System.Runtime.CompilerServices.ExtensionAttribute")
    pair = generic_instance(tuple_type, build.INT32, build.OBJECT)
    split = b.method(
        build.METHOD_PUBLIC | build.STATIC,
        "Split",
        method_signature(build.OBJECT, pair, is_static=True),
        (("pair", 0),),
    )
    b.attribute(split, build.ATTRIBUTE_OF_METHOD, "System.Runtime.CompilerServices.ExtensionAttribute")
    parameter = len(b.rows["Param"])
    names = b"\x02\0\0\0\x02id\xff\0\0"
    b.attribute(
        parameter, build.ATTRIBUTE_OF_PARAM, "System.Runtime.CompilerServices.TupleElementNamesAttribute", names
    )
    flags = b"\x03\0\0\0\0\0\x01\0\0"
    b.attribute(parameter, build.ATTRIBUTE_OF_PARAM, "System.Runtime.CompilerServices.DynamicAttribute", flags)

    b.type_def(0, "N.Internal", object_type)
    b.method(build.METHOD_PUBLIC, "Unseen", method_signature(build.VOID))
    b.attribute(
        1, build.ATTRIBUTE_OF_ASSEMBLY, "System.Runtime.CompilerServices.InternalsVisibleToAttribute", b"\x05Tests\0\0"
    )
    b.row("ExportedType", 0x200000, 0, b.string("Moved"), b.string("N"), 2 << 2 | 1)
    return b.build()


@pytest.fixture(scope="session")
def sample() -> bytes:
    return sample_assembly()
