"""Global usings that packages add through their own props and targets when implicit usings are on. Packages are not
restored here, so what the common ones add is stated; ``Using Remove`` in a project takes one away as it would in a
build."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

_ORLEANS: Final = ("Orleans", "Orleans.Runtime")
_MSTEST: Final = ("Microsoft.VisualStudio.TestTools.UnitTesting",)
_ASPIRE: Final = ("Aspire.Hosting", "Aspire.Hosting.ApplicationModel")
_VERIFY_XUNIT: Final = ("VerifyXunit", "Xunit", "static VerifyXunit.Verifier")
_TUNIT: Final = ("TUnit.Core", "TUnit.Assertions", "TUnit.Assertions.Extensions", "static TUnit.Core.HookType")

_BY_PACKAGE: Final = {
    "mstest": _MSTEST,
    "mstest.testframework": _MSTEST,
    "verify.xunit": _VERIFY_XUNIT,
    "verify.xunitv3": _VERIFY_XUNIT,
    "aspire.hosting.apphost": _ASPIRE,
    "tunit": _TUNIT,
}


def package_usings(package_ids: Iterable[str]) -> Iterator[str]:
    """The usings of the packages a project references, repeats included, as written after ``global using``."""
    for package_id in package_ids:
        folded = package_id.lower()
        if folded.startswith("microsoft.orleans."):
            yield from _ORLEANS
        else:
            yield from _BY_PACKAGE.get(folded, ())
