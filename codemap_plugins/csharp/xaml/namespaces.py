"""What XML namespaces of a page stand for: namespaces of .NET, the XAML language itself, or what only design tools read.

A page names types by prefix. In the C# that is made of it each prefix is an alias, which several using directives give where its XML
namespace holds several namespaces, as the assemblies of a framework say (``XmlnsDefinitionAttribute``).
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final, NamedTuple

from codemap_plugins.csharp.page_names import xml_namespace

_WPF: Final = (
    *("System.Windows", "System.Windows.Controls", "System.Windows.Controls.Primitives", "System.Windows.Data"),
    *("System.Windows.Documents", "System.Windows.Input", "System.Windows.Media", "System.Windows.Media.Animation"),
    *("System.Windows.Media.Effects", "System.Windows.Media.Imaging", "System.Windows.Media.Media3D"),
    *("System.Windows.Navigation", "System.Windows.Shapes", "System.Windows.Shell", "System.Windows.Automation"),
)
_WINDOWS: Final = tuple(
    f"{root}.UI.Xaml{rest}"
    for root in ("Microsoft", "Windows")
    for rest in ("", ".Controls", ".Controls.Primitives", ".Data", ".Documents", ".Input", ".Media", ".Shapes")
)
_AVALONIA: Final = (
    *(
        "Avalonia",
        "Avalonia.Animation",
        "Avalonia.Controls",
        "Avalonia.Controls.Documents",
        "Avalonia.Controls.Presenters",
    ),
    *("Avalonia.Controls.Primitives", "Avalonia.Controls.Shapes", "Avalonia.Controls.Templates", "Avalonia.Data"),
    *("Avalonia.Input", "Avalonia.Layout", "Avalonia.Markup.Xaml.MarkupExtensions", "Avalonia.Markup.Xaml.Styling"),
    *("Avalonia.Markup.Xaml.Templates", "Avalonia.Media", "Avalonia.Media.Imaging", "Avalonia.Styling"),
)
_FORMS: Final = (
    *("Microsoft.Maui", "Microsoft.Maui.Controls", "Microsoft.Maui.Controls.Shapes", "Microsoft.Maui.Graphics"),
    *("Xamarin.Forms", "Xamarin.Forms.Shapes"),
)
FRAMEWORKS: Final = {
    "http://schemas.microsoft.com/winfx/2006/xaml/presentation": (*_WPF, *_WINDOWS),
    "http://schemas.microsoft.com/netfx/2009/xaml/presentation": _WPF,
    "https://github.com/avaloniaui": _AVALONIA,
    "http://schemas.microsoft.com/dotnet/2021/maui": _FORMS,
    "http://schemas.microsoft.com/dotnet/maui/global": _FORMS,
    "http://xamarin.com/schemas/2014/forms": _FORMS,
}
"""Namespaces that the elements without a prefix are in, by XML namespace: of WPF, UWP and WinUI, Avalonia, .NET MAUI and Xamarin.Forms."""
_LANGUAGE: Final = frozenset(
    {
        "http://schemas.microsoft.com/winfx/2006/xaml",
        "http://schemas.microsoft.com/winfx/2009/xaml",
        "http://schemas.microsoft.com/netfx/2007/xaml",
    }
)
_NO_TYPES: Final = frozenset(
    {
        "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "http://schemas.microsoft.com/winfx/2006/xaml/presentation/options",
    }
)
_DESIGN: Final = "http://schemas.microsoft.com/expression/blend/2008"
_CLR: Final = re.compile(r"(?:clr-namespace|using):\s*([\w.]+)")
_VALUES: Final = re.compile(r"System(?:\.Collections(?:\.Generic)?)?")
"""Namespaces of what pages write values with, ``<system:String>``."""


class Standing(IntEnum):
    """What an XML namespace is to a page."""

    UNKNOWN = 0
    """It holds no types."""
    LANGUAGE = 1
    """``x:Class``, ``x:Name``."""
    DESIGN = 2
    FRAMEWORK = 3
    """Elements of the framework: few of their attributes are names."""
    CODE = 4
    """One namespace of .NET, by name, or what the code says for itself (``XmlnsDefinitionAttribute``)."""
    VALUES = 5


class Prefix(NamedTuple):
    """``alias``: what the C# calls it. ``namespaces``: of .NET, which it holds."""

    standing: Standing
    alias: str = ""
    namespaces: tuple[str, ...] = ()

    @property
    def has_types(self) -> bool:
        return bool(self.namespaces)


NO_PREFIX: Final = Prefix(Standing.UNKNOWN)


def prefix(name: str, uri: str) -> Prefix:
    """What ``xmlns:name="…"`` declares; ``name`` is empty for elements without a prefix."""
    alias = "__" + re.sub(r"\W", "_", name)
    if uri in _LANGUAGE:
        return Prefix(Standing.LANGUAGE)
    if uri == _DESIGN:
        return Prefix(Standing.DESIGN)
    clr = _CLR.match(uri)
    if clr is not None:
        standing = Standing.VALUES if _VALUES.fullmatch(clr[1]) else Standing.CODE
        return Prefix(standing, alias, (clr[1],))
    if not uri or uri in _NO_TYPES:
        return NO_PREFIX
    held = FRAMEWORKS.get(uri, ())
    return Prefix(Standing.FRAMEWORK if held else Standing.CODE, alias, (*held, xml_namespace(uri)))
