"""Calls beyond those of the contract that register the types they name: typed clients, decorators, consumers, contexts of hosts, handlers
of exceptions, and what MediatR runs around its handlers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import BoundType, Event
from codemap_plugins.di_registration.factories import made_by
from codemap_plugins.di_registration.registration import (
    SCOPED,
    SINGLETON,
    TRANSIENT,
    Form,
    Named,
    Registration,
    named,
    named_by,
)
from codemap_plugins.di_registration.roles import Roles, is_function, is_type, roles_of
from codemap_plugins.di_registration.services import given, is_services, lifetime_of


class Further(Struct, frozen=True):
    """``namespace``: that declares the call. ``lifetime``: of what it registers. ``is_generated``: the implementation is made while the
    program is built or runs."""

    namespace: str
    lifetime: str
    is_generated: bool = False


_EXTENSIONS: Final = "Microsoft.Extensions.DependencyInjection"
_MEDIATR: Final = f"M:{_EXTENSIONS}.MediatRServiceConfiguration."
_HOSTING: Final = "Microsoft.Extensions.Hosting"
_CALLS: Final[Mapping[str, Further]] = {
    "AddConsumer": Further("MassTransit", SCOPED),
    "AddBehavior": Further(_EXTENSIONS, TRANSIENT),
    "AddCosmosDbContext": Further(_HOSTING, SCOPED),
    "AddGrpcClient": Further(_EXTENSIONS, TRANSIENT),
    "AddMySqlDbContext": Further(_HOSTING, SCOPED),
    "AddNpgsqlDbContext": Further(_HOSTING, SCOPED),
    "AddOracleDatabaseDbContext": Further(_HOSTING, SCOPED),
    "AddRefitClient": Further("Refit", TRANSIENT, is_generated=True),
    "AddRequestPostProcessor": Further(_EXTENSIONS, TRANSIENT),
    "AddRequestPreProcessor": Further(_EXTENSIONS, TRANSIENT),
    "AddSqlServerDbContext": Further(_HOSTING, SCOPED),
    "AddStreamBehavior": Further(_EXTENSIONS, TRANSIENT),
    "AddTypedClient": Further(_EXTENSIONS, TRANSIENT),
}
_CLIENTS: Final = ("AddGrpcClient", "AddRefitClient")
"""Calls that no other library has under these names: they are told where their package is not known, too."""
_DECORATING: Final = ("Decorate", "TryDecorate")
_OPEN: Final[Mapping[str, Named]] = {
    "AddOpenBehavior": Named("IPipelineBehavior<,>", "T:MediatR.IPipelineBehavior`2"),
    "AddOpenRequestPostProcessor": Named("IRequestPostProcessor<,>", "T:MediatR.Pipeline.IRequestPostProcessor`2"),
    "AddOpenRequestPreProcessor": Named("IRequestPreProcessor<>", "T:MediatR.Pipeline.IRequestPreProcessor`1"),
    "AddOpenStreamBehavior": Named("IStreamPipelineBehavior<,>", "T:MediatR.IStreamPipelineBehavior`2"),
}
"""By the name of a call of MediatR's that takes an open generic type: the service that the type is registered as."""
_CLOSED: Final = ("AddBehavior", "AddRequestPostProcessor", "AddRequestPreProcessor", "AddStreamBehavior")
"""Calls of MediatR's that take service and implementation; with the implementation alone its interfaces are the services."""
_EXCEPTION_HANDLER: Final = "AddExceptionHandler"
_OF_HANDLERS: Final = f"M:{_EXTENSIONS}.ExceptionHandlerServiceCollectionExtensions."
_ADDS_EXCEPTION_HANDLER: Final = f"{_OF_HANDLERS}{_EXCEPTION_HANDLER}``1({_EXTENSIONS}.IServiceCollection)"
"""Of the overloads the one without options."""
CALLS: Final = (*_CALLS, *_DECORATING, *_OPEN, _EXCEPTION_HANDLER)
"""Names of the calls."""
_OF_THE_DECORATED: Final = "{?}"
"""The lifetime of a decorator is that of what it decorates."""


