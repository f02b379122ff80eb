"""Which calls of libraries send messages, and what libraries run around those that handle them."""

from __future__ import annotations

from typing import Final

from codemap_core.model.documentation_id import type_id, type_ids
from codemap_core.model.meanings import Does, LibraryCalls, Meanings, RunsAround, TakenAround

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
        LibraryCalls(
            does=Does.SENDS,
            types=type_ids(
                "MassTransit.ConsumeContext",
                "MassTransit.RespondAsyncExecuteExtensions",
                "NServiceBus.IMessageProcessingContext",
                "NServiceBus.IMessageProcessingContextExtensions",
                "NServiceBus.Saga",
                "Rebus.Bus.IBus",
                "Wolverine.IMessageContext",
            ),
            names=("Reply", "Respond"),
        ),
        LibraryCalls(
            does=Does.SENDS,
            types=type_ids(
                "Mediator.ISender",
                "Mediator.IPublisher",
                "Azure.Messaging.ServiceBus.ServiceBusSender",
                "DotNetCore.CAP.ICapPublisher",
                "Volo.Abp.EventBus.IEventBus",
                "StackExchange.Redis.ISubscriber",
                "SlimMessageBus.IPublishBus",
                "SlimMessageBus.IRequestResponseBus",
                "EasyNetQ.IPubSub",
                "EasyNetQ.ISendReceive",
            ),
            names=("Send", "Publish"),
        ),
        LibraryCalls(
            does=Does.SENDS,
            types=type_ids(
                "RabbitMQ.Client.IModel",
                "RabbitMQ.Client.IModelExensions",
                "RabbitMQ.Client.IChannel",
                "RabbitMQ.Client.IChannelExtensions",
            ),
            names=("BasicPublish",),
        ),
        LibraryCalls(
            does=Does.SENDS,
            types=type_ids("Confluent.Kafka.IProducer`2", "MassTransit.ITopicProducer`1"),
            names=("Produce",),
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
    taken_around=(TakenAround(service=type_id("FluentValidation.IValidator`1"), method="#ctor"),),
)
