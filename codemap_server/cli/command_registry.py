"""How commands are made: options that belong together are one struct, errors end a command in one way, help is plain text.

A command is a function; a parameter whose type is a ``msgspec.Struct`` stands for a group of options, one for each field, so that
every command spells them alike. A group may hold other groups. The function gets the struct.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Final, get_type_hints

import msgspec
import typer
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from codemap_core.errors import CancelledError, CodeMapError, ErrorCode
from codemap_server.cli.help_text import Command
from codemap_server.cli.messages import in_words
from codemap_server.cli.terminal import fail

NOTHING_FOUND: Final = 1
"""Exit code of a question that was understood and has no answer, and of a check that found problems; as ripgrep has it."""
FAILED: Final = 2
"""Exit code of everything that could not be carried out as it was written."""
INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as shells have it."""
_NARROWING: Final = ("kind", "symbol_kind", "file", "namespace", "project")
"""Parameters that narrow what a name means."""
_ASKED_FOR: Final = frozenset({"name", "symbol_id", "route"})
"""Details of an error that is about a symbol or route which does not exist."""


def add_command(app: typer.Typer, name: str, function: Callable[..., None], panel: str, **settings: Any) -> None:
    """Registers ``function`` with its groups spread out, under a heading of the root's help."""
    app.command(name, rich_help_panel=panel, cls=Command, **settings)(_command(function))


def exit_code_of(error: CodeMapError) -> int:
    if isinstance(error, CancelledError):
        return INTERRUPTED
    is_missing = error.code is ErrorCode.NOT_FOUND and not _ASKED_FOR.isdisjoint(error.details)
    return NOTHING_FOUND if is_missing else FAILED


def error_object(error: CodeMapError) -> str:
    """An error as ``--json`` prints it: the contract's error object."""
    said = {
        "code": error.code.value,
        "message": error.message,
        "details": dict(error.details),
        "retryable": error.retryable,
    }
    return msgspec.json.encode(said, enc_hook=str).decode()


def _command(function: Callable[..., None]) -> Callable[..., None]:
    signature = inspect.signature(function, eval_str=True)
    groups: dict[str, type[Struct]] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        kind = parameter.annotation
        if _is_group(kind):
            groups[parameter.name] = kind
            parameters += _spread(kind)
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))

    spelt = {parameter.name: f"--{parameter.name.replace('_', '-')}" for parameter in parameters}
    of_references = "symbol_kind" in spelt  # then --kind is a kind of reference
    narrowing = [spelt[name] for name in _NARROWING if name in spelt and not (of_references and name == "kind")]

    @functools.wraps(function)
    def run(**given: Any) -> None:
        json = bool(given.get("json")) or str(given.get("format", "")) == "json"
        arguments = {name: _gathered(group, given) for name, group in groups.items()}
        try:
            function(**given, **arguments)
        except CodeMapError as error:
            if json:
                typer.echo(error_object(error))
            else:
                fail(in_words(error, narrowing))
            raise typer.Exit(exit_code_of(error)) from None

    vars(run)["__signature__"] = inspect.Signature(parameters)
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _spread(group: type[Struct]) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    parameters: list[inspect.Parameter] = []
    for field in fields(group):
        kind = hints[field.name]
        if _is_group(kind):
            parameters += _spread(kind)
        else:
            default = inspect.Parameter.empty if field.default is NODEFAULT else field.default
            parameters.append(
                inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
            )
    return parameters


def _gathered(group: type[Struct], given: dict[str, Any]) -> Struct:
    """The group with what was given for its fields, which is taken out of ``given``."""
    hints = get_type_hints(group)
    return group(
        **{
            field.name: _gathered(hints[field.name], given) if _is_group(hints[field.name]) else given.pop(field.name)
            for field in fields(group)
        }
    )


def _is_group(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)
