"""What ends its process: a project loader where it finds a certain file, an extractor where it reads a certain word, and tools. Laid out as
a distribution of its own by ``test_live_failures`` and ``test_guardian``."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from msgspec import Struct

from codemap_core.hooks import hookimpl
from codemap_core.hooks.extractors import Seen
from codemap_core.hooks.interests import Interests
from codemap_core.hooks.registry import Registry
from codemap_core.hooks.tool import Tool, ToolContext, ToolFamily
from codemap_core.model import FactRow, ProjectGraph


class EndingLoader:
    name = "ending"

    def load(self, files: Any, solution: str | None) -> ProjectGraph:
        if files.exists("end.process"):
            os._exit(3)
        return ProjectGraph()


class EndingFacts:
    """A fact for each file; ``EndProcess``, ``EndNever`` and ``EndMemory`` in it do as they say."""

    name = "ending"
    language = "csharp"
    interests = Interests(text=True)
    kinds = ("ending",)

    def extract(self, seen: Seen) -> Iterator[FactRow]:
        text = seen.text or ""
        if "EndProcess" in text:
            os._exit(3)
        if "EndNever" in text:
            time.sleep(3600)
        if "EndMemory" in text:
            held = []
            while True:
                held.append(bytes(1 << 28))  # which takes addresses, and no memory
        yield FactRow(kind="ending", value="read", file_path=seen.file_path, line_start=1, line_end=1)


class Nothing(Struct, forbid_unknown_fields=True, frozen=True):
    pass


def leave(context: ToolContext, arguments: Nothing) -> NoReturn:
    os._exit(3)


def crash(context: ToolContext, arguments: Nothing) -> NoReturn:
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError


def tool(run: Callable[[ToolContext, Any], Any]) -> Tool:
    return Tool(name=f"ending.{run.__name__}", title="", description="Ends its process.", arguments=Nothing, run=run)


@hookimpl
def codemap_register_fact_extractors(registry: Registry[Any]) -> None:
    registry.add(EndingFacts())


@hookimpl
def codemap_register_tool_families(registry: Registry[Any]) -> None:
    registry.add(ToolFamily(name="ending", title="Ends", tools=(tool(leave), tool(crash))))


@hookimpl
def codemap_register_project_loaders(registry: Registry[Any]) -> None:
    registry.add(EndingLoader())
