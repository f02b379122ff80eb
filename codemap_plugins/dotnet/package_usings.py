"""Global usings that packages add through their own props and targets when implicit usings are on. Packages are not
restored here, so what the common ones add is stated; ``Using Remove`` in a project takes one away as it would in a
build. Those of a package's folder ``buildTransitive`` reach the projects that reference the one which names the package, unless it keeps
the package, or they the reference, to itself (``PrivateAssets``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from codemap_core.model import Project
from codemap_plugins.dotnet.evaluation import Evaluation

_ORLEANS: Final = ("Orleans", "Orleans.Runtime")
_MSTEST: Final = ("Microsoft.VisualStudio.TestTools.UnitTesting",)
_ASPIRE: Final = ("Aspire.Hosting", "Aspire.Hosting.ApplicationModel")
_VERIFY_XUNIT: Final = ("VerifyXunit", "Xunit", "static VerifyXunit.Verifier")
_TUNIT: Final = ("TUnit.Core", "TUnit.Assertions", "TUnit.Assertions.Extensions", "static TUnit.Core.HookType")

_TRANSITIVE: Final[Mapping[str, tuple[str, ...]]] = {
    "verify.fixie": ("Fixie", "VerifyFixie", "static VerifyFixie.Verifier"),
    "verify.mstest": (*_MSTEST, "VerifyMSTest", "static VerifyMSTest.Verifier"),
    "verify.nunit": ("NUnit", "NUnit.Framework", "VerifyNUnit", "static VerifyNUnit.Verifier"),
    "verify.tunit": ("TUnit", "VerifyTUnit", "static VerifyTUnit.Verifier"),
    "verify.xunit": _VERIFY_XUNIT,
    "verify.xunitv3": _VERIFY_XUNIT,
}
_DIRECT: Final[Mapping[str, tuple[str, ...]]] = {
    "mstest": _MSTEST,
    "mstest.testframework": _MSTEST,
    "aspire.hosting.apphost": _ASPIRE,
    "tunit": _TUNIT,
}


def package_usings(package_ids: Iterable[str]) -> Iterator[str]:
    """The usings of the packages a project references, repeats included, as written after ``global using``."""
    for package_id in package_ids:
        yield from _passed_on(package_id) or _DIRECT.get(package_id.lower(), ())


def takes_package_usings(evaluation: Evaluation) -> bool:
    """Whether implicit usings are on: packages add theirs where they are."""
    return evaluation.properties.get("ImplicitUsings").lower() in ("enable", "true")


def _passed_on(package_id: str) -> tuple[str, ...]:
    folded = package_id.lower()
    return _ORLEANS if folded.startswith("microsoft.orleans.") else _TRANSITIVE.get(folded, ())


class PassedOnUsings:
    """The usings that projects pass on to those that reference them."""

    def __init__(self) -> None:
        self._given: Final[dict[str, frozenset[str]]] = {}
        """By the path of a project."""
        self._refused: Final[dict[str, frozenset[str]]] = {}
        """Usings that a project which takes some removes, by its path."""

    def add(self, project: Project, evaluation: Evaluation) -> None:
        given = frozenset(
            using
            for item in evaluation.items.of("PackageReference")
            if not {"all", "buildtransitive"} & item.words("PrivateAssets")
            for using in _passed_on(item.spec)
        )
        if given:
            self._given[project.project_path] = given
        if takes_package_usings(evaluation):
            known = {*_ORLEANS, *(using for usings in _TRANSITIVE.values() for using in usings)}
            self._refused[project.project_path] = frozenset(
                using for using in known if evaluation.items.was_removed("Using", using.removeprefix("static "))
            )

    def of(self, project: Project, projects: Mapping[str, Project]) -> tuple[str, ...]:
        """The usings of a project with those that reach it, sorted."""
        refused = self._refused.get(project.project_path)
        if refused is None or not self._given:
            return project.usings
        found: set[str] = set()
        seen: set[str] = set()
        pending = list(project.project_references)
        while pending:
            path = pending.pop()
            if path not in seen and (other := projects.get(path)) is not None:
                seen.add(path)
                found |= self._given.get(path, frozenset())
                pending += set(other.project_references) - set(other.private_references)
        return tuple(sorted({*project.usings, *(found - refused)}))
