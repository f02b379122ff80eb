"""Tools that misbehave in every way a tool can. Laid out as a distribution of its own by ``conftest``."""

import os
import sys
import time
from collections.abc import Callable
from typing import Annotated, Any, NoReturn

from msgspec import Meta, Struct

from codemap_core.errors import NotFoundError
from codemap_core.hooks import hookimpl
from codemap_core.hooks.capabilities import REPOSITORIES, Capability, Repositories
from codemap_core.hooks.registry import Registry
from codemap_core.hooks.tool import LimitApplied, NextAction, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model import Evidence


class Text(Struct, forbid_unknown_fields=True, frozen=True):
    text: Annotated[str, Meta(description="Anything.")] = ""


class Number(Struct, forbid_unknown_fields=True, frozen=True):
    number: Annotated[int, Meta(description="How much.", ge=0)] = 1
    flag: bool = False
    words: tuple[str, ...] = ()


def echo(context: ToolContext, arguments: Text) -> ToolResult:
    return ToolResult(
        answer=f"toy.echo heard {arguments.text}",
        data={"text": arguments.text, "nothing": None},
        evidence=(Evidence("r", "a.cs", 1, 2),),
        next_actions=(NextAction("toy.count", "it counts", {"number": 2}),),
        limits_applied={"max_results": LimitApplied(1000, 100)},
    )


def count(context: ToolContext, arguments: Number) -> ToolResult:
    return ToolResult(answer="", data=[arguments.number, arguments.flag, list(arguments.words)])


def echo_number(context: ToolContext, arguments: Number) -> ToolResult:
    return ToolResult(answer="not shown", data={"number": arguments.number, "nothing": None, "text": "\x00"})


def wait(context: ToolContext, arguments: Number) -> ToolResult:
    end = time.monotonic() + arguments.number
    while time.monotonic() < end:
        time.sleep(0.02)
        context.check_cancelled()
    return ToolResult(answer="waited", data=None)


def hang(context: ToolContext, arguments: Number) -> ToolResult:
    time.sleep(arguments.number)
    return ToolResult(answer="hung", data=None)


here = 0
most = 0


def crowd(context: ToolContext, arguments: Number) -> ToolResult:
    """Works on when it is cancelled, and answers how many did so at once at most."""
    global here, most
    here += 1
    most = max(most, here)
    time.sleep(arguments.number / 1000)
    here -= 1
    return ToolResult(answer="", data=most)


def surrogate(context: ToolContext, arguments: Text) -> ToolResult:
    return ToolResult(answer="bad \udcff\x1b[31m", data={"pa\ud800th": "caf\udce9\x00"})


def leave(context: ToolContext, arguments: Text) -> NoReturn:
    sys.exit(3)


def interrupt(context: ToolContext, arguments: Text) -> NoReturn:
    raise KeyboardInterrupt


def recurse(context: ToolContext, arguments: Text) -> ToolResult:
    return recurse(context, arguments)


def fail(context: ToolContext, arguments: Text) -> NoReturn:
    raise NotFoundError("toy.fail: no such \udcff thing", name=arguments.text)


def boom(context: ToolContext, arguments: Text) -> NoReturn:
    raise ValueError("boom \udcff")


def wrong(context: ToolContext, arguments: Text) -> Any:
    return {"not": "a result"}


def huge(context: ToolContext, arguments: Number) -> ToolResult:
    return ToolResult(answer="", data="x" * arguments.number)


def chatter(context: ToolContext, arguments: Text) -> ToolResult:
    print("to standard output")  # noqa: T201 - what is tested
    os.write(1, b"to descriptor 1\n")
    os.system("echo from a child")
    return ToolResult(answer=repr(sys.stdin.read()), data=None)


def ask(context: ToolContext, arguments: Text) -> ToolResult:
    """The root of the repository; with any text, something that no server offers."""
    capability: Capability[Repositories] = Capability("dreams") if arguments.text else REPOSITORIES
    return ToolResult(answer=str(context.ask(capability).repository().root), data=None)


def write(context: ToolContext, arguments: Text) -> ToolResult:
    return ToolResult(answer="written", data=None)


def tool(run: Callable[[ToolContext, Any], Any], arguments: type[Struct], **options: Any) -> Tool:
    return Tool(
        name=f"toy.{run.__name__}",
        title=run.__name__.title(),
        description=f"Toy: {run.__name__}. See also toy.echo.",
        arguments=arguments,
        run=run,
        **options,
    )


READERS = (echo, fail, boom, surrogate, leave, interrupt, recurse, wrong, chatter, ask)
TOY = ToolFamily(
    name="toy",
    title="Toys",
    tools=(
        *(tool(run, Text) for run in READERS),
        *(tool(run, Number) for run in (count, wait, hang, huge, crowd)),
        tool(write, Text, read_only=False, idempotent=False),
    ),
)


def remark(context: ToolContext, arguments: Number) -> ToolResult:
    return ToolResult(answer="not shown", data={}, notes=("Half of it \x1b is missing.", "So is this."))


class Own:
    """A contract of its own."""

    def answer(self, tool: str, result: ToolResult) -> Any:
        return {"ok": True, "tool": tool, **result.data}

    def error(self, tool: str, error: Exception) -> Any:
        return {"ok": False, "tool": tool, "what": type(error).__name__}


OWN = ToolFamily(
    name="own",
    title="Tools with a contract of their own",
    tools=tuple(
        Tool(name=f"mcp__own__{run.__name__}", title="", description="Own.", arguments=Number, run=run)
        for run in (echo_number, boom, remark)
    ),
    on_request=True,
    contract=Own(),
    instructions="Hear a number with mcp__own__echo_number.",
)


@hookimpl
def codemap_register_tool_families(registry: Registry[ToolFamily]) -> None:
    registry.add(TOY)
    registry.add(OWN)
