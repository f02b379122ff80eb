"""Requests of applications that everybody can read, traced and compared with what was read in their source, line by line: what leads to
a table, a message or an effect, and what runs around a handler.

``CODEMAP_TRACED`` names a folder with a work tree for each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from codemap_core.model import FactKind
from codemap_core.queries.dispatch.implementations import Basis
from codemap_core.queries.plain_lines import short_name
from codemap_core.queries.views.trace import EFFECT, FeatureTraceResponse, TraceNode

CODEMAP = str(Path(sys.executable).with_name("codemap"))
ROOT = Path(os.environ.get("CODEMAP_TRACED", ""))
TOLD = frozenset({FactKind.DB_TABLE.value, FactKind.CONFIG.value, EFFECT})

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not os.environ.get("CODEMAP_TRACED"), reason="needs CODEMAP_TRACED"),
]


class Answer(msgspec.Struct):
    data: FeatureTraceResponse


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def outline(home: Path, repository: str, entry_point: str) -> str:
    def run(*arguments: str) -> bytes:
        return subprocess.run(
            [CODEMAP, *arguments],
            check=True,
            capture_output=True,
            env={**os.environ, "CODEMAP_HOME": str(home), "CODEMAP_MACHINE_LIBRARIES": "0"},
        ).stdout

    run("index", str(ROOT / repository), "--quiet")
    said = run("trace", entry_point, str(ROOT / repository), "--depth", "6", "--all", "--json")
    found = msgspec.json.decode(said, type=Answer).data
    return "\n".join(line for node in found.nodes for line in drawn(node, 0))


def drawn(node: TraceNode, level: int) -> Iterator[str]:
    if not level or leads_to_something(node):
        said = dict.fromkeys(each.value for each in node.annotations if each.kind in TOLD)
        called = f"{node.called_at} " if node.called_at else ""
        yield f"{'  ' * level}{called}{short_name(node.symbol_id)}{mark(node)}{' → ' if said else ''}{', '.join(said)}"
        for child in node.children:
            yield from drawn(child, level + 1)


def leads_to_something(node: TraceNode) -> bool:
    own = bool(mark(node)) or any(each.kind in TOLD for each in node.annotations)
    return own or any(leads_to_something(child) for child in node.children)


def mark(node: TraceNode) -> str:
    if node.via is None or node.basis not in (None, Basis.AROUND):
        return ""
    return f" ({'handles' if node.basis is None else 'around'} {short_name(node.via)})"


CASES = {
    ("eShop", "POST /api/orders"): """\
        OrdersApi.CreateOrderAsync
          155 LoggingBehavior.Handle (around IdentifiedCommand)
          155 ValidatorBehavior.Handle (around IdentifiedCommand)
          155 TransactionBehavior.Handle (around IdentifiedCommand)
            47 OrderingContext.CommitTransactionAsync → saves changes to the database
            52 OrderingIntegrationEventService.PublishEventsThroughEventBusAsync
              15 IntegrationEventLogService.RetrieveEventLogsPendingToPublishAsync → IntegrationEventLog
              23 IntegrationEventLogService.MarkEventAsInProgressAsync
                53 IntegrationEventLogService.UpdateEventStatus → saves changes to the database, IntegrationEventLog
              24 RabbitMQEventBus.PublishAsync → sends a message by IChannel.BasicPublishAsync
          155 IdentifiedCommandHandler.Handle (handles IdentifiedCommand)
            41 RequestManager.ExistAsync → ordering.requests
            48 RequestManager.CreateRequestForCommandAsync → saves changes to the database, ordering.requests
            87 CreateOrderCommandValidator.CreateOrderCommandValidator (around CreateOrderCommand)
            87 CreateOrderCommandHandler.Handle (handles CreateOrderCommand)
              32 OrderStartedIntegrationEventHandler.Handle (handles OrderStartedIntegrationEvent)
                14 RedisBasketRepository.DeleteBasketAsync → writes a data store by IDatabaseAsync.KeyDeleteAsync
              33 OrderingIntegrationEventService.AddAndSaveEventAsync
                40 IntegrationEventLogService.SaveEventAsync → saves changes to the database, IntegrationEventLog
              40 Order.Order
                63 Order.AddOrderStartedDomainEvent
                  177 ValidateOrAddBuyerAggregateWhenOrderStartedDomainEventHandler.Handle (handles OrderStartedDomainEvent)
                    23 BuyerRepository.FindAsync → ordering.buyers
                    44 BuyerRepository.Add → ordering.buyers
                    50 OrderStatusChangedToSubmittedIntegrationEventHandler.Handle (handles OrderStatusChangedToSubmittedIntegrationEvent)
              49 OrderRepository.Add → ordering.orders
              51 OrderingContext.SaveEntitiesAsync → saves changes to the database
                55 MediatorExtension.DispatchDomainEventsAsync → sends a message by IMediator.Publish""",
    ("eShopOnWeb", "POST /Basket/Checkout"): """\
        CheckoutModel.OnPost
          48 CheckoutModel.SetBasketModelAsync
            75 BasketViewModelService.GetOrCreateBasketForUser → Baskets
              35 BasketViewModelService.CreateBasketForUser → Baskets
              37 BasketViewModelService.Map
                83 BasketViewModelService.GetBasketItems → Catalog
          56 BasketService.SetQuantities → Baskets
          57 OrderService.CreateOrderAsync → Orders, Baskets, Catalog
            44 UriComposer.ComposePicUri → CatalogBaseUrl
          58 BasketService.DeleteBasketAsync → Baskets""",
    ("eShopOnWeb", "GET /order/myorders"): """\
        OrderController.MyOrders
          26 GetMyOrdersHandler.Handle (handles GetMyOrders) → Orders""",
    ("eShopOnWeb", "POST /api/catalog-items"): """\
        CreateCatalogItemEndpoint.AddRoute
          33 CreateCatalogItemEndpoint.HandleAsync → Catalog
            70 UriComposer.ComposePicUri → CatalogBaseUrl""",
    ("modular-monolith-with-ddd", "PATCH /userAccess/userregistrations/{userRegistrationId}/confirm"): """\
        UserRegistrationsController.ConfirmRegistration
          45 RegistrationsModule.ExecuteCommandAsync
            18 CommandsExecutor.Execute → sends a message by IMediator.Send
          45 LoggingCommandHandlerDecorator.Handle (around ConfirmUserRegistrationCommand)
          45 ValidationCommandHandlerDecorator.Handle (around ConfirmUserRegistrationCommand)
          45 UnitOfWorkCommandHandlerDecorator.Handle (around ConfirmUserRegistrationCommand) → registrations.InternalCommands
            39 UnitOfWork.CommitAsync → saves changes to the database
              23 DomainEventsDispatcher.DispatchEventsAsync → sends a message by IMediator.Publish
                80 OutboxAccessor.Add → registrations.OutboxMessages
          45 ConfirmUserRegistrationCommandHandler.Handle (handles ConfirmUserRegistrationCommand)
            18 UserRegistrationRepository.GetByIdAsync → registrations.UserRegistrations
            20 UserRegistration.Confirm
              86 DomainEventsDispatcherNotificationHandlerDecorator.Handle (around UserRegistrationConfirmedNotification)
              86 UserRegistrationConfirmedNotificationHandler.Handle (handles UserRegistrationConfirmedNotification)
                23 UserRegistrationProvider.GetById → registrations.v_UserRegistrations
                27 UserAccessGateway.Create
                  24 UserAccessModule.ExecuteCommandAsync
                    18 CommandsExecutor.Execute → sends a message by IMediator.Send
                  24 LoggingCommandHandlerDecorator.Handle (around CreateUserCommand)
                  24 ValidationCommandHandlerDecorator.Handle (around CreateUserCommand)
                  24 UnitOfWorkCommandHandlerDecorator.Handle (around CreateUserCommand) → users.InternalCommands
                  24 CreateUserCommandHandler.Handle (handles CreateUserCommand)
                    25 UserRepository.AddAsync → users.Users""",
    ("eShop", "PUT /api/catalog/items/{id:int}"): """\
        CatalogApi.UpdateItem → Catalog, saves changes to the database
          350 ProductPriceChangedIntegrationEventHandler.Handle (handles ProductPriceChangedIntegrationEvent)
          353 CatalogIntegrationEventService.SaveEventAndCatalogContextChangesAsync → saves changes to the database
            38 IntegrationEventLogService.SaveEventAsync → saves changes to the database, IntegrationEventLog
          356 CatalogIntegrationEventService.PublishThroughEventBusAsync
            17 IntegrationEventLogService.MarkEventAsInProgressAsync
              53 IntegrationEventLogService.UpdateEventStatus → saves changes to the database, IntegrationEventLog
            18 RabbitMQEventBus.PublishAsync → sends a message by IChannel.BasicPublishAsync""",
    ("modular-monolith-with-ddd", "POST /userAccess/userregistrations"): """\
