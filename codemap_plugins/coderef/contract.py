"""The shapes in which the family answers: a view as it is, and the contract's standard error."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any, Final

from codemap_core.errors import CodeMapError, InvalidArgumentError
from codemap_core.hooks.tool import ToolResult
from codemap_plugins.coderef.arguments import Filter
from codemap_plugins.coderef.errors import FAILURES, TOOLS, CodeRefCode, CodeRefError

_ARGUMENT: Final = re.compile(r"^[\w.]*: (?P<field>[a-z_]+)[.:\[]|'(?P<quoted>[a-z_]+)'|needs (?P<missing>[a-z_]+)")
_FILTER: Final = "filter"
"""The argument whose contents have an error of their own."""
_FILTERS: Final = f"A filter is an object of these: {', '.join(Filter.__struct_fields__)}."


def timestamp() -> str:
    """Now, in UTC, as the contract writes it."""
    return datetime.now(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")


def error_answer(code: CodeRefCode, message: str, field: str = "", suggestion: str = "") -> dict[str, Any]:
    details = {name: value for name, value in (("field", field), ("suggestion", suggestion)) if value}
    return {
        "status": "error",
        "error_code": code.value,
        "message": message,
        "details": details,
        "timestamp": timestamp(),
    }


class CodeRefContract:
    """Implements ``OwnContract``."""

    def answer(self, tool: str, result: ToolResult) -> Any:
        return result.data

    def error(self, tool: str, error: Exception) -> Any:
        if tool not in TOOLS:
            return error_answer(
                CodeRefCode.UNKNOWN_TOOL, f"There is no tool {tool[:80]!r}.", "name", f"Tools: {', '.join(TOOLS)}."
            )
        if isinstance(error, CodeRefError):
            return error_answer(error.contract_code, error.message, error.field, error.suggestion)
        if isinstance(error, InvalidArgumentError):
            field = _field_of(error)
            said = error.message if error.message.endswith((".", "?")) else f"{error.message}."
            if field == _FILTER:
                return error_answer(CodeRefCode.INVALID_FILTER, said, field, _FILTERS)
            return error_answer(CodeRefCode.INVALID_REQUEST, said, field)
        if isinstance(error, CodeMapError):
            return error_answer(FAILURES.get(tool, CodeRefCode.TOOL_EXECUTION_ERROR), error.message)
        said = f"{type(error).__name__}: {error}"[:300]
        return error_answer(
            CodeRefCode.TOOL_EXECUTION_ERROR, f"The tool failed, which is a bug ({said}). The server's log has more."
        )


def _field_of(error: InvalidArgumentError) -> str:
    """The argument that an error of decoding is about, where its details or its beginning name one."""
    for key in ("missing_arguments", "unknown_arguments"):
        named = error.details.get(key)
        if named:
            return str(named[0])
    found = _ARGUMENT.search(error.message)
    return next((each for each in found.groups() if each), "") if found is not None else ""
