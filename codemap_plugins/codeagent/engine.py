"""What the tools ask of the server: the repository it stands in, its checkout and its index. The contract has no argument that names a
repository or a commit, so there is one of each."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from codemap_core.errors import InvalidArgumentError, NotFoundError
from codemap_core.hooks.capabilities import REPOSITORIES
from codemap_core.hooks.tool import ToolContext
from codemap_plugins.codeagent.failures import EngineUnavailableError

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.repository import Repository
    from codemap_plugins.codeagent.checkout import Checkout


def repository_of(context: ToolContext) -> Repository:
    """Raises: EngineUnavailableError when the server stands in none."""
    try:
        return context.ask(REPOSITORIES).repository()
    except (InvalidArgumentError, NotFoundError) as error:
        raise EngineUnavailableError(
            "The server does not stand in a git repository. Start it in one, or name one: codemap serve PATH."
        ) from error


def checkout_of(context: ToolContext) -> Checkout:
    """The files of the work tree. Raises: EngineUnavailableError when there is none."""
    repository = repository_of(context)
    if repository.is_bare:
        raise EngineUnavailableError("The repository is bare: it has no files that are checked out.")
    if os.open in os.supports_dir_fd:
        from codemap_plugins.codeagent.descriptor_checkout import DescriptorCheckout

        return DescriptorCheckout(repository.root)
    from codemap_plugins.codeagent.path_checkout import PathCheckout

    return PathCheckout(repository.root)


def snapshot_of(context: ToolContext) -> Snapshot:
    """The index that answers: of the working tree where the server follows it; else of HEAD, with what ``index_files`` has brought in
    since. Raises: EngineUnavailableError, IndexNotAvailableError."""
    repository = repository_of(context)
    shown = context.snapshot()
    if not repository.is_bare and not context.follows_working_tree:
        try:
            edited = context.snapshot(workspace_id=workspace_of(repository))
        except NotFoundError:
            return shown
        if edited.commit_sha == shown.commit_sha:
            return edited
    return shown


def is_watched(context: ToolContext) -> bool:
    """Whether edits of the working tree are taken up without a call of ``index_files``. Raises: EngineUnavailableError."""
    return context.follows_working_tree and not repository_of(context).is_bare


def committed_of(context: ToolContext, snapshot: Snapshot) -> Snapshot | None:
    """The index of the commit whose edits a snapshot shows; null for one without edits, and where HEAD is another commit by now."""
    from codemap_core.errors import IndexNotAvailableError

    if snapshot.workspace is None:
        return None
    try:
        committed = context.snapshot(committed=True)
    except IndexNotAvailableError:
        return None
    return committed if committed.commit_sha == snapshot.commit_sha else None


def workspace_of(repository: Repository) -> str:
    """The id of the workspace that ``index_files`` writes to: one for each working tree."""
    return f"codeagent-{hashlib.sha256(os.fsencode(repository.root)).hexdigest()[:8]}"
