"""The errors of the contract, and how anything that ends a call becomes one of them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from codemap_core.errors import CodeMapError


class CodeRefCode(StrEnum):
    INVALID_REQUEST = "INVALID_REQUEST"
    VALIDATION_ERROR = "VALIDATION_ERROR"
    MALFORMED_REFERENCE = "MALFORMED_REFERENCE"
    INVALID_REFERENCE = "INVALID_REFERENCE"
    INVALID_FILTER = "INVALID_FILTER"
    QUERY_ERROR = "QUERY_ERROR"
    ANALYSIS_ERROR = "ANALYSIS_ERROR"
    UNSUPPORTED_ANALYSIS = "UNSUPPORTED_ANALYSIS"
    BATCH_VALIDATION_ERROR = "BATCH_VALIDATION_ERROR"
    TOOL_EXECUTION_ERROR = "TOOL_EXECUTION_ERROR"
    UNKNOWN_TOOL = "UNKNOWN_TOOL"


PREFIX: Final = "mcp__coderef__"
TOOLS: Final = tuple(
    PREFIX + name
    for name in ("query", "analyze", "validate", "batch_validate", "uds_compliance_check", "generate_with_uds")
)
FAILURES: Final = {
    f"{PREFIX}query": CodeRefCode.QUERY_ERROR,
    f"{PREFIX}analyze": CodeRefCode.ANALYSIS_ERROR,
    f"{PREFIX}validate": CodeRefCode.VALIDATION_ERROR,
    f"{PREFIX}batch_validate": CodeRefCode.BATCH_VALIDATION_ERROR,
}
"""What a tool answers when it could not do what it was rightly asked."""


class CodeRefError(CodeMapError):
    """An error with a code of the contract; ``field``: the argument it is about, or empty."""

    def __init__(self, code: CodeRefCode, message: str, field: str = "", suggestion: str = "") -> None:
        super().__init__(message)
        self.contract_code: Final = code
        self.field: Final = field
        self.suggestion: Final = suggestion
