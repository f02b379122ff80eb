"""The interfaces and base classes by which known frameworks find handlers, and the frameworks that a project names."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import Final

from msgspec import Struct

from codemap_core.facts import full_name
from codemap_core.model import Project
from codemap_core.model.bound import BoundType, TypeForm


class Framework(Struct, frozen=True):
    """``namespace``: that declares its interfaces. ``package``: how the ids of its packages begin. ``result``: what its handling methods
    give, where that tells it from another whose interfaces have the same names. ``handles_derived``: what handles a type is handed every
    message that derives from it or implements it."""

    name: str
    namespace: str
    package: str
    result: str = ""
    handles_derived: bool = False


MEDIATR: Final = Framework("MediatR", "MediatR", "MediatR")
MEDIATOR: Final = Framework("Mediator", "Mediator", "Mediator.", "ValueTask")
MASS_TRANSIT: Final = Framework("MassTransit", "MassTransit", "MassTransit", handles_derived=True)
N_SERVICE_BUS: Final = Framework("NServiceBus", "NServiceBus", "NServiceBus", handles_derived=True)
REBUS: Final = Framework("Rebus", "Rebus", "Rebus", handles_derived=True)
WOLVERINE: Final = Framework("Wolverine", "Wolverine", "Wolverine")
BRIGHTER: Final = Framework("Brighter", "Paramore.Brighter", "Paramore.Brighter")
FAST_ENDPOINTS: Final = Framework("FastEndpoints", "FastEndpoints", "FastEndpoints")
SLIM_MESSAGE_BUS: Final = Framework("SlimMessageBus", "SlimMessageBus", "SlimMessageBus")
EASY_NET_Q: Final = Framework("EasyNetQ", "EasyNetQ", "EasyNetQ")
ABP: Final = Framework("ABP", "Volo.Abp", "Volo.Abp")
FOUNDATIO: Final = Framework("Foundatio.Mediator", "Foundatio.Mediator", "Foundatio.Mediator")
MVVM_TOOLKIT: Final = Framework("MVVM Toolkit", "CommunityToolkit.Mvvm", "CommunityToolkit.Mvvm")
FRAMEWORKS: Final = (
    MEDIATR,
    MEDIATOR,
    MASS_TRANSIT,
    N_SERVICE_BUS,
    REBUS,
    WOLVERINE,
    BRIGHTER,
    FAST_ENDPOINTS,
    SLIM_MESSAGE_BUS,
    EASY_NET_Q,
    ABP,
    FOUNDATIO,
    MVVM_TOOLKIT,
)
HANDLE_DERIVED: Final = frozenset(each.name for each in FRAMEWORKS if each.handles_derived)
BY_CONVENTION: Final = (WOLVERINE, FOUNDATIO)
"""Those that find handlers by the names of types and methods."""
BASES: Final[Mapping[str, tuple[Framework, ...]]] = {
    "AsyncNotificationHandler": (MEDIATR,),
    "AsyncRequestHandler": (MEDIATR,),
    "IAmInitiatedBy": (REBUS,),
    "IAmStartedByMessages": (N_SERVICE_BUS,),
    "ICommandHandler": (MEDIATOR, FAST_ENDPOINTS),
    "IConsume": (EASY_NET_Q,),
    "IConsumeAsync": (EASY_NET_Q,),
    "IConsumer": (MASS_TRANSIT, SLIM_MESSAGE_BUS),
    "IDistributedEventHandler": (ABP,),
    "IEventHandler": (FAST_ENDPOINTS,),
    "IHandleMessages": (N_SERVICE_BUS, REBUS),
    "IHandleRequests": (BRIGHTER,),
    "IHandleRequestsAsync": (BRIGHTER,),
    "IHandleTimeouts": (N_SERVICE_BUS,),
    "IJobConsumer": (MASS_TRANSIT,),
    "ILocalEventHandler": (ABP,),
    "INotificationHandler": (MEDIATR, MEDIATOR),
    "IQueryHandler": (MEDIATOR,),
    "IRecipient": (MVVM_TOOLKIT,),
    "IRequestHandler": (MEDIATR, MEDIATOR, SLIM_MESSAGE_BUS),
    "IStreamCommandHandler": (MEDIATOR,),
    "IStreamQueryHandler": (MEDIATOR,),
    "IStreamRequestHandler": (MEDIATR, MEDIATOR),
    "NotificationHandler": (MEDIATR,),
    "RequestHandler": (MEDIATR, BRIGHTER),
    "RequestHandlerAsync": (BRIGHTER,),
}
"""By the simple name of a base type whose first type argument is the message, and whose second, if any, the response."""
STATE_MACHINE: Final = "MassTransitStateMachine"
"""MassTransit's base class of sagas: properties of the type ``EVENT`` name the messages, the constructor says what is done with each."""
EVENT: Final = "Event"
_OWN: Final = re.compile(r"I(?:[A-Z]\w*)?(?:Handler|Consumer)|IHandle(?:[A-Z]\w*)?|IExecute")
OWN_BASES: Final = ("*Handler", "*Consumer", "IHandle*", "IExecute")
"""Names of the interfaces of buses that are none of these, as extractors ask for them."""
PLATFORM: Final = (
    "System.",
    *(
        f"Microsoft.{each}."
        for each in ("AspNetCore", "CodeAnalysis", "Data", "EntityFrameworkCore", "Extensions", "IdentityModel")
    ),
)
"""Namespaces of .NET and its frameworks: nothing in them is a message or handles one."""


def framework_of(base: BoundType, project: Project | None, results: Container[str]) -> Framework | None:
    """Of a base type that one of the frameworks declares. One that was not found is taken for that of the framework whose package the
    project names, else for that of the one whose methods give one of ``results``, else for that of the first one."""
    frameworks = BASES.get(base.name)
    if frameworks is None or not base.arguments:
        return None
    if base.form is TypeForm.NAMED:
        return next((each for each in frameworks if is_in(full_name(base), each)), None)
    named = next((each for each in frameworks if uses(project, each)), None)
    return named or next((each for each in frameworks if each.result in results), frameworks[0])


def is_in(name: str, framework: Framework) -> bool:
    """Whether a qualified name is in a framework's namespace."""
    return name.startswith(f"{framework.namespace}.")


def uses(project: Project | None, framework: Framework) -> bool:
    """Ids of packages are compared without case, as NuGet does."""
    beginning = framework.package.lower()
    return project is not None and any(each.id.lower().startswith(beginning) for each in project.packages)


def is_own_interface(base: BoundType) -> bool:
    """``ICommandHandler<PlaceOrder>``, ``IHandle<OrderPlaced>``, declared by the repository or by a library that is none of these, or that
    was not found."""
    is_type = base.form in (TypeForm.NAMED, TypeForm.UNRESOLVED)
    is_named = is_type and bool(base.arguments) and _OWN.fullmatch(base.name) is not None
    return is_named and not full_name(base).startswith(PLATFORM)
