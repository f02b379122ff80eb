"""Settings of one process: where data lives, where library assemblies are, how large answers may get. Parsed once,
frozen.

Sources, later ones win: defaults, ``config.json`` in the data directory, environment. Nothing is read from an indexed
repository.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import quote

import msgspec
from msgspec import Meta, Struct, structs

from codemap_core.errors import InvalidArgumentError

HOME_VARIABLE: Final = "CODEMAP_HOME"
REFERENCES_VARIABLE: Final = "CODEMAP_REFERENCES"
MACHINE_LIBRARIES_VARIABLE: Final = "CODEMAP_MACHINE_LIBRARIES"
AUTO_INDEX_VARIABLE: Final = "CODEMAP_AUTO_INDEX"
SHARED_CACHE_VARIABLE: Final = "CODEMAP_CACHE_DIR"
SHARED_CACHE_READ_ONLY_VARIABLE: Final = "CODEMAP_CACHE_READ_ONLY"


_SWITCHES: Final = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}


class BudgetLimits(Struct, frozen=True):
    """How much one answer may hold (contract, section 3)."""

    max_results: int = 20
    max_references: int = 50
    max_depth: int = 3
    max_lines: int = 120
    max_chars: int = 12_000


HARD_CAPS: Final = BudgetLimits(max_results=100, max_references=500, max_depth=6, max_lines=400, max_chars=40_000)


class IndexScope(Struct, frozen=True):
    """The part of a commit that an index covers; all of it if both fields are empty. Paths are relative to the git root."""

    subtree: str = ""
    solution: str = ""

    @property
    def is_whole(self) -> bool:
        return not self.subtree and not self.solution

    @property
    def label(self) -> str:
        """How the scope is named: ``src/Web``, ``src/Shop.sln``; empty for the whole commit."""
        if self.subtree and self.solution:
            return f"{self.subtree} in {self.solution}"
        return self.solution or self.subtree

    @property
    def digest(self) -> str:
        """12 hex digits that tell scopes of one commit apart in file names."""
        return hashlib.sha256(f"{self.subtree}\0{self.solution}".encode()).hexdigest()[:12]


WHOLE_COMMIT: Final = IndexScope()


class Settings(Struct, frozen=True):
    """``data_directory`` is absolute; it need not exist yet."""

    data_directory: Path
    reference_folders: tuple[str, ...] = ()
    """Further folders of library assemblies to bind against, in order of preference."""
    machine_libraries: bool = True
    """Bind also against libraries that .NET and NuGet left on this machine."""
    auto_index: bool = False
    """A question about a commit without an index builds it first."""
    budgets: BudgetLimits = BudgetLimits()
    """Defaults for requests that name no budget; never above ``HARD_CAPS``."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    extractor_seconds: float = 20.0
    """How long an extractor of a plug-in may take for one file."""
    cached_results: int = 64
    """Results of one open index, or one revision of a workspace, that a server remembers; 0: none."""
    index_process_megabytes: int = 1_500
    """The memory beyond which the process that refreshes workspaces ends after an answer; the next refresh starts another."""
    shared_cache: str = ""
    """A folder, or a URL that fsspec understands, where machines share indexes; empty: none."""
    shared_cache_read_only: bool = False
    """Indexes that are built here are not shared."""

    embedding_model: str = ""
    """The sentence model that finds similar symbols: its name, or the absolute path of its folder; empty for the built-in one."""

    @property
    def config_file(self) -> Path:
        return self.data_directory / "config.json"

    @property
    def cache_directory(self) -> Path:
        return self.data_directory / "cache"

    @property
    def models_directory(self) -> Path:
        return self.data_directory / "models"

    @property
    def savings_file(self) -> Path:
        return self.data_directory / "_savings.json"

    @property
    def baselines_directory(self) -> Path:
        return self.data_directory / "baselines"

    @property
    def overlays_directory(self) -> Path:
        return self.data_directory / "overlays"

    def baseline_file(self, repo_id: str, commit_sha: str, scope: IndexScope = WHOLE_COMMIT) -> Path:
        """``{commit}.db``; an index of a part of the commit has its scope's digest in the name."""
        name = commit_sha if scope.is_whole else f"{commit_sha}-{scope.digest}"
        return self.baselines_directory / _file_name(repo_id, "repo_id") / f"{_file_name(name, 'commit_sha')}.db"

    def overlay_file(self, repo_id: str, workspace_id: str) -> Path:
        return (
            self.overlays_directory / _file_name(repo_id, "repo_id") / f"{_file_name(workspace_id, 'workspace_id')}.db"
        )


