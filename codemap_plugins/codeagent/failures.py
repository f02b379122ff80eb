"""Errors as the contract has them: seven codes, one shape. No message names a folder of the machine."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from codemap_core.errors import CodeMapError, ErrorCode, IndexNotAvailableError


class FailureCode(StrEnum):
    NOT_FOUND = "not_found"
    INVALID_PARAMETER = "invalid_parameter"
    PATH_ESCAPE = "path_escape"
    BINARY_FILE = "binary_file"
    TOO_LARGE = "too_large"
    ENGINE_UNAVAILABLE = "engine_unavailable"
    INDEX_ERROR = "index_error"


class PathEscapeError(CodeMapError):
    """The path leaves the repository, or names what belongs to git itself."""


class BinaryFileError(CodeMapError):
    """The file holds no text."""


class EngineUnavailableError(CodeMapError):
    """What the call needs is not there on this machine, or in this repository."""


_OWN: Final = {
    PathEscapeError: FailureCode.PATH_ESCAPE,
    BinaryFileError: FailureCode.BINARY_FILE,
    EngineUnavailableError: FailureCode.ENGINE_UNAVAILABLE,
}
_FAILURES: Final = {
    ErrorCode.INVALID_ARGUMENT: FailureCode.INVALID_PARAMETER,
    ErrorCode.NOT_FOUND: FailureCode.NOT_FOUND,
    ErrorCode.AMBIGUOUS: FailureCode.INVALID_PARAMETER,
    ErrorCode.INDEX_NOT_AVAILABLE: FailureCode.ENGINE_UNAVAILABLE,
    ErrorCode.WORKSPACE_REQUIRED: FailureCode.INVALID_PARAMETER,
    ErrorCode.COMPILATION_FAILED: FailureCode.INDEX_ERROR,
    ErrorCode.BUDGET_EXCEEDED: FailureCode.TOO_LARGE,
    ErrorCode.STORAGE_FAILED: FailureCode.ENGINE_UNAVAILABLE,
    ErrorCode.CANCELLED: FailureCode.ENGINE_UNAVAILABLE,
    ErrorCode.INTERNAL_ERROR: FailureCode.ENGINE_UNAVAILABLE,
}


def failure_code(error: Exception) -> FailureCode:
    """The contract's code for whatever ended a call."""
    for own, failure in _OWN.items():
        if isinstance(error, own):
            return failure
    return _FAILURES[error.code] if isinstance(error, CodeMapError) else FailureCode.ENGINE_UNAVAILABLE


def failure_message(error: Exception) -> str:
    """One or two sentences for a client."""
    if isinstance(error, IndexNotAvailableError):
        commit = str(error.details.get("commit_sha", ""))[:12]
        of = f" of commit {commit}" if commit else ""
        return f"There is no usable index{of} yet. Run 'codemap index' in the repository, or call index_files, which builds it."
    if isinstance(error, CodeMapError) and error.code is not ErrorCode.STORAGE_FAILED:
        return error.message
    if isinstance(error, CodeMapError):
        return "The index cannot be read. Run 'codemap index' in the repository to build it again; the server's log has more."
    return f"The tool failed with {type(error).__name__}, which is a bug. The server's log has more."
