"""What a bound call is given for a parameter."""

from __future__ import annotations

from codemap_core.model.bound import Event, Value


def argument_of(event: Event, parameter: str) -> Value | None:
    """Null where the call leaves it to the default."""
    return next((each.value for each in event.arguments if each.parameter == parameter), None)
