"""Properties that the source generators of CommunityToolkit.Mvvm make of members: ``[ObservableProperty] string _name`` is ``Name``, too,
and ``[RelayCommand] Task SaveAsync()`` is ``SaveCommand`` (documentation of the MVVM Toolkit, *ObservableProperty* and *RelayCommand*).

Nothing of them is written, so they are not listed: what names one means the member that it is made of.
"""

from __future__ import annotations

from typing import Final

from codemap_plugins.csharp.page_names import MEANS
from codemap_plugins.csharp.unit import DeclarationKind, MemberDeclaration

_OBSERVABLE: Final = frozenset({"ObservableProperty", "ObservablePropertyAttribute"})
_COMMAND: Final = frozenset({"RelayCommand", "RelayCommandAttribute"})
_ON: Final = "On"
_ASYNC: Final = "Async"
_TASK: Final = "Task"


def generated_property(declaration: MemberDeclaration) -> str:
    """The name of the property that is made of a member; empty where none is."""
    if not declaration.attributes:
        return ""
    said = {each.name.text.rpartition(".")[2] for each in declaration.attributes if not each.target}
    if declaration.kind is DeclarationKind.FIELD and said & _OBSERVABLE:
        return _property_name(declaration.name)
    if declaration.kind is DeclarationKind.METHOD and said & _COMMAND:
        return _command_name(declaration)
    return ""


def made_for(declaration: MemberDeclaration) -> str | None:
    """What a member that is made of another file means: ``Member`` or ``Type.Member``, empty for the type that it is in; null for one that
    is declared itself."""
    for each in declaration.attributes:
        if each.name.text == MEANS and each.arguments:
            return str(each.arguments[0].value or "")
    return None


def is_task(declaration: MemberDeclaration) -> bool:
    """A method that a command awaits."""
    return declaration.type is not None and declaration.type.text.rpartition(".")[2] == _TASK


def _property_name(field: str) -> str:
    """``name``, ``_name`` and ``m_name`` are ``Name``."""
    bare = (field.removeprefix("m_") if field.startswith("m_") else field).lstrip("_")
    name = bare[:1].upper() + bare[1:]
    return name if name != field else ""


def _command_name(declaration: MemberDeclaration) -> str:
    """Of the method's name without ``On`` before it, and, where it gives a task, without ``Async`` behind."""
    name = declaration.name
    if name.startswith(_ON) and len(name) > len(_ON) and not name[len(_ON)].islower():
        name = name[len(_ON) :]
    if is_task(declaration):
        name = name.removesuffix(_ASYNC)
    return f"{name}Command"