def registration_of(event: Event, seen: Seen) -> Registration | None:
    """Null for a call that the names alone do not make one of these: one that was bound to another method, or was not bound and has a
    name that others have too."""
    if event.target is None:
        return _unbound(event, seen)
    if not event.external:
        return None
    if event.name in _DECORATING:
        return _decorator(event, seen) if event.target.startswith(f"M:{_EXTENSIONS}.") else None
    if event.name == _EXCEPTION_HANDLER:
        return _exception_handler(event) if event.target == _ADDS_EXCEPTION_HANDLER else None
    if event.name in _OPEN:
        return _open(event, seen) if event.target.startswith(_MEDIATR) else None
    known = _CALLS[event.name]
    is_named = len(event.type_arguments) > 1 if event.name in _CLOSED else bool(event.type_arguments)
    if not is_named or not event.target.startswith(f"M:{known.namespace}."):
        return None
    return _of_known(event, known, roles_of(event, is_keyed=False), seen)


def _unbound(event: Event, seen: Seen) -> Registration | None:
    """A typed client is registered under its type alone, on a collection of services."""
    if event.name not in _CLIENTS or len(event.type_arguments) != 1 or not is_services(event.receiver, seen.document):
        return None
    return _of_known(event, _CALLS[event.name], Roles(), seen)


def _of_known(event: Event, known: Further, roles: Roles, seen: Seen) -> Registration | None:
    found = given(event, roles, known.lifetime, seen.document, method=event.name)
    if found is None:
        return None
    if known.is_generated:
        found = replace(found, form=Form.FACTORY, is_hidden=True)
    return replace(found, is_beyond=True)


def _open(event: Event, seen: Seen) -> Registration | None:
    """``AddOpenBehavior(typeof(Validation<,>))``."""
    types = [each.value for each in event.arguments if is_type(each.value)]
    lifetimes = [each.value for each in event.arguments if each.parameter == "serviceLifetime"]
    if not types:
        return None
    return Registration(
        event=event,
        service=_OPEN[event.name],
        implementation=named_by(types[0], seen.document),
        lifetime=lifetime_of(lifetimes[0] if lifetimes else None, TRANSIENT, seen.document),
        method=event.name,
        is_beyond=True,
    )


def _exception_handler(event: Event) -> Registration | None:
    """``AddExceptionHandler<Problems>()`` adds a singleton that the middleware asks for as ``IExceptionHandler``."""
    if not event.type_arguments:
        return None
    return Registration(
        event=event,
        service=Named("IExceptionHandler", "T:Microsoft.AspNetCore.Diagnostics.IExceptionHandler"),
        implementation=named(event.type_arguments[0]),
        lifetime=SINGLETON,
        method=event.name,
        is_beyond=True,
    )


def _decorator(event: Event, seen: Seen) -> Registration | None:
    """``Decorate<IClock, SlowClock>()``, ``Decorate(typeof(IClock), typeof(SlowClock))``, ``Decorate<IClock>(inner => …)``."""
    types = event.type_arguments
    values = [each.value for each in event.arguments]
    operands = [value for value in values if is_type(value)]
    made: BoundType | None = None
    is_hidden = False
    if len(types) > 1:
        decorated, decorating = named(types[0]), named(types[1])
    elif len(operands) > 1:
        decorated, decorating = (named_by(value, seen.document) for value in operands[:2])
    elif types and values and is_function(values[0]):
        made, is_hidden = made_by(values[0], seen.document), True
        decorated, decorating = named(types[0]), named(made or types[0])
    else:
        return None
    return Registration(
        event=event,
        service=decorated,
        implementation=decorating,
        is_hidden=is_hidden,
        lifetime=_OF_THE_DECORATED,
        form=Form.DECORATOR,
        method=event.name,
        is_beyond=True,
    )
