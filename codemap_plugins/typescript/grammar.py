"""The two grammars of TypeScript: the only importer of the grammar package.

A ``.tsx`` file is read with a grammar of its own, since ``<T>x`` begins an element there and an assertion elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import tree_sitter_typescript

from codemap_core.distributions import installed_version
from codemap_core.syntax import Grammar

_VERSION: Final = installed_version("tree-sitter-typescript")
GRAMMARS: Final[Mapping[str, Grammar]] = {
    "typescript": Grammar(tree_sitter_typescript.language_typescript(), _VERSION),
    "tsx": Grammar(tree_sitter_typescript.language_tsx(), _VERSION),
}
"""By dialect."""
