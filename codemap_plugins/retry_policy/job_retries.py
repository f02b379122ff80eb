"""``[AutomaticRetry(Attempts = 3)]`` of Hangfire, on a job's method or on a class of jobs: how often a job that failed runs again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from codemap_core.facts import fact
from codemap_core.hooks.extractors import Seen
from codemap_core.model import Confidence, FactKind, FactRow
from codemap_core.model.bound import BoundAttribute, BoundDeclaration
from codemap_plugins.retry_policy.methods import Framework

_NAME: Final = "AutomaticRetry"
ATTRIBUTES: Final = (_NAME,)
_ID: Final = f"T:Hangfire.{_NAME}Attribute"
_ATTEMPTS: Final = "Attempts"


def job_retries(seen: Seen) -> Iterator[FactRow]:
    for declaration in seen.declarations:
        for attribute in declaration.attributes:
            if _is_retry(attribute):
                yield _row(seen, declaration, attribute)


def _is_retry(attribute: BoundAttribute) -> bool:
    """One that was not found counts by its name."""
    type_ = attribute.type
    return type_.id == _ID if type_.id else type_.name.removesuffix("Attribute") == _NAME


def _row(seen: Seen, declaration: BoundDeclaration, attribute: BoundAttribute) -> FactRow:
    count = _attempts(attribute)
    shown = f"({count})" if count is not None else ""
    detail: dict[str, Any] = {"method": _NAME, "framework": Framework.HANGFIRE.value, "count": count, "beyond": True}
    confidence = Confidence.HIGH if attribute.type.id else Confidence.LOW
    value = f"{_NAME}{shown}|{Framework.HANGFIRE}"
    return fact(seen, declaration, FactKind.RETRY_POLICY, value, detail, at=attribute.line, confidence=confidence)


def _attempts(attribute: BoundAttribute) -> int | None:
    """Null where the library's default holds."""
    for each in attribute.named_arguments:
        constant = each.value.constant
        if each.parameter == _ATTEMPTS and constant is not None and isinstance(constant.value, int):
            return constant.value
    return None
