"""Which calls of libraries send messages, and what libraries run around those that handle them."""

from __future__ import annotations

from typing import Final

from codemap_core.model.documentation_id import type_id, type_ids
from codemap_core.model.meanings import Does, LibraryCalls, Meanings, RunsAround

_REQUESTS: Final = type_ids("MediatR.IRequestHandler`1", "MediatR.IRequestHandler`2")

MESSAGES: Final = Meanings(
    name="messages",
    calls=(
        LibraryCalls(
            does=Does.SENDS,
            types=type_ids(
                "MediatR.ISender",
                "MediatR.IPublisher",
                "MediatR.IMediator",
                "MassTransit.IPublishEndpoint",
                "MassTransit.ISendEndpoint",
                "NServiceBus.IMessageSessionExtensions",
                "NServiceBus.IPipelineContextExtensions",
                "Wolverine.IMessageBus",
                "Rebus.Bus.IBus",
            ),
            names=("Send", "Publish", "Invoke", "Defer", "Schedule"),
        ),
    ),
    around=(
        RunsAround(service=type_id("MediatR.IPipelineBehavior`2"), handlers=_REQUESTS, method="Handle"),
        RunsAround(
            service=type_id("MediatR.IStreamPipelineBehavior`2"),
            handlers=type_ids("MediatR.IStreamRequestHandler`2"),
            method="Handle",
        ),
        RunsAround(service=type_id("MediatR.Pipeline.IRequestPreProcessor`1"), handlers=_REQUESTS, method="Process"),
        RunsAround(service=type_id("MediatR.Pipeline.IRequestPostProcessor`2"), handlers=_REQUESTS, method="Process"),
        RunsAround(
            service=type_id("Mediator.IPipelineBehavior`2"),
            handlers=type_ids("Mediator.IRequestHandler`2", "Mediator.ICommandHandler`2", "Mediator.IQueryHandler`2"),
            method="Handle",
        ),
    ),
)
