"""Members of extension blocks, as the methods that implement them."""

from __future__ import annotations

from codemap_plugins.csharp.metadata import doc_ids
from codemap_plugins.csharp.metadata.extension_blocks import extended_type, getter_implementation, implementation
from codemap_plugins.csharp.metadata.reference_folders import shipped_catalog
from codemap_plugins.csharp.metadata.surface import (
    ExtensionBlock,
    MemberFlags,
    Method,
    Parameter,
    Property,
    TypeParameter,
)

_STATIC = int(MemberFlags.STATIC)
_LIST = "System.Collections.Generic.List`1"
_BLOCK = ExtensionBlock(Parameter("items", f"{_LIST}<!1>"), (TypeParameter("K", 0, ("!1",)), TypeParameter("V")))


def test_type_parameters_of_the_block_come_first() -> None:
    """``extension<K, V>(List<V> items) where K : V { static T[] Make<T>(K key, List<T> others) where T : K }``"""
    parameters = (Parameter("key", "!0"), Parameter("others", f"{_LIST}<!!0>"))
    made = implementation(_BLOCK, Method("Make", _STATIC, "!!0[]", parameters, (TypeParameter("T", 0, ("!0",)),)))
    assert extended_type(_BLOCK) == f"{_LIST}<!!1>"
    assert doc_ids.method_id("N.E", made) == "M:N.E.Make``3(``0,System.Collections.Generic.List{``2})"
    assert (made.returns, [p.constraints for p in made.type_parameters]) == ("!!2[]", [("!!1",), (), ("!!0",)])


def test_the_receiver_comes_before_the_parameters() -> None:
    made = implementation(_BLOCK, Method("Add", 0, "System.Void", (Parameter("first", "=(!0,!1)"),)))
    assert doc_ids.method_id("N.E", made) == "M:N.E.Add``2(System.Collections.Generic.List{``1},)"


def test_a_property_is_what_reads_it() -> None:
    assert (
        doc_ids.method_id("N.E", getter_implementation(_BLOCK, Property("Last", 0, "!1")))
        == "M:N.E.get_Last``2(System.Collections.Generic.List{``1})"
    )
    assert (
        doc_ids.method_id("N.E", getter_implementation(_BLOCK, Property("None", _STATIC, "!1"))) == "M:N.E.get_None``2"
    )


def test_what_implements_them_is_declared_in_the_shipped_libraries() -> None:
    """Compilers wrote both, so that one tells whether the other is right."""
    catalog = shipped_catalog()
    missing, count = [], 0
    for namespace in catalog.namespaces:
        for located in catalog.types_of(namespace):
            surface = catalog.surface(located)
            declared = {doc_ids.method_id(surface.name, each) for each in surface.methods}
            for block in surface.extension_blocks:
                made = [implementation(block, each) for each in block.methods]
                made += [getter_implementation(block, each) for each in block.properties]
                count += len(made)
                missing += [each.name for each in made if doc_ids.method_id(surface.name, each) not in declared]
    assert count > 200
    assert not missing
