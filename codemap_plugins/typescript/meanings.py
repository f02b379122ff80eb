"""What queries have to know of TypeScript: uses that no reference says."""

from __future__ import annotations

from typing import Final

from codemap_core.model.meanings import ImpliedUses, Meanings

AMBIENT: Final = "declare"
"""The modifier of declarations of what is elsewhere: written, or implied by what stands around them."""

TYPESCRIPT_MEANINGS: Final = Meanings(
    name="typescript", implied=ImpliedUses(ambient_modifiers=(AMBIENT,), imported_kinds=("module",))
)
