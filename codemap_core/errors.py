"""Errors that the environment causes and a caller may want to catch.

Broken source code is data (``Problem`` rows), never one of these; a bug is a plain Python exception. Every message says
what is wrong and what to do next. The class and ``code`` are interface, the wording is not. Codes are those of the
contract, API schema section 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar


class ErrorCode(StrEnum):
    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    NOT_FOUND = "NOT_FOUND"
    AMBIGUOUS = "AMBIGUOUS"
    INDEX_NOT_AVAILABLE = "INDEX_NOT_AVAILABLE"
    WORKSPACE_REQUIRED = "WORKSPACE_REQUIRED"
    COMPILATION_FAILED = "COMPILATION_FAILED"
    BUDGET_EXCEEDED = "BUDGET_EXCEEDED"
    STORAGE_FAILED = "STORAGE_FAILED"
    CANCELLED = "CANCELLED"
    INTERNAL_ERROR = "INTERNAL_ERROR"
    """A bug of ours or of a plug-in, as a client is told about it; no CodeMapError carries it."""


class CodeMapError(Exception):
    """Root of everything CodeMap raises on purpose. ``details`` is JSON-compatible."""

    code: ClassVar[ErrorCode] = ErrorCode.INVALID_ARGUMENT
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details: Mapping[str, Any] = details


class InvalidArgumentError(CodeMapError):
    """A request or option that cannot be carried out as written."""


class OutsideRepositoryError(InvalidArgumentError):
    """A folder that is in no git repository; ``details['path']`` names it."""


class NotFoundError(CodeMapError):
    """The repository, commit, file or symbol asked for does not exist."""

    code = ErrorCode.NOT_FOUND


class AmbiguousError(CodeMapError):
    """A name that means several symbols; ``details['candidates']`` lists them."""

    code = ErrorCode.AMBIGUOUS


class IndexNotAvailableError(CodeMapError):
    """No index exists yet for the commit asked for."""

    code = ErrorCode.INDEX_NOT_AVAILABLE
    retryable = True


class WorkspaceRequiredError(CodeMapError):
    """The request makes sense in a workspace only."""

    code = ErrorCode.WORKSPACE_REQUIRED


class BudgetExceededError(CodeMapError):
    """More than may be sent in one request or answer, where cutting it would make it wrong."""

    code = ErrorCode.BUDGET_EXCEEDED


class StorageError(CodeMapError):
    """The index file is corrupt, newer than this program, locked, or the disk is full."""

    code = ErrorCode.STORAGE_FAILED


class CancelledError(CodeMapError):
    """The caller asked for the work to stop; nothing was published."""

    code = ErrorCode.CANCELLED
    retryable = True
