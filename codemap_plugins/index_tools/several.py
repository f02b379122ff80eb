"""Several symbols in one call: what ``symbols`` names, found one by one; what cannot be found is said and costs nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta
from msgspec.structs import replace

from codemap_core.config import HARD_CAPS
from codemap_core.errors import AmbiguousError, CodeMapError, InvalidArgumentError, NotFoundError
from codemap_core.model.counting import counted
from codemap_core.model.documentation_id import split_outside
from codemap_core.toolkit.arguments import AS_TEXT, SymbolArguments, find_target

if TYPE_CHECKING:
    from codemap_core.model import SymbolRow
    from codemap_core.queries.snapshot import Snapshot

MOST_SYMBOLS = 20


class SeveralArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One symbol, or several at once, in a list or with commas between them."""

    symbols: Annotated[tuple[str, ...], Meta(extra_json_schema=AS_TEXT)] = ()


def each_of(arguments: SeveralArguments) -> tuple[SymbolArguments, ...]:
    """The arguments for each symbol that was named, each once. Raises: InvalidArgumentError for more than can be asked for."""
    # Commas between parameters are not commas between symbols.
    asked = (text for each in arguments.symbols for text in split_outside(each, ","))
    named = tuple(dict.fromkeys(text for text in map(str.strip, asked) if text))
    if len(named) > MOST_SYMBOLS:
        raise InvalidArgumentError(
            f"symbols names {counted(len(named), 'symbol')}; the maximum is {MOST_SYMBOLS}. Ask in several calls."
        )
    one = (arguments.symbol, arguments.symbol_id, arguments.name)
    single = (replace(arguments, symbols=()),) if any(text.strip() for text in one) or not named else ()
    further = (replace(arguments, symbols=(), symbol=text, symbol_id="", name="") for text in named if text not in one)
    return (*single, *further)


def find_declared(snapshot: Snapshot, arguments: SeveralArguments) -> tuple[list[SymbolRow], tuple[str, ...]]:
    """The declarations that were asked for, all overloads of an overloaded name, and a note for each name that is not one. Raises:
    InvalidArgumentError, NotFoundError or AmbiguousError when nothing that was asked for can be found."""
    from codemap_core.queries.names.declaring_projects import Standpoint, nearest_declarations
    from codemap_core.queries.names.symbol_candidates import on_one_line

    found: dict[str, SymbolRow] = {}
    problems: list[CodeMapError] = []
    for asked in each_of(arguments):
        try:
            target = find_target(snapshot, asked)
        except (AmbiguousError, NotFoundError) as error:
            problems.append(error)
            continue
        if target.symbol is None:
            problems.append(
                NotFoundError(
                    f"{target.display_name} is a library's: its source is not in the repository.",
                    symbol_id=target.symbol_id,
                )
            )
            continue
        if target.overloads:
            overloads = target.overloads[: HARD_CAPS.max_results]
            found.update(nearest_declarations(snapshot, dict.fromkeys(overloads, Standpoint.of(target.symbol))))
        else:
            found[target.symbol_id] = target.symbol
    if problems and not found:
        raise problems[0]
    return list(found.values()), tuple(map(on_one_line, problems))
