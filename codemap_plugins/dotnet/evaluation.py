"""Evaluating one project as MSBuild does: first all properties and imports in document order, then all items with the
final properties.

What is understood and what is declined: docs/projects.md. Tasks never run. Of targets, only items that add friends or
symbols to a compilation are read, for such targets run in every build. Import depth, number of imports and elements are
bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from codemap_plugins.dotnet.conditions import ConditionScope, InvalidConditionError, evaluate_condition
from codemap_plugins.dotnet.documents import Documents
from codemap_plugins.dotnet.globs import Glob, has_wildcard
from codemap_plugins.dotnet.items import ItemTable
from codemap_plugins.dotnet.project_xml import Element, InvalidXmlError
from codemap_plugins.dotnet.properties import EvaluationLimitError, Properties
from codemap_plugins.dotnet.repository_tree import ROOT, absolute, folder_of
from codemap_plugins.dotnet.sdks import installed_document, is_base_sdk, sdk_documents

MAX_IMPORT_DEPTH: Final = 64
MAX_IMPORTS: Final = 1000
MAX_ELEMENTS: Final = 200_000

_READ_ITEMS: Final = frozenset(
    {"compile", "projectreference", "packagereference", "packageversion", "globalpackagereference", "using"}
    | {"internalsvisibleto", "assemblyattribute", "protobuf"}
)  # fmt: skip
"""Item types whose values become part of a project; others are evaluated only if one of these refers to them."""
_READ_IN_TARGETS: Final = frozenset({"internalsvisibleto", "assemblyattribute"})
_ITEM_REFERENCE: Final = re.compile(r"[@%]\(\s*([A-Za-z_]\w*(?:-(?!>)\w+)*)")


class Evaluation:
    """One project evaluated with given global properties; its ``items`` once ``read_items`` was called."""

    def __init__(
        self,
        documents: Documents,
        project_path: str,
        given: Mapping[str, str],
        report: Callable[[str], None],
        *,
        root: Element | None = None,
        solution: Mapping[str, str] | None = None,
    ) -> None:
        """``project_path`` is absolute. ``root``: the project's content when it has no file of its own. ``solution``:
        properties a build of the solution would set."""
        self._documents = documents
        self.report = report
        """Hears what is wrong with the project."""
        self._given = given
        self._importing: list[str] = []
        self._imports = 0
        self._elements = 0
        self._groups: list[tuple[str, Element]] = []
        self.sdks: list[str] = []
        self.properties = Properties(documents.tree, project_path, given, report)
        for name, value in (solution or {}).items():
            self.properties.set_default(name, value)
        self.items = ItemTable(documents.tree, self.properties, report)
        self._is_cut_short = False
        with self._limited():
            self._evaluate_document(project_path, documents.read(project_path) if root is None else root)

    def read_items(self) -> None:
        """Evaluates the items, with the final properties."""
        if not self._is_cut_short:
            with self._limited():
                self._evaluate_items()

    @contextmanager
    def _limited(self) -> Iterator[None]:
        try:
            yield
        except EvaluationLimitError as error:
            self._is_cut_short = True
            self.report(f"evaluation was cut short: {error}")

    def _evaluate_document(self, path: str, root: Element) -> None:
        if path in self._importing:
            return  # MSBuild, too, ignores an import of what is being imported
        if len(self._importing) >= MAX_IMPORT_DEPTH:
            raise EvaluationLimitError("its imports are nested too deeply")
        self._importing.append(path)
        self.properties.enter_file(path)
        sdks = list(_sdk_references(root))
        props_and_targets = [self._sdk(reference) for reference in sdks]
        for reference, (props, _) in zip(sdks, props_and_targets, strict=True):
            self._import_sdk_document(reference, props, path)
        self._evaluate_children(path, root.children)
        for reference, (_, targets) in zip(sdks, props_and_targets, strict=True):
            self._import_sdk_document(reference, targets, path)
        self._importing.pop()

    def _sdk(self, reference: str) -> tuple[str, str]:
        has_base = any(is_base_sdk(known) for known in self.sdks)
        documents = sdk_documents(reference, is_addition=has_base)
        self.sdks.append(reference)
        return documents

    def _import_sdk_document(self, reference: str, document: str, importer: str) -> None:
        name, _, version = reference.partition("/")
        resolved = version or self._documents.sdk_version(self.properties.project_folder, name)
        self.properties.set("ResolvedSdkVersion", resolved)
        self._import_document(document, importer)

    def _evaluate_children(self, path: str, children: Iterable[Element]) -> None:
        for element in children:
            self._elements += 1
            if self._elements > MAX_ELEMENTS:
                raise EvaluationLimitError("it has too many elements")
            name = element.name
            if name == "PropertyGroup":
                if self._holds_in_file(element.condition):
                    for child in element.children:
                        if self._holds(child.condition):
                            self.properties.set(child.name, child.text)
            elif name in ("ItemGroup", "ItemDefinitionGroup", "Target"):
                self._groups.append((path, element))
            elif name == "Import":
                if self._holds_in_file(element.condition):
                    self._import(path, element)
            elif name == "ImportGroup":
                if self._holds_in_file(element.condition):
                    self._evaluate_children(path, element.children)
            elif name == "Choose":
                self._choose(path, element)

    def _choose(self, path: str, element: Element) -> None:
        for branch in element.children:
            if branch.name == "Otherwise" or (branch.name == "When" and self._holds(branch.condition)):
                self._evaluate_children(path, branch.children)
                return

    def _import(self, path: str, element: Element) -> None:
        sdk = self.properties.expand(element.attributes.get("Sdk", ""))
        project = self.properties.expand(element.attributes.get("Project", ""))
        if sdk:
            self._import_from_sdk(path, sdk, project)
            return
        for one in project.split(";"):
            wanted = one.strip()
            if has_wildcard(wanted):
                for found in Glob(folder_of(path), wanted).files(self._documents.tree):
                    self._import_document(found, path)
            elif wanted:
                self._import_file(path, wanted)

    def _import_file(self, path: str, wanted: str) -> None:
        target = absolute(folder_of(path), wanted)
        found = self._documents.locate(target)
        if found is None and not target.startswith(ROOT + "/"):
            found = installed_document(target)
            if found is None:
                return  # what Visual Studio, a workload or a package would bring
        if found is None:
            self.report(f"the import {target.removeprefix(ROOT + '/')} does not exist")
        else:
            self._import_document(found, path)

    def _import_from_sdk(self, path: str, sdk: str, project: str) -> None:
        known = [one.partition("/")[0].lower() for one in self.sdks]
        if sdk.partition("/")[0].lower() not in known:
            documents = self._sdk(sdk)
        else:
            documents = sdk_documents(sdk, is_addition=False)
        if project.lower().endswith("sdk.props"):
            self._import_sdk_document(sdk, documents[0], path)
        elif project.lower().endswith("sdk.targets"):
            self._import_sdk_document(sdk, documents[1], path)

    def _import_document(self, target: str, importer: str) -> None:
        self._imports += 1
        if self._imports > MAX_IMPORTS:
            raise EvaluationLimitError("it imports too many files")
        try:
            self._evaluate_document(target, self._documents.read(target))
        except InvalidXmlError as error:
            self.report(f"cannot read {target.removeprefix(ROOT + '/')}: {error}")
        self.properties.enter_file(importer)

    def _holds(self, condition: str) -> bool:
        return not condition or self._is_true(condition, self.properties)

    def _holds_in_file(self, condition: str) -> bool:
        """As ``Properties.in_file`` has it."""
        return not condition or self._is_true(condition, self.properties.in_file)

    def _is_true(self, condition: str, scope: ConditionScope) -> bool:
        try:
            return evaluate_condition(condition, scope)
        except InvalidConditionError as error:
            self.report(f"cannot evaluate a condition: {error}")
            return False

    def _evaluate_items(self) -> None:
        wanted = self._wanted_items()
        self.properties.item_expander = self.items.expand
        for path, group in self._groups:
            if group.name == "Target":
                continue
            self.properties.enter_file(path)
            is_own = path.startswith(f"{ROOT}/")
            if self._holds(group.condition):
                self._evaluate_group(group, wanted, group.condition if is_own else None)
            elif is_own and group.name == "ItemGroup":
                for element in group.children:
                    self.items.leave_out(element, group.condition)
        for path, target in self._groups:
            if target.name == "Target":
                self._evaluate_target(path, target)

    def _evaluate_group(self, group: Element, wanted: frozenset[str], condition: str | None = None) -> None:
        """``condition``: the group's, as ``ItemTable.apply`` takes it."""
        for element in group.children:
            if element.name.lower() in wanted:
                if group.name == "ItemDefinitionGroup":
                    if self._holds(element.condition):
                        self.items.define(element)
                else:
                    self.items.apply(element, condition)

    def _evaluate_target(self, path: str, target: Element) -> None:
        groups = [group for group in target.children if group.name == "ItemGroup"]
        if not any(child.name.lower() in _READ_IN_TARGETS for group in groups for child in group.children):
            return
        wanted = _with_referenced(_READ_IN_TARGETS, [target]) - (_READ_ITEMS - _READ_IN_TARGETS)
        self.properties.enter_file(path)
        if self._holds(target.condition):
            for group in groups:
                if self._holds(group.condition):
                    for element in group.children:
                        if element.name.lower() in wanted:
                            self.items.apply_in_target(element)

    def _wanted_items(self) -> frozenset[str]:
        """The item types to evaluate: those read, and what they refer to, however indirectly."""
        return _with_referenced(_READ_ITEMS, [group for _, group in self._groups])


def _with_referenced(types: frozenset[str], groups: Iterable[Element]) -> frozenset[str]:
    """Item types, and those to which their elements in these groups refer, however indirectly."""
    references: dict[str, set[str]] = {}
    for group in groups:
        for element in _item_elements(group):
            texts = [*element.attributes.values(), *(child.text for child in element.children)]
            found = {name.lower() for text in texts for name in _ITEM_REFERENCE.findall(text)}
            if found:
                references.setdefault(element.name.lower(), set()).update(found)
    wanted = set(types)
    pending = list(wanted)
    while pending:
        new = references.get(pending.pop(), set()) - wanted
        wanted |= new
        pending.extend(new)
    return frozenset(wanted)


def _item_elements(group: Element) -> Iterator[Element]:
    if group.name == "Target":
        for inner in group.children:
            if inner.name == "ItemGroup":
                yield from inner.children
    else:
        yield from group.children


def _sdk_references(root: Element) -> Iterator[str]:
    for one in root.attributes.get("Sdk", "").split(";"):
        if one.strip():
            yield one.strip()
    for child in root.children:
        if child.name == "Sdk" and child.attributes.get("Name"):
            yield f"{child.attributes['Name']}/{child.attributes.get('Version', '')}".rstrip("/")
