"""The two kinds of facts."""

from __future__ import annotations

from typing import Final

from codemap_core.model import FactKindInfo

HANDLER: Final = FactKindInfo(
    name="handler",
    title="Message handlers",
    value="Message → Handler|Framework",
    detail={
        "at": "line of the handling method's name; of the type's where it inherits the method",
        "request": "type of the message, a type parameter where every type is handled; of a function of Azure the queue, topic or hub, or "
        "its own name",
        "handler": "type that handles it; of a function of Azure the method",
        "framework": "MediatR, MassTransit and so on; the interface's name where it is the repository's own",
        "request_id": "symbol id of the message's type",
        "handler_id": "symbol id of the handling type or method",
        "response_id": "symbol id of the response's type",
    },
)
JOB: Final = FactKindInfo(
    name="job",
    title="Jobs",
    value="Job|Framework",
    detail={
        "at": "line of the running method's name; for Hangfire of the scheduling call's name",
        "framework": "HostedService, Quartz, Hangfire or AzureFunctions",
        "type_id": "symbol id of the type that runs",
        "method_id": "symbol id of the method that runs",
        "schedule": "cron expression, or what else says when",
        "call": "for Hangfire, the scheduling call",
        "job_id": "the name under which it is scheduled; of a function of Azure its own",
    },
)
