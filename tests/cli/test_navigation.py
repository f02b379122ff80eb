"""From symbol to symbol on the command line, and why a name means what it does."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone

SAMPLE = Path(__file__).parents[2] / "testdata" / "SampleSolution"
ENDPOINTS = "src/Brewline.Api/Endpoints/OrderEndpoints.cs"
SERVICE = "src/Brewline.Domain/Orders/OrderService.cs"
Run = Callable[..., CompletedProcess[str]]


def at(path: str, before: str, name: str) -> str:
    """The place of the ``name`` that follows the first ``before`` on its line."""
    for number, line in enumerate((SAMPLE / path).read_text(encoding="utf-8").splitlines(), 1):
        if before + name in line:
            return f"{path}:{number}:{line.index(before + name) + len(before) + 2}"
    raise AssertionError(before + name)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs ``codemap`` in a clone of the sample, which is indexed."""
    folder = tmp_path_factory.mktemp("navigation")
    (folder / "user").mkdir()
    clone = Clone(folder / "brewline")
    shutil.copytree(SAMPLE, clone.root, ignore=shutil.ignore_patterns("bin", "obj"), dirs_exist_ok=True)
    clone.commit()
    shell = Shell(folder / "data", folder / "user")
    shell("index", cwd=clone.root)

    def command(*arguments: str, fails: int = 0) -> CompletedProcess[str]:
        return shell(*arguments, cwd=clone.root, fails=fails)

    return command


def test_callers_through_the_interface_with_the_calling_line(run: Run) -> None:
    done = run("callers", "OrderService.PayAsync", "--follow-interface")
    assert "Brewline.Api.Endpoints.OrderEndpoints.PayAsync  " + ENDPOINTS in done.stdout
    assert "OrderResponse.Of(await service.PayAsync(id" in done.stdout
    assert "via IOrderService.PayAsync" in done.stdout
    assert "1 of them only through IOrderService.PayAsync" in done.stderr


def test_callees_form_a_tree(run: Run) -> None:
    lines = run("callees", "Order.Cancel", "--depth", "2").stdout.splitlines()
    assert lines[0].startswith("Brewline.Domain.Orders.Order.Cancel  src/")
    assert lines[1].startswith("  Brewline.Domain.Orders.Order.MoveTo  ")
    assert any(line.startswith("    Brewline.") for line in lines)


def test_references_with_kinds(run: Run) -> None:
    done = run("refs", "Order.Status", "--kind", "write")
    assert "write           src/Brewline.Domain/Orders/Order.Transitions.cs:60:9  in Order.MoveTo" in done.stdout
    assert "                Status = next;" in done.stdout
    assert "1 reference to Order.Status (write) in 1 file." in done.stderr
    answer = json.loads(run("refs", "T:System.IParsable`1", "--json").stdout)
    assert answer["data"]["external"] is True
    assert "types are not called" in run("callers", "OrderService", fails=2).stderr


def test_hierarchies(run: Run) -> None:
    lines = run("hierarchy", "OrderPaid").stdout.splitlines()
    assert lines[0].startswith("base        OrderEvent")
    assert any(line.startswith("inherits    Brewline.Domain.Shared.IDomainEvent") for line in lines)
    assert "derived     Brewline.Domain.Shared.DomainException" in run("hierarchy", "T:System.Exception").stdout


def test_explain_says_what_was_chosen_and_why_others_lost(run: Run) -> None:
    (place,) = json.loads(run("explain", at(ENDPOINTS, "repository.", "FindAsync"), "--json").stdout)
    (call,) = place["explanations"]
    assert call["kind"] == "call"
    assert call["target"].startswith("M:Brewline.Domain.Orders.IOrderRepository.FindAsync(")
    assert "member access" in call["rule"]
    shown = run("explain", at(ENDPOINTS, "orders.", "MapPost")).stdout
    chosen = [line for line in shown.splitlines() if line.startswith("  + ")]
    lost = [line for line in shown.splitlines() if line.startswith("  - ")]
    assert len(chosen) == 1
    assert "EndpointRouteBuilderExtensions.MapPost(" in chosen[0]
    assert lost
    assert all(": " in line for line in lost)
    assert "an extension member in Microsoft.AspNetCore.Builder.EndpointRouteBuilderExtensions" in shown


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ((SERVICE, "        ", "order.Submit"), "local  Brewline.Domain.Orders.Order"),
        ((SERVICE, "await ", "products.FindAsync"), "local  Brewline.Domain.Catalog.IProductRepository"),
        ((SERVICE, "ref ", "_lastId"), "a member of the enclosing type"),
        ((SERVICE, "new ", "Order("), "its constructor by overload resolution"),
        ((SERVICE, "async Task<Order> ", "PayAsync"), "an interface member that this member implements"),
        ((SERVICE, "order.", "MarkPaid"), "a member of Brewline.Domain.Orders.Order (member access"),
        ((ENDPOINTS, "=> ", "Results.Problem"), "a type of Microsoft.AspNetCore.Http, imported by"),
    ],
)
def test_explain_names_the_rule(run: Run, place: tuple[str, str, str], said: str) -> None:
    assert said in run("explain", at(*place)).stdout


def test_what_cannot_be_explained_says_why(run: Run) -> None:
    assert "write FILE:LINE:COLUMN" in run("explain", "Order.cs", fails=2).stderr
    assert "is not a source file" in run("explain", "src/Nowhere.cs:1:1", fails=2).stderr
    assert "there is no line 9000" in run("explain", f"{ENDPOINTS}:9000:1", fails=2).stderr
    assert "not compiled by a project 'X'" in run("explain", f"{ENDPOINTS}:8:9", "--project", "X", fails=2).stderr


def test_status_counts_what_could_not_be_said(run: Run) -> None:
    shown = run("status").stdout
    assert "failed files" in shown
    assert "unresolved" in shown
    quality = json.loads(run("status", "--json").stdout)["data"]["index"]["quality"]
    assert quality["failure_count"] == 0
    assert quality["files_by_status"]["clean"] > 40
