"""The order of definitions that bear one name, and which of them hold extension members."""

from __future__ import annotations

from codemap_plugins.csharp.symbols.definitions import DeclaringDocument, SourceTypeDefinition
from codemap_plugins.csharp.unit import Modifiers, TypeDeclaration


def is_extending(document: DeclaringDocument, declaration: TypeDeclaration) -> bool:
    """Whether it is a static class of a namespace without type parameters, in a file that declares extension members (ECMA-334 §15.6.10).

    One part of a partial class need not say that it is static, as another may; which one does is not asked, so that this follows from the
    part alone."""
    return (
        declaration.parent < 0
        and document.outline.has_extension_methods
        and not declaration.type_parameters
        and bool(declaration.modifiers & (Modifiers.STATIC | Modifiers.PARTIAL))
    )


def place_of(definition: SourceTypeDefinition) -> tuple[str, int, str, int]:
    """What definitions of one name are ordered by: project, and first part."""
    return definition.project.path, *definition.parts[0].order


def extending_place(definition: SourceTypeDefinition) -> tuple[str, int, str, int]:
    """As ``place_of``, by the first part that makes it a container of extension members."""
    part = next(each for each in definition.parts if is_extending(each.document, each.declaration))
    return definition.project.path, *part.order
