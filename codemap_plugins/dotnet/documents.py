"""Project files by absolute path, each read and parsed once per run, whether the repository's own or what stands for an
SDK's."""

from __future__ import annotations

from codemap_plugins.dotnet.project_xml import Element, InvalidXmlError, parse_xml
from codemap_plugins.dotnet.repository_tree import ROOT, RepositoryTree
from codemap_plugins.dotnet.sdks import SDK_ROOT, read_sdk_document


class Documents:
    """The project files of one commit."""

    def __init__(self, tree: RepositoryTree) -> None:
        self.tree = tree
        self._parsed: dict[str, Element | InvalidXmlError] = {}

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

    def _load(self, path: str) -> Element | InvalidXmlError:
        if path.startswith(SDK_ROOT + "/"):
            return read_sdk_document(path) or InvalidXmlError(f"there is no {path}")
        try:
            return parse_xml(self.tree.read(path.removeprefix(ROOT + "/")))
        except InvalidXmlError as error:
            return error
        except KeyError:
            return InvalidXmlError("its content is missing")
