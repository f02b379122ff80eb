"""From an evaluation to ``model.Project``: which properties and items say what about a compilation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from codemap_core.model import PackageReference, Project
from codemap_plugins.dotnet.evaluation import Evaluation
from codemap_plugins.dotnet.frameworks import (
    NET_FRAMEWORK,
    Framework,
    default_language_version,
    framework_of_version,
    implicit_defines,
    parse_framework,
)
from codemap_plugins.dotnet.item_expressions import Item
from codemap_plugins.dotnet.package_usings import package_usings, takes_package_usings
from codemap_plugins.dotnet.project_xml import InvalidXmlError, parse_xml
from codemap_plugins.dotnet.repository_tree import RepositoryTree, absolute, relative
from codemap_plugins.dotnet.sdks import is_base_sdk

_TEST_PACKAGES: Final = frozenset(
    {"microsoft.net.test.sdk", "mstest", "mstest.testframework", "mstest.testadapter", "tunit", "nunit", "nunit3testadapter"}
    | {"xunit", "xunit.core", "xunit.runner.visualstudio"}
    | {"xunit.v3", "xunit.v3.core", "xunit.v3.mtp-off", "xunit.v3.mtp-v1", "xunit.v3.mtp-v2"}
)  # fmt: skip
_NAMED_LIKE_TESTS: Final = re.compile(
    r"(?:(?:^|[._-])[Tt]ests?|(?:^|[._-])[Ss]pecs|(?<=[a-z])(?:Tests|Specs)|(?:Unit|Integration|Functional|Acceptance)Test)$"
)
"""``Shop.Tests``, ``shop-tests``, ``ShopTests``, ``Shop.UnitTest``; neither ``Contest`` nor ``TestRunner.VsTest``, a runner of tests."""
_FRIEND_ATTRIBUTE: Final = "System.Runtime.CompilerServices.InternalsVisibleTo"


def split_frameworks(text: str) -> list[str]:
    return [one for piece in text.split(";") if (one := piece.strip())]


def build_project(
    tree: RepositoryTree, project_path: str, evaluation: Evaluation, frameworks: Sequence[str], *, in_solution: bool
) -> Project:
    """The project at ``project_path`` (relative to the git root). ``frameworks``: all it targets; the evaluation is of
    one of them."""
    properties = evaluation.properties
    folder = properties.project_folder
    moniker = properties.get("TargetFramework")
    sdk_style = properties.is_true("UsingMicrosoftNETSdk")
    if not moniker and not sdk_style and properties.get("TargetFrameworkIdentifier") == NET_FRAMEWORK:
        moniker = framework_of_version(properties.get("TargetFrameworkVersion"))
    framework = _framework(evaluation, moniker)
    packages = _packages(tree, folder, evaluation)
    references = list(_project_references(tree, evaluation))
    name = properties.get("MSBuildProjectName")
    return Project(
        project_path=project_path,
        name=name,
        assembly_name=properties.get("AssemblyName") or name,
        sdk=next((sdk.partition("/")[0] for sdk in evaluation.sdks if is_base_sdk(sdk)), None),
        target_framework=moniker or None,
        target_frameworks=tuple(sorted(set(frameworks) or ({moniker} if moniker else set()))),
        files=_files(tree, evaluation),
        left_out=_left_out(tree, evaluation),
        project_references=tuple(sorted({path for path, _ in references})),
        packages=packages,
        usings=_usings(evaluation, packages),
        defines=_defines(evaluation, framework, sdk_style=sdk_style),
        transitive_references=sdk_style and not properties.is_true("DisableTransitiveProjectReferences"),
        private_references=tuple(sorted({path for path, item in references if _is_private(item)})),
        reference_aliases=tuple(sorted(_aliases(references))),
        internals_visible_to=_friends(evaluation),
        root_namespace=properties.get("RootNamespace"),
        lang_version=_language_version(properties.get("LangVersion"), framework),
        nullable=properties.get("Nullable").lower() in ("enable", "annotations"),
        allow_unsafe=properties.is_true("AllowUnsafeBlocks"),
        output_type=properties.get("OutputType") or "Library",
        in_solution=in_solution,
        is_test=properties.is_true("IsTestProject") or _is_like_tests(name, packages),
    )


def _is_like_tests(name: str, packages: Iterable[PackageReference]) -> bool:
    """It names the package of a test framework, or is called as tests are."""
    return any(package.id.lower() in _TEST_PACKAGES for package in packages) or bool(_NAMED_LIKE_TESTS.search(name))


def _language_version(written: str, framework: Framework) -> str:
    """The version of C# as it is written; where it is not, or written as ``default``, that of the framework."""
    return default_language_version(framework) if written.strip().lower() in ("", "default") else written.strip()


def _framework(evaluation: Evaluation, moniker: str) -> Framework:
    framework = parse_framework(moniker)
    version = evaluation.properties.get("TargetPlatformVersion")
    if framework.platform and not framework.platform_version and re.fullmatch(r"\d+(\.\d+)+", version):
        return Framework(framework.identifier, framework.version, framework.platform, version)
    return framework