class _ConfigFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of ``config.json``."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    auto_index: bool = False
    budget_overrides: Mapping[str, int] = msgspec.field(default_factory=dict)
    extractor_seconds: Annotated[float, Meta(gt=0)] = 20.0
    cached_results: Annotated[int, Meta(ge=0)] = 64
    index_process_megabytes: Annotated[int, Meta(ge=1)] = 1_500
    embedding_model: str = ""
    shared_cache_dir: str | None = None
    shared_cache_read_only: bool = False


def home_folder() -> Path | None:
    """The user's home, null where it is unknown, as in some containers."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Settings of this process. Raises: InvalidArgumentError naming the file or variable that cannot be understood."""
    environment = os.environ if environ is None else environ
    home = environment.get(HOME_VARIABLE, "").strip()
    try:
        directory = Path(home).expanduser() if home else Path.home() / ".codemap"
    except RuntimeError as error:
        raise InvalidArgumentError(
            f"The home directory is unknown ({error}): set {HOME_VARIABLE} to a folder."
        ) from error
    directory = Path(os.path.abspath(directory))  # noqa: PTH100 - resolve() would follow links the user chose
    folders = tuple(folder for folder in environment.get(REFERENCES_VARIABLE, "").split(os.pathsep) if folder.strip())
    settings = Settings(
        data_directory=directory,
        reference_folders=folders,
        machine_libraries=environment.get(MACHINE_LIBRARIES_VARIABLE, "").strip() != "0",
    )
    config = _read_config(settings.config_file)
    return structs.replace(
        settings,
        auto_index=_switch(environment, AUTO_INDEX_VARIABLE, config.auto_index),
        budgets=_budgets(config, settings.config_file),
        log_level=config.log_level,
        extractor_seconds=config.extractor_seconds,
        cached_results=config.cached_results,
        index_process_megabytes=config.index_process_megabytes,
        embedding_model=config.embedding_model.strip(),
        shared_cache=environment.get(SHARED_CACHE_VARIABLE, "").strip() or config.shared_cache_dir or "",
        shared_cache_read_only=_switch(environment, SHARED_CACHE_READ_ONLY_VARIABLE, config.shared_cache_read_only),
    )


def _switch(environment: Mapping[str, str], variable: str, default: bool) -> bool:
    written = environment.get(variable, "").strip().lower()
    if not written:
        return default
    if written not in _SWITCHES:
        raise InvalidArgumentError(f"{variable} is {written!r}; set it to 1 or 0, or leave it out.")
    return _SWITCHES[written]


def _read_config(path: Path) -> _ConfigFile:
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return _ConfigFile()
    except OSError as error:
        raise InvalidArgumentError(
            f"The configuration file {path} cannot be read ({error.strerror}): correct its permissions or remove it."
        ) from error
    try:
        return msgspec.json.decode(content, type=_ConfigFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidArgumentError(
            f"The configuration file {path} is not valid: {error}. Correct or remove it.", file=str(path)
        ) from error


def _budgets(config: _ConfigFile, path: Path) -> BudgetLimits:
    for name, value in config.budget_overrides.items():
        if name not in BudgetLimits.__struct_fields__:
            known = ", ".join(BudgetLimits.__struct_fields__)
            raise InvalidArgumentError(
                f"{path}: budget_overrides has no budget {name!r}; there are {known}.", file=str(path)
            )
        cap: int = getattr(HARD_CAPS, name)
        if not 1 <= value <= cap:
            raise InvalidArgumentError(
                f"{path}: budget_overrides.{name} is {value}; it must lie between 1 and {cap}.", file=str(path)
            )
    return structs.replace(BudgetLimits(), **config.budget_overrides)


def _file_name(identifier: str, what: str) -> str:
    """The identifier as one path component, whatever an agent may have chosen."""
    if not identifier.strip() or identifier in {".", ".."} or "/" in identifier or "\\" in identifier:
        raise InvalidArgumentError(f"{what} {identifier!r} must be a name without slashes.", **{what: identifier})
    name = quote(identifier, safe=" ")
    if len(name) > 120:
        name = f"{name[:100]}-{hashlib.sha256(identifier.encode()).hexdigest()[:16]}"
    return name
