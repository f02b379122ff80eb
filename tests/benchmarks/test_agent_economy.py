"""The tasks can be read, and an answer that lacks what a task lists is seen to lack it."""

from __future__ import annotations

from tests.benchmarks.agent_economy import TASKS, missing_from, read_tasks, served_arguments

ANSWER = """2 writes of Order.Total in 2 files
src/Shop/Order.cs
  42:9   Order.Submit  Total += line.Price;
src/Shop/Import.cs
  12:22  Importer.Read  Total = row.Total
src/Shop/Other.cs:7 Other.Run
src/Shop/Late .cs
  5  .Run
"""


def test_the_tasks_are_many_and_of_several_repositories() -> None:
    tasks = read_tasks(TASKS)
    assert len(tasks) >= 25
    assert len({task.repository for task in tasks}) == 3
    assert all(task.calls and task.commands and task.holds for task in tasks)
    assert len({task.name for task in tasks}) == len(tasks)


def test_a_place_is_looked_for_below_its_own_file() -> None:
    assert (
        missing_from(
            ANSWER, ["src/Shop/Order.cs:42", "src/Shop/Import.cs:12", "src/Shop/Other.cs:7", "src/Shop/Late .cs:5"]
        )
        == ()
    )
    assert missing_from(ANSWER, ["src/Shop/Order.cs:12", "Order.Cancel"]) == ("src/Shop/Order.cs:12", "Order.Cancel")


def test_the_measured_server_is_started_as_clients_start_it() -> None:
    assert served_arguments()[:3] == ["serve", "--format", "text"]
