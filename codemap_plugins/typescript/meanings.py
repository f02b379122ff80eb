"""What queries have to know of TypeScript: uses that no reference says."""

from __future__ import annotations

from typing import Final

from codemap_core.model.meanings import ImpliedUses, Meanings, WholeUse

AMBIENT: Final = "declare"
"""The modifier of declarations of what is elsewhere: written, or implied by what stands around them."""

_MODULE_VALUE: Final = WholeUse(
    pattern=r"""(?<!typeof )\b(?:import|require)\s*\(\s*(?:/\*.*?\*/\s*)*["'`]([^"'`\n]+)["'`]""",
    words=("import", "require"),
)
"""``import("./page")``, which gives a promise of an object with all exports, whatever is done with it then."""

TYPESCRIPT_MEANINGS: Final = Meanings(
    name="typescript",
    implied=ImpliedUses(ambient_modifiers=(AMBIENT,), imported_kinds=("module",), module_values=(_MODULE_VALUE,)),
)
