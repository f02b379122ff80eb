"""``.codeagent/config.json`` of a repository: data that narrows what is shown, never a command, a path to open or a plug-in.

Keys that are not known are left alone, as other programs may own them. A file that cannot be understood counts as none, and is reported.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.errors import CodeMapError
from codemap_plugins.codeagent.checkout import Checkout

CONFIGURATION: Final = ".codeagent/config.json"
MAX_CONFIGURATION: Final = 64 * 1024
"""Bytes."""


class AgentConfiguration(Struct, frozen=True, rename="camel"):
    """``exclude``: patterns as those of ``.gitignore`` for what is not to be listed. ``problem``: a sentence that says why the file is not
    used."""

    exclude: tuple[str, ...] = ()
    problem: str = msgspec.field(default="", name="-problem")


def read_configuration(checkout: Checkout) -> AgentConfiguration:
    try:
        with checkout.file(CONFIGURATION) as descriptor, open(descriptor, "rb", closefd=False) as file:
            content = file.read(MAX_CONFIGURATION + 1)
    except CodeMapError:
        return AgentConfiguration()
    if len(content) > MAX_CONFIGURATION:
        return AgentConfiguration(problem=f"{CONFIGURATION} is not used: it has more than {MAX_CONFIGURATION} bytes.")
    try:
        return msgspec.structs.replace(msgspec.json.decode(content, type=AgentConfiguration), problem="")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return AgentConfiguration(problem=f"{CONFIGURATION} is not used: {error}.")
