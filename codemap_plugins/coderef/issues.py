"""What may be wrong with a reference, as the contract's validation rules name it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Severity(StrEnum):
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    CRITICAL = "critical"

    @property
    def is_failure(self) -> bool:
        return self in (Severity.ERROR, Severity.CRITICAL)


class IssueCode(StrEnum):
    EMPTY_REFERENCE = "EMPTY_REFERENCE"
    MALFORMED_REFERENCE = "MALFORMED_REFERENCE"
    INVALID_TYPE = "INVALID_TYPE"
    EMPTY_PATH = "EMPTY_PATH"
    NEGATIVE_LINE = "NEGATIVE_LINE"
    INVALID_METADATA_FORMAT = "INVALID_METADATA_FORMAT"
    CUSTOM_METADATA = "CUSTOM_METADATA"
    NOT_CANONICAL = "NOT_CANONICAL"
    """It means the same as another spelling, which is the one to write."""
    ELEMENT_NOT_FOUND = "ELEMENT_NOT_FOUND"
    LINE_MISMATCH = "LINE_MISMATCH"
    """The element exists, on another line."""


_SEVERITIES = {
    IssueCode.EMPTY_REFERENCE: Severity.CRITICAL,
    IssueCode.MALFORMED_REFERENCE: Severity.CRITICAL,
    IssueCode.CUSTOM_METADATA: Severity.WARNING,
    IssueCode.LINE_MISMATCH: Severity.WARNING,
    IssueCode.NOT_CANONICAL: Severity.INFO,
}


class Issue(Struct, frozen=True):
    severity: Severity
    code: IssueCode
    message: str
    field: str
    """The component it is about: ``reference``, ``type``, ``path``, ``element``, ``line``, ``metadata``."""
    suggestion: str | None = None


def issue(code: IssueCode, message: str, field: str, suggestion: str | None = None) -> Issue:
    """An issue of the severity that its code has."""
    return Issue(_SEVERITIES.get(code, Severity.ERROR), code, message, field, suggestion)
