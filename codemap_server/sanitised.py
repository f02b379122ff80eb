"""Strings fit to be sent: no lone surrogates (they cannot be encoded and would end the process) and no control
characters but tab and newline (they can drive a terminal). Each such character becomes U+FFFD."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

_UNFIT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def sanitised_text(text: str) -> str:
    """``text`` with every unfit character replaced."""
    return _UNFIT.sub("�", text)


def sanitised(value: Any, *, with_nulls: bool = False) -> Any:
    """A JSON value with every string in it sanitised and, unless ``with_nulls``, the nulls of objects left out."""
    if isinstance(value, str):
        return sanitised_text(value)
    if isinstance(value, Mapping):
        return {
            sanitised_text(str(key)): sanitised(each, with_nulls=with_nulls)
            for key, each in value.items()
            if with_nulls or each is not None
        }
    if isinstance(value, list | tuple):
        return [sanitised(each, with_nulls=with_nulls) for each in value]
    return value
