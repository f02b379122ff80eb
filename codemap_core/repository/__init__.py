"""Repositories and their files: the only part of the core that knows git or opens files of a repository. Nothing
in a repository is executed; see ``git_process``.
"""

from codemap_core.repository.commit_files import CommitFiles, SkippedFiles, StartedListing, start_listing
from codemap_core.repository.edited_files import (
    Edit,
    EditedFiles,
    Edits,
    changed_paths,
    edit_of,
    read_edits,
    untracked_folders,
    with_contents,
)
from codemap_core.repository.files import RepositoryFiles
from codemap_core.repository.git_process import GIT, GitCommandError, GitMissingError, run_git
from codemap_core.repository.git_repository import Repository, Submodule
from codemap_core.repository.text import (
    DECODING,
    MAX_SOURCE_SIZE,
    MAX_TEXT_SIZE,
    DecodedText,
    decode_text,
    is_binary,
    language_of,
)

__all__ = [
    "DECODING",
    "GIT",
    "MAX_SOURCE_SIZE",
    "MAX_TEXT_SIZE",
    "CommitFiles",
    "DecodedText",
    "Edit",
    "EditedFiles",
    "Edits",
    "GitCommandError",
    "GitMissingError",
    "Repository",
    "RepositoryFiles",
    "SkippedFiles",
    "StartedListing",
    "Submodule",
    "changed_paths",
    "decode_text",
    "edit_of",
    "is_binary",
    "language_of",
    "read_edits",
    "run_git",
    "start_listing",
    "untracked_folders",
    "with_contents",
]
