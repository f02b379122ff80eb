"""What the tools ask of the server: the repository it stands in, its checkout and its index. The contract has no argument that names a
repository or a commit, so there is one of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemap_core.errors import InvalidArgumentError, NotFoundError
from codemap_core.hooks.tool import ToolContext
from codemap_plugins.codeagent.failures import EngineUnavailableError

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.repository import Repository
    from codemap_plugins.codeagent.checkout import Checkout


def repository_of(context: ToolContext) -> Repository:
    """Raises: EngineUnavailableError when the server stands in none."""
    try:
        return context.repository()
    except (InvalidArgumentError, NotFoundError) as error:
        raise EngineUnavailableError(
            "The server does not stand in a git repository. Start it in one, or name one: codemap serve PATH."
        ) from error


def checkout_of(context: ToolContext) -> Checkout:
    """The files of the work tree. Raises: EngineUnavailableError when there is none."""
    from codemap_plugins.codeagent.checkout import Checkout

    repository = repository_of(context)
    if repository.is_bare:
        raise EngineUnavailableError("The repository is bare: it has no files that are checked out.")
    return Checkout(repository.root)


def snapshot_of(context: ToolContext) -> Snapshot:
    """The index that answers. Raises: EngineUnavailableError, IndexNotAvailableError."""
    repository_of(context)
    return context.snapshot()
