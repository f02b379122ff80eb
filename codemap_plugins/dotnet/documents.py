"""Project files by absolute path, each read and parsed once per run, whether the repository's own or what stands for an
SDK's."""

from __future__ import annotations

import msgspec

from codemap_core.commented_json import without_comments
from codemap_plugins.dotnet.project_xml import Element, InvalidXmlError, parse_xml
from codemap_plugins.dotnet.repository_tree import ROOT, RepositoryTree
from codemap_plugins.dotnet.sdks import SDK_ROOT, read_sdk_document


class _GlobalJson(msgspec.Struct):
    sdks: dict[str, str] = msgspec.field(name="msbuild-sdks", default_factory=dict)


class Documents:
    """The project files of one commit."""

    def __init__(self, tree: RepositoryTree) -> None:
        self.tree = tree
        self._parsed: dict[str, Element | InvalidXmlError] = {}
        self._sdk_versions: dict[str, dict[str, str]] = {}

    def locate(self, path: str) -> str | None:
        """The true absolute path of a document, whatever the case it is asked for in; null when there is none."""
        if path.startswith(SDK_ROOT + "/"):
            return path if read_sdk_document(path) is not None else None
        found = self.tree.file(path)
        return None if found is None else f"{ROOT}/{found}"

    def read(self, path: str) -> Element:
        """The root element of a document that ``locate`` found. Raises: InvalidXmlError."""
        known = self._parsed.get(path)
        if known is None:
            known = self._parsed[path] = self._load(path)
        if isinstance(known, InvalidXmlError):
            raise known
        return known

    def sdk_version(self, folder: str, name: str) -> str:
        """The version that the nearest global.json gives an SDK; empty when it gives none."""
        path = self.tree.above(folder, "global.json")
        if path is None:
            return ""
        versions = self._sdk_versions.get(path)
        if versions is None:
            versions = self._sdk_versions[path] = self._read_sdk_versions(path)
        return versions.get(name.lower(), "")

    def _read_sdk_versions(self, path: str) -> dict[str, str]:
        try:
            text = self.tree.read(path.removeprefix(ROOT + "/")).decode("utf-8-sig", "replace")
            versions = msgspec.json.decode(without_comments(text).encode(), type=_GlobalJson).sdks
        except (KeyError, msgspec.MsgspecError, RecursionError):
            return {}
        return {name.lower(): version for name, version in versions.items()}

    def _load(self, path: str) -> Element | InvalidXmlError:
        if path.startswith(SDK_ROOT + "/"):
            return read_sdk_document(path) or InvalidXmlError(f"there is no {path}")
        try:
            return parse_xml(self.tree.read(path.removeprefix(ROOT + "/")))
        except InvalidXmlError as error:
            return error
        except KeyError:
            return InvalidXmlError("its content is missing")