def _files(tree: RepositoryTree, evaluation: Evaluation) -> tuple[str, ...]:
    if evaluation.properties.is_true("CompilesNothing"):
        return ()
    found = (tree.file(item.path) for item in evaluation.items.of("Compile"))
    compiled = {path for path in found if path is not None and path.lower().endswith(".cs")}
    return tuple(sorted(compiled | _protocol_buffers(tree, evaluation)))


def _left_out(tree: RepositoryTree, evaluation: Evaluation) -> tuple[tuple[str, str], ...]:
    """Those that are there, and that no other item compiles."""
    if evaluation.properties.is_true("CompilesNothing") or not evaluation.items.left_out:
        return ()
    compiled = {item.path for item in evaluation.items.of("Compile")}
    found = (
        (tree.file(path), condition) for path, condition in evaluation.items.left_out.items() if path not in compiled
    )
    return tuple(sorted((path, condition) for path, condition in found if path is not None and path.endswith(".cs")))


def _protocol_buffers(tree: RepositoryTree, evaluation: Evaluation) -> set[str]:
    """Files that the build makes C# of (Grpc.Tools, *Protocol Buffers/gRPC Codegen Integration Into .NET Build*)."""
    found = (
        tree.file(item.path)
        for item in evaluation.items.of("Protobuf")
        if "false" not in (item.value("CompileOutputs").lower(), item.value("ProtoCompile").lower())
    )
    return {path for path in found if path is not None and path.lower().endswith(".proto")}


def _project_references(tree: RepositoryTree, evaluation: Evaluation) -> Iterable[tuple[str, Item]]:
    """The projects whose types are visible."""
    for item in evaluation.items.of("ProjectReference"):
        if item.value("ReferenceOutputAssembly").lower() == "false":
            continue
        if item.value("OutputItemType").lower() == "analyzer":
            continue
        path = tree.file(item.path)
        if path is not None:
            yield path, item
        elif inside := relative(item.path):
            evaluation.report(f"the project {inside}, which it references, does not exist")
        else:
            evaluation.report(f"the project {item.spec}, which it references, is outside the repository")


def _is_private(item: Item) -> bool:
    return "all" in item.words("PrivateAssets")


def _aliases(references: Iterable[tuple[str, Item]]) -> set[tuple[str, str]]:
    return {
        (path, alias.strip())
        for path, item in references
        for alias in item.value("Aliases").split(",")
        if alias.strip() and alias.strip() != "global"
    }


def _packages(tree: RepositoryTree, folder: str, evaluation: Evaluation) -> tuple[PackageReference, ...]:
    central = evaluation.properties.is_true("ManagePackageVersionsCentrally")
    versions = (
        {item.spec.lower(): item.value("Version") for item in evaluation.items.of("PackageVersion")} if central else {}
    )
    found: dict[str, PackageReference] = {}
    for item in evaluation.items.of("PackageReference"):
        version = (
            (central and item.value("VersionOverride")) or item.value("Version") or versions.get(item.spec.lower(), "")
        )
        found[item.spec.lower()] = PackageReference(item.spec, version.strip() or None)
    if central:
        for item in evaluation.items.of("GlobalPackageReference"):
            version = item.value("Version") or versions.get(item.spec.lower(), "")
            found[item.spec.lower()] = PackageReference(item.spec, version.strip() or None)
    for package in _packages_config(tree, folder):
        found.setdefault(package.id.lower(), package)
    return tuple(sorted(found.values(), key=str))


def _packages_config(tree: RepositoryTree, folder: str) -> Iterable[PackageReference]:
    path = tree.file(absolute(folder, "packages.config"))
    if path is None:
        return
    try:
        root = parse_xml(tree.read(path))
    except (InvalidXmlError, KeyError):
        return
    for child in root.children:
        if child.name == "package" and child.attributes.get("id"):
            yield PackageReference(child.attributes["id"], child.attributes.get("version") or None)


def _usings(evaluation: Evaluation, packages: Iterable[PackageReference]) -> tuple[str, ...]:
    found = set()
    for item in evaluation.items.of("Using"):
        alias = item.value("Alias").strip()
        is_static = item.value("Static").strip().lower() == "true"
        found.add(f"{alias} = {item.spec}" if alias else f"static {item.spec}" if is_static else item.spec)
    if takes_package_usings(evaluation):
        for using in package_usings(package.id for package in packages):
            if not evaluation.items.was_removed("Using", using.removeprefix("static ")):
                found.add(using)
    return tuple(sorted(found))


def _defines(evaluation: Evaluation, framework: Framework, *, sdk_style: bool) -> tuple[str, ...]:
    text = evaluation.properties.get("DefineConstants")
    found = {one for one in re.split(r"[;,\s]+", text) if re.fullmatch(r"[^\W\d]\w*", one)}
    if sdk_style and not evaluation.properties.is_true("DisableImplicitFrameworkDefines"):
        found.update(implicit_defines(framework))
    return tuple(sorted(found))


def _friends(evaluation: Evaluation) -> tuple[str, ...]:
    items = [item.spec for item in evaluation.items.of("InternalsVisibleTo")]
    for item in evaluation.items.of("AssemblyAttribute"):
        if item.spec.removesuffix("Attribute") == _FRIEND_ATTRIBUTE:
            items.append(item.value("_Parameter1"))
    return tuple(sorted({name for one in items if (name := one.partition(",")[0].strip())}))
