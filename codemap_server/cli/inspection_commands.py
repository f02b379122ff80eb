"""``codemap plugins`` and ``codemap doctor``: what is installed and whether it works here."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codemap_core.errors import CodeMapError, InvalidArgumentError
from codemap_core.model.counting import counted
from codemap_server.cli.command_registry import NOTHING_FOUND, add_command
from codemap_server.cli.options import Json
from codemap_server.cli.plugin_skeleton import Form, write_skeleton
from codemap_server.cli.terminal import fail, print_json, table

if TYPE_CHECKING:
    from codemap_core.hooks.manager import PluginInfo


def register(app: typer.Typer) -> None:
    add_command(app, "plugins", plugins, "Maintenance")
    add_command(app, "doctor", doctor, "Maintenance")


def plugins(
    output: Json,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[new NAME]", help="new NAME: write the skeleton of a plug-in to a new folder."),
    ] = None,
    form: Annotated[Form, typer.Option("--form", help="What the new plug-in provides.")] = Form.FACT,
) -> None:
    """List the plug-ins and what each provides.

    With "new NAME", write a package that installs, with one item of a form and its test, to the folder codemap-NAME.

    \b
    Examples:
      codemap plugins
      codemap plugins new gates
      codemap plugins new gate-tools --form tools
    """
    if words:
        _new_plugin(words, form)
        return
    from codemap_core.hooks.manager import load_plugins

    host = load_plugins()
    found = host.plugins
    if output.json:
        print_json(found)
    else:
        table(
            (("plug-in", {}), ("version", {}), ("from", {}), ("provides", {"overflow": "fold"})),
            [(info.name, info.version, info.distribution, _provides(info)) for info in found],
        )
    for problem in host.problems:
        fail(problem.message)


def _new_plugin(words: list[str], form: Form) -> None:
    if words[0] != "new" or len(words) != 2:
        raise InvalidArgumentError(
            f"{' '.join(words)!r} is not understood. Write: codemap plugins new NAME [--form FORM]"
        )
    folder = write_skeleton(words[1], Path(), form)
    typer.echo(f"Written to {folder}. Next: cd {folder} && pip install -e . pytest && pytest")


def _provides(info: PluginInfo) -> str:
    if info.blocked:
        return "blocked"
    return "; ".join(f"{point}: {', '.join(names)}" for point, names in info.provides.items()) or "nothing"


def doctor(output: Json) -> None:
    """Check the installation and suggest fixes."""
    checks: list[tuple[str, Callable[[], str]]] = [
        ("python", _python),
        ("git", _git),
        ("data directory", _data_directory),
        ("sqlite", _sqlite),
        ("plug-ins", _plugins),
        ("compiled modules", _compiled),
        ("reference assemblies", _references),
    ]
    rows: list[tuple[str, str, str]] = []
    bad = 0
    for name, run in checks:
        try:
            rows.append((name, "ok", run()))
        except CodeMapError as error:
            bad += 1
            rows.append((name, "problem", error.message))
    if output.json:
        print_json([{"check": name, "state": state, "found": found} for name, state, found in rows])
    else:
        table((("check", {}), ("state", {}), ("found", {"overflow": "fold"})), rows)
    if bad:
        raise typer.Exit(NOTHING_FOUND)


def _python() -> str:
    return f"{sys.version.split()[0]} at {sys.executable}"


def _git() -> str:
    from codemap_core.repository import GIT, run_git

    _, out = run_git(Path.cwd(), "--version")
    return f"{out.decode('utf-8', 'replace').strip()} at {shutil.which(GIT)}"


def _data_directory() -> str:
    from codemap_core.config import load_settings
    from codemap_core.storage.data_directory import leftovers, probe

    settings = load_settings()
    free = shutil.disk_usage(probe(settings)).free
    dead = [each for each in leftovers(settings) if not each.in_use]
    left = f"; killed builds left {sum(each.size for each in dead) / 1e6:.1f} MB: codemap prune" if dead else ""
    return f"{settings.data_directory}, {free / 1e9:.1f} GB free{left}"


def _sqlite() -> str:
    from codemap_core.storage.files.examine import sqlite_description

    return sqlite_description()


def _plugins() -> str:
    from codemap_core.hooks.manager import load_plugins

    host = load_plugins()
    if host.problems:
        raise CodeMapError("; ".join(problem.message for problem in host.problems))
    return ", ".join(info.name for info in host.plugins)


def _compiled() -> str:
    """Whether this installation has the binder's compiled form; named as a string, since the server knows no plug-in."""
    spec = find_spec("codemap_plugins.csharp.binding.binder")
    if spec is not None and (spec.origin or "").endswith(tuple(EXTENSION_SUFFIXES)):
        return "yes"
    return "no: indexing takes about half as long again (a wheel built where there is a C compiler has them)"


def _references() -> str:
    from codemap_core.config import load_settings
    from codemap_core.errors import NotFoundError

    settings = load_settings()
    folders = settings.reference_folders
    missing = [folder for folder in folders if not Path(folder).is_dir()]
    if missing:
        raise NotFoundError(f"CODEMAP_REFERENCES names folders that do not exist: {', '.join(missing)}")
    places = [f"{counted(len(folders), 'folder')} of CODEMAP_REFERENCES"] if folders else []
    places += ["packages and reference packs of this machine"] if settings.machine_libraries else []
    return ", ".join([*places, "the shipped index"])
