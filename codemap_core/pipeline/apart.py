"""Questions to plug-ins that are put in the main process, which must outlive the answer: those that are not built in answer in a process of
their own, where one can be forked.

What they change in their own objects while they answer is not seen afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from codemap_core.forking import can_fork
from codemap_core.hooks.contracts import FrontEnd, LanguageFrontEnd, Universe
from codemap_core.hooks.registry import Owner
from codemap_core.pipeline.guard import PLUGIN_FAULTS, ExtractionFailure, failure, failure_of, plugin_call
from codemap_core.pipeline.workers import run_alone

_KILLED: Final = "it ended its process"
Answered = tuple[bytes, ExtractionFailure | None]
"""What was answered, encoded; or nothing, and the fault."""


def asked_apart(owner: Owner, name: str, ask: Callable[[], bytes], where: str = "") -> Answered:
    """What ``ask`` answers, with one call into the plug-in. ``name``: of the item that is asked; ``where``: the method, which is named
    where the process ends."""

    def answer(_: Sequence[None]) -> list[Answered]:
        try:
            with plugin_call(owner):
                return [(ask(), None)]
        except PLUGIN_FAULTS as error:
            return [(b"", failure_of(owner, name, "", error))]

    if owner.built_in or not can_fork():
        return answer(())[0]
    try:
        found = run_alone(answer, None)
    except (OSError, MemoryError):  # no process can be had, or none with the memory that it takes
        return b"", failure(owner, name, "", "there is no process for it, or not enough memory")
    said = f"{_KILLED} in {where}" if where else _KILLED
    return (b"", failure(owner, name, "", said)) if found is None else found


def declare(front_end: LanguageFrontEnd, owner: Owner, universe: Universe) -> tuple[Any, ExtractionFailure | None]:
    """A front end's table, or what was wrong."""
    if is_default(front_end, "declare"):
        return universe, None
    return table_of(front_end, owner, lambda: front_end.declare(universe), "declare")


def is_default(front_end: LanguageFrontEnd, method: str) -> bool:
    """Whether a method is that of ``FrontEnd``."""
    return getattr(getattr(front_end, method), "__func__", None) is getattr(FrontEnd, method)


def table_of(
    front_end: LanguageFrontEnd, owner: Owner, make: Callable[[], Any], where: str
) -> tuple[Any, ExtractionFailure | None]:
    """What ``make`` makes, which no process can hand to another: of a plug-in that is not built in it is made twice, in a process of its
    own first."""
    if not owner.built_in and can_fork():

        def tried() -> bytes:
            make()
            return b""

        _, fault = asked_apart(owner, front_end.name, tried, where)
        if fault is not None:
            return None, fault
    try:
        with plugin_call(owner):
            return make(), None
    except PLUGIN_FAULTS as error:
        return None, failure_of(owner, front_end.name, "", error)
