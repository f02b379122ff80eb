"""The two pluggy markers. A leaf module, so that implementing a hook imports nothing heavy."""

from __future__ import annotations

from typing import Final

import pluggy

PROJECT_NAME: Final = "codemap"
ENTRY_POINT_GROUP: Final = "codemap"

hookspec: Final = pluggy.HookspecMarker(PROJECT_NAME)
hookimpl: Final = pluggy.HookimplMarker(PROJECT_NAME)