UserRegistrationsController.RegisterNewUser
  28 RegistrationsModule.ExecuteCommandAsync
    13 CommandsExecutor.Execute → sends a message by IMediator.Send
  28 LoggingCommandHandlerWithResultDecorator.Handle (around RegisterNewUserCommand)
  28 ValidationCommandHandlerWithResultDecorator.Handle (around RegisterNewUserCommand)
  28 UnitOfWorkCommandHandlerWithResultDecorator.Handle (around RegisterNewUserCommand) → registrations.InternalCommands
    39 UnitOfWork.CommitAsync → saves changes to the database
      23 DomainEventsDispatcher.DispatchEventsAsync → sends a message by IMediator.Publish
        80 OutboxAccessor.Add → registrations.OutboxMessages
  28 RegisterNewUserCommandHandler.Handle (handles RegisterNewUserCommand)
    23 UserRegistration.RegisterNewUser
      43 UserRegistration.UserRegistration
        55 Entity.CheckRule
          30 UserLoginMustBeUniqueRule.IsBroken
            16 UsersCounter.CountUsersWithLogin → registrations.v_UserRegistrations
        67 DomainEventsDispatcherNotificationHandlerDecorator.Handle (around NewUserRegisteredNotification)
        67 NewUserRegisteredEnqueueEmailConfirmationHandler.Handle (handles NewUserRegisteredNotification)
          18 CommandsScheduler.EnqueueAsync → registrations.InternalCommands
          18 LoggingCommandHandlerDecorator.Handle (around SendUserRegistrationConfirmationEmailCommand)
          18 ValidationCommandHandlerDecorator.Handle (around SendUserRegistrationConfirmationEmailCommand)
          18 UnitOfWorkCommandHandlerDecorator.Handle (around SendUserRegistrationConfirmationEmailCommand) → registrations.InternalCommands
          18 SendUserRegistrationConfirmationEmailCommandHandler.Handle (handles SendUserRegistrationConfirmationEmailCommand)
            27 EmailSender.SendEmail → app.Emails
        67 NewUserRegisteredPublishEventHandler.Handle (handles NewUserRegisteredNotification)
          18 NewUserRegisteredIntegrationEventHandler.Handle (handles NewUserRegisteredIntegrationEvent)
            19 CommandsScheduler.EnqueueAsync → administration.InternalCommands
            19 LoggingCommandHandlerWithResultDecorator.Handle (around CreateMemberCommand)
            19 ValidationCommandHandlerWithResultDecorator.Handle (around CreateMemberCommand)
            19 UnitOfWorkCommandHandlerWithResultDecorator.Handle (around CreateMemberCommand) → administration.InternalCommands
            19 CreateMemberCommandHandler.Handle (handles CreateMemberCommand)
          18 NewUserRegisteredIntegrationEventHandler.Handle (handles NewUserRegisteredIntegrationEvent)
            18 CommandsScheduler.EnqueueAsync → meetings.InternalCommands
            18 LoggingCommandHandlerDecorator.Handle (around CreateMemberCommand)
            18 ValidationCommandHandlerDecorator.Handle (around CreateMemberCommand)
            18 UnitOfWorkCommandHandlerDecorator.Handle (around CreateMemberCommand) → meetings.InternalCommands
            18 CreateMemberCommandHandler.Handle (handles CreateMemberCommand)
          18 NewUserRegisteredIntegrationEventHandler.Handle (handles NewUserRegisteredIntegrationEvent)
            18 CommandsScheduler.EnqueueAsync → payments.InternalCommands
            18 LoggingCommandHandlerWithResultDecorator.Handle (around CreatePayerCommand)
            18 ValidationCommandHandlerWithResultDecorator.Handle (around CreatePayerCommand)
            18 UnitOfWorkCommandHandlerWithResultDecorator.Handle (around CreatePayerCommand)
            18 CreatePayerCommandHandler.Handle (handles CreatePayerCommand)
    32 UserRegistrationRepository.AddAsync → registrations.UserRegistrations""",
}


@pytest.mark.parametrize(("repository", "entry_point"), CASES)
def test_a_request_is_told_as_its_source_has_it(home: Path, repository: str, entry_point: str) -> None:
    assert outline(home, repository, entry_point) == textwrap.dedent(CASES[repository, entry_point])
