"""Files with a suffix of TypeScript that are not a repository's own source: packages that were installed, and declarations that a build
wrote. They are listed and searched as text, and not analysed."""

from __future__ import annotations

import re
from typing import Final

SUFFIXES: Final = (".ts", ".tsx", ".mts", ".cts")
DECLARATION_SUFFIXES: Final = (".d.ts", ".d.mts", ".d.cts")
_INSTALLED: Final = re.compile(
    r"(^|/)(?:node_modules|bower_components|jspm_packages|\.yarn|wwwroot/(?:lib|dist)|wwwroot/.*/(?:lib|vendor))/"
)
_BUILT: Final = re.compile(
    r"(^|/)(?:dist|build|out|bin|obj|\.next|\.nuxt|\.angular|coverage)/(?:.*/)?[^/]*\.d\.[mc]?ts$"
)
_MINIFIED: Final = re.compile(r"\.min\.[^/]*$")


def is_left_out(path: str) -> bool:
    return any(rule.search(path) is not None for rule in (_INSTALLED, _BUILT, _MINIFIED))
