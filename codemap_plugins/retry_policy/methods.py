"""The methods of each library that make a policy, and how the fact of a call is described."""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import Final

from msgspec import Struct


class Framework(StrEnum):
    POLLY = "Polly"
    RESILIENCE = "Resilience"
    ENTITY_FRAMEWORK = "EntityFramework"
    HANGFIRE = "Hangfire"
    FLURL = "Flurl"
    HAND_WRITTEN = "HandWritten"


class Sort(Enum):
    POLICY = 1
    """A policy of Polly 7: declared by one of Polly's types, and gives one."""
    PIPELINE_BUILDER = 2
    """A strategy of Polly 8."""
    HTTP_HANDLER = 3
    """On the builder of an HTTP client."""
    DATABASE = 4
    """Of a provider of Entity Framework."""
    REQUEST = 5
    """On a request or a client of Flurl. Beyond the rules; others have methods of these names too, so that only a bound call counts."""


class Method(Struct, frozen=True):
    """``shows_count``: the description has the first argument in parentheses where it is an integer."""

    sort: Sort
    framework: Framework
    description: str
    shows_count: bool = False

    @property
    def has_count(self) -> bool:
        return self.sort in (Sort.POLICY, Sort.DATABASE, Sort.REQUEST)

    @property
    def is_beyond(self) -> bool:
        return self.sort is Sort.REQUEST


def _policies() -> dict[str, Method]:
    found = {}
    for name in (
        *("Retry", "RetryForever", "WaitAndRetry", "WaitAndRetryForever", "CircuitBreaker", "AdvancedCircuitBreaker"),
        *("Fallback", "Bulkhead", "Timeout", "RateLimit"),
    ):
        for suffix in ("", "Async"):
            description = name if name == "CircuitBreaker" else name + suffix
            shows_count = name in ("Retry", "WaitAndRetry")
            found[name + suffix] = Method(Sort.POLICY, Framework.POLLY, description, shows_count)
    return found


METHODS: Final[dict[str, Method]] = {
    **_policies(),
    **{
        name: Method(Sort.PIPELINE_BUILDER, Framework.RESILIENCE, name)
        for name in (
            *("AddRetry", "AddTimeout", "AddFallback", "AddHedging", "AddRateLimiter", "AddConcurrencyLimiter"),
            *("AddChaosFault", "AddChaosLatency", "AddChaosOutcome", "AddChaosBehavior"),
        )
    },
    "AddCircuitBreaker": Method(Sort.PIPELINE_BUILDER, Framework.RESILIENCE, "CircuitBreaker"),
    **{
        f"Add{name}": Method(Sort.HTTP_HANDLER, Framework.RESILIENCE, name)
        for name in ("StandardResilienceHandler", "StandardHedgingHandler", "ResilienceHandler")
    },
    "AddPolicyHandler": Method(Sort.HTTP_HANDLER, Framework.POLLY, "PolicyHandler"),
    "AddPolicyHandlerFromRegistry": Method(Sort.HTTP_HANDLER, Framework.POLLY, "PolicyHandler"),
    "AddTransientHttpErrorPolicy": Method(Sort.HTTP_HANDLER, Framework.POLLY, "TransientHttpErrorPolicy"),
    "EnableRetryOnFailure": Method(Sort.DATABASE, Framework.ENTITY_FRAMEWORK, "EnableRetryOnFailure"),
    "WithTimeout": Method(Sort.REQUEST, Framework.FLURL, "WithTimeout"),
}
"""By simple name."""
UNMISTAKABLE: Final = frozenset(
    f"{name}{suffix}"
    for name in ("WaitAndRetry", "WaitAndRetryForever", "CircuitBreaker", "AdvancedCircuitBreaker")
    for suffix in ("", "Async")
)
"""Names that no other library has for something else."""
HANDLING: Final = ("Handle", "HandleInner", "HandleResult", "HandleTransientHttpError")
"""What the chain of a policy begins with."""
PACKAGES: Final = (
    "polly",
    "microsoft.extensions.http.polly",
    "microsoft.extensions.http.resilience",
    "microsoft.extensions.resilience",
)
"""How the ids of the packages begin, in lower case, that bring strategies of Polly 8."""
