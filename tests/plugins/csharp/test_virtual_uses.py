"""Which uses of a member are decided at run time (ECMA-334 §15.6.4), and which never are."""

from __future__ import annotations

import pytest

from codemap_core.hooks.manager import load_plugins
from codemap_core.model import ReferenceRow, RefKind
from codemap_core.testing.source_index import index_sources

PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
</Project>
"""
SOURCE = """using System;
namespace Zoo;

public interface IVoice
{
    void Speak();
    private void Whisper() { }
    static void Hush() { }
    void Quietly() => Whisper();
    int Pitch { get; }
    event Action Heard;
    static abstract IVoice Make();
}
public class Animal : IVoice
{
    public virtual void Speak() { }
    public void Sleep() { }
    public virtual int Pitch => 1;
    public event Action Heard = () => { };
    public static IVoice Make() => new Animal();
    public virtual int this[int i] => i;
}
public class Dog : Animal
{
    public sealed override void Speak()
    {
        base
            .Speak();
    }
    public override int Pitch => base.Pitch;
    public override int this[int i] => base[i];
    public Action Later() => base.Speak;
}
public sealed class Fish : Animal { }
public struct Bell : IVoice
{
    public void Speak() { }
    public int Pitch => 3;
    public event Action Heard { add { } remove { } }
    public static IVoice Make() => new Bell();
}
public static class Uses
{
    public static void ByInterface(IVoice v) => v.Speak();
    public static void ByClass(Animal a) => a.Speak();
    public static void OfSealedMember(Dog d) => d.Speak();
    public static void OfSealedClass(Fish f) => f.Speak();
    public static void OfValue(Bell b) => b.Speak();
    public static void NotVirtual(Animal a) => a.Sleep();
    public static void OfInterfaceItself() => IVoice.Hush();
    public static int Read(IVoice v) => v.Pitch;
    public static int Element(Animal a) => a[1];
    public static void Subscribe(IVoice v) => v.Heard += () => { };
    public static Action Group(Animal a) => a.Speak;
    public static IVoice Made<T>() where T : IVoice => T.Make();
    public static string Named() => nameof(IVoice.Speak);
    public static string OfLibrary(object o) => o.ToString()!;
    public static int OfString(string s) => s.IndexOf('a');
}
"""


@pytest.fixture(scope="module")
def references() -> list[ReferenceRow]:
    rows = index_sources({"src/Zoo.csproj": PROJECT, "src/Zoo.cs": SOURCE}, load_plugins(blocked=()))
    return [row for row in rows.references if row.to_symbol is not None]


@pytest.mark.parametrize(
    ("member", "kind", "is_virtual"),
    [
        ("Uses.ByInterface(", RefKind.CALL, True),
        ("Uses.ByClass(", RefKind.CALL, True),
        ("Uses.OfSealedMember(", RefKind.CALL, False),
        ("Uses.OfSealedClass(", RefKind.CALL, False),
        ("Uses.OfValue(", RefKind.CALL, False),
        ("Uses.NotVirtual(", RefKind.CALL, False),
        ("Uses.OfInterfaceItself", RefKind.CALL, False),
        ("Uses.Read(", RefKind.READ, True),
        ("Uses.Element(", RefKind.READ, True),
        ("Uses.Subscribe(", RefKind.EVENT_SUBSCRIBE, True),
        ("Uses.Group(", RefKind.METHOD_GROUP, True),
        ("Uses.Made``1", RefKind.CALL, True),
        ("Uses.Named", RefKind.NAMEOF, False),
        ("Uses.OfLibrary(", RefKind.CALL, True),
        ("Uses.OfString(", RefKind.CALL, False),
        ("IVoice.Quietly", RefKind.CALL, False),
        ("Dog.Speak", RefKind.CALL, False),
        ("Dog.Speak", RefKind.OVERRIDE, False),
        ("Dog.Pitch", RefKind.READ, False),
        ("Dog.Item(", RefKind.READ, False),
        ("Dog.Later", RefKind.METHOD_GROUP, False),
    ],
)
def test_a_use_says_whether_it_is_decided_at_run_time(
    references: list[ReferenceRow], member: str, kind: RefKind, is_virtual: bool
) -> None:
    found = [r for r in references if f"Zoo.{member}" in (r.from_symbol or "") and r.kind is kind]
    assert found, "the use is not among the references"
    assert {r.is_virtual for r in found} == {is_virtual}
