"""Registrations whose chain names the services, with the lifetime in the name of the call that begins it, as packages of extensions of
``IServiceCollection`` have them: ``services.AddSingletonAs<Orders>().As<IOrders>().AsOptional<IReadOrders>()``.

What is registered answers for itself too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import Event
from codemap_plugins.di_registration.chains import chain, whole_of
from codemap_plugins.di_registration.factories import made_by
from codemap_plugins.di_registration.registration import LIFETIMES, Form, Registration, named
from codemap_plugins.di_registration.roles import is_function
from codemap_plugins.di_registration.services import is_services

_LIFETIME_OF: Final = {f"Add{lifetime}As": lifetime for lifetime in LIFETIMES}
CALLS: Final = tuple(_LIFETIME_OF)
"""Names of the calls."""
_SERVICES: Final = ("As", "AsOptional")
"""Links of the chain that name a service."""


def registrations(index: int, event: Event, chains: Mapping[int, Sequence[int]], seen: Seen) -> Iterator[Registration]:
    """``chains``: of ``continued``. Nothing for methods of the repository's own, whose bodies say what they register."""
    document = seen.document
    if (event.target is not None and not event.external) or not is_services(event.receiver, document):
        return
    given = next((each.value for each in event.arguments), None)
    makes = given is not None and is_function(given)
    type_ = next(iter(event.type_arguments), None)
    if given is not None and type_ is None:
        type_ = made_by(given, document) if makes else given.type
    if type_ is None:
        return
    links = [document.events[each] for each in chain(index, chains)]
    itself = named(type_)
    form = Form.FACTORY if makes else Form.TYPE if given is None else Form.INSTANCE
    services = [named(each) for link in links if link.name in _SERVICES for each in link.type_arguments]
    for service in (itself, *services):
        yield Registration(
            event=event,
            whole=whole_of(event, links),
            service=service,
            implementation=itself,
            is_hidden=makes,
            lifetime=_LIFETIME_OF[event.name],
            form=form,
            method=event.name,
            is_beyond=True,
        )
