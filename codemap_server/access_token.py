"""The token by which clients of a server prove that they may use it: from a file or from the environment, never from the command line,
which every process of the machine can read."""

from __future__ import annotations

import hmac
import os
import re
from pathlib import Path
from typing import Final

from codemap_core.errors import InvalidArgumentError

VARIABLE: Final = "CODEMAP_TOKEN"
MIN_LENGTH: Final = 16
_BEARER: Final = re.compile(rb"bearer +(?P<token>\S+) *", re.IGNORECASE)
_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/=-]+")
"""As RFC 6750 has it in the header."""


class AccessToken:
    def __init__(self, token: str) -> None:
        """Raises: InvalidArgumentError for what cannot be sent in a header, or is short enough to be guessed."""
        if len(token) < MIN_LENGTH or _TOKEN.fullmatch(token) is None:
            raise InvalidArgumentError(
                f"A token has at least {MIN_LENGTH} characters: ASCII letters, digits and . _ ~ + / = -. "
                "This makes one: python -c 'import secrets; print(secrets.token_urlsafe(32))'"
            )
        self._token: Final = token.encode()

    def admits(self, authorization: bytes) -> bool:
        """Whether the value of an ``Authorization`` header is ``Bearer`` and this token; takes the same time for every wrong one of a
        length."""
        found = _BEARER.fullmatch(authorization)
        return found is not None and hmac.compare_digest(found["token"], self._token)


def read_token(path: Path | None) -> AccessToken | None:
    """The token of a file's first line, else of the environment; null where there is none. Raises: InvalidArgumentError."""
    if path is None:
        given = os.environ.get(VARIABLE, "")
        return AccessToken(given.strip()) if given.strip() else None
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidArgumentError(f"The token cannot be read from {path}: {error}") from error
    return AccessToken(text.partition("\n")[0].strip())
