"""Replacements for MSBuild SDKs and for the files that Visual Studio installs: small documents in ``sdk/`` that state the
defaults and rules which decide a project's files, references, usings and symbols. They are evaluated like any project
file, in the place of the real ones.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Final

from codemap_plugins.dotnet.project_xml import Element, parse_xml

SDK_ROOT: Final = "/_sdk"
"""Virtual folder of these documents; nothing of a repository can lie there."""

_BY_NAME: Final = {
    "microsoft.net.sdk": ("net.props", "net.targets"),
    "microsoft.net.sdk.web": ("web.props", "net.targets"),
    "microsoft.net.sdk.worker": ("worker.props", "net.targets"),
    "microsoft.net.sdk.razor": ("razor.props", "net.targets"),
    "microsoft.net.sdk.blazorwebassembly": ("blazor_webassembly.props", "net.targets"),
    "mstest.sdk": ("net.props", "mstest.targets"),
    "aspire.apphost.sdk": ("net.props", "aspire_apphost.targets"),
    "godot.net.sdk": ("godot.props", "net.targets"),
    "microsoft.build.notargets": ("no_compile.props", "net.targets"),
    "microsoft.build.traversal": ("no_compile.props", "net.targets"),
    "microsoft.build.sql": ("no_compile.props", "net.targets"),
    "msbuild.sdk.sqlproj": ("no_compile.props", "net.targets"),
    "microsoft.docker.sdk": ("no_compile.props", "net.targets"),
    "microsoft.visualstudio.javascript.sdk": ("no_compile.props", "net.targets"),
}
_ADDITIONS: Final = {
    "aspire.apphost.sdk": ("empty.props", "aspire_apphost.addition.targets"),
    "microsoft.build.centralpackageversions": ("empty.props", "central_package_versions.targets"),
    "dotnet.reproduciblebuilds.isolated": ("empty.props", "empty.props"),
    "microsoft.build.copyonwrite": ("empty.props", "empty.props"),
    "microsoft.build.artifacts": ("empty.props", "empty.props"),
    "microsoft.dotnet.arcade.sdk": ("arcade.props", "arcade.targets"),
    "microsoft.dotnet.helix.sdk": ("empty.props", "empty.props"),
}
_INSTALLED: Final = {
    "microsoft.common.props": "common.props",
    "microsoft.common.targets": "common.targets",
    "microsoft.common.currentversion.targets": "common.targets",
    "microsoft.csharp.targets": "csharp.targets",
    "microsoft.csharp.currentversion.targets": "csharp.targets",
}


def sdk_documents(reference: str, *, is_addition: bool) -> tuple[str, str]:
    """Absolute paths of the documents that stand for an SDK's Sdk.props and Sdk.targets. ``reference`` as a project
    writes it, ``Name/Version``. ``is_addition``: the project has another SDK already, so this one must not bring the
    base SDK again. An unknown SDK is taken to build on Microsoft.NET.Sdk, as nearly all do; an unknown addition to add
    nothing."""
    name = reference.partition("/")[0].strip().lower()
    if is_addition or (name in _ADDITIONS and name not in _BY_NAME):
        props, targets = _ADDITIONS.get(name, ("empty.props", "empty.props"))
    else:
        props, targets = _BY_NAME.get(name, _BY_NAME["microsoft.net.sdk"])
    return f"{SDK_ROOT}/{props}", f"{SDK_ROOT}/{targets}"


def is_base_sdk(reference: str) -> bool:
    """Whether an SDK can stand alone, rather than add to another."""
    name = reference.partition("/")[0].strip().lower()
    return name in _BY_NAME or name not in _ADDITIONS


def installed_document(path: str) -> str | None:
    """The replacement for a file that an old project imports from the place where MSBuild is installed."""
    name = _INSTALLED.get(path.replace("\\", "/").rpartition("/")[2].lower())
    return f"{SDK_ROOT}/{name}" if name else None


@lru_cache(maxsize=64)
def read_sdk_document(path: str) -> Element | None:
    """The document at a path below ``SDK_ROOT``; null when there is none."""
    name = path.removeprefix(SDK_ROOT + "/")
    resource = resources.files("codemap_plugins.dotnet").joinpath("sdk", name)
    return parse_xml(resource.read_bytes()) if "/" not in name and resource.is_file() else None
