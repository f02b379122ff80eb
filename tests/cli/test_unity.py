"""A Unity project, from the console script: its assemblies are projects, and its engine is bound against where the editor is installed."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Shell
from tests.clone import Clone
from tests.plugins.csharp.metadata.assembly_builder import (
    METHOD_PUBLIC,
    PUBLIC,
    STATIC,
    STRING,
    VOID,
    AssemblyBuilder,
    method_signature,
)

PROJECT = {
    "ProjectSettings/ProjectVersion.txt": "m_EditorVersion: 2022.3.9f1\n",
    "Assets/Core/Core.asmdef": '{"name": "Shop.Core"}',
    "Assets/Core/Cart.cs": "namespace Shop { public class Cart { public void Clear() { } } }",
    "Assets/Play/Play.asmdef": '{"name": "Shop.Play", "references": ["Shop.Core"]}',
    "Assets/Play/Desk.cs": """using UnityEngine;
namespace Shop {
    public class Desk : MonoBehaviour {
        void Start() {
            new Cart().Clear();
            Debug.Log("ready");
#if UNITY_ANDROID
            Phone();
#endif
        }
    }
}
""",
}


def _install(codemap: Shell) -> None:
    builder = AssemblyBuilder("UnityEngine.CoreModule", (0, 0, 0, 0))
    root = builder.type_ref("System.Object")
    builder.type_def(PUBLIC, "UnityEngine.MonoBehaviour", root)
    builder.type_def(PUBLIC, "UnityEngine.Debug", root)
    builder.method(METHOD_PUBLIC | STATIC, "Log", method_signature(VOID, STRING, is_static=True), (("message", 0),))
    managed = Path(codemap.environment["HOME"], "Unity/Hub/Editor/2022.3.9f1/Editor/Data/Managed/UnityEngine")
    managed.mkdir(parents=True)
    (managed / "UnityEngine.CoreModule.dll").write_bytes(builder.build())
    (managed / "UnityEditor.CoreModule.dll").write_bytes(
        AssemblyBuilder("UnityEditor.CoreModule", (0, 0, 0, 0)).build()
    )


def _targets(codemap: Shell, clone: Clone) -> list[str | None]:
    """Of the two calls outside ``#if``, in order."""
    rows = codemap.dump("refs", clone.root)
    return [row["to_symbol"] for row in rows if row["kind"] == "call" and row["line"] < 7]


def test_what_is_bound_with_the_engine_and_without(codemap: Shell, clone: Clone) -> None:
    clone.commit(PROJECT)
    said = codemap("index", clone.root)
    assert "Shop.Play" in said.stdout
    assert "Unity 2022.3.9f1 is not installed here" in codemap("status", clone.root).stdout
    assert _targets(codemap, clone) == ["M:Shop.Cart.Clear", None]
    _install(codemap)
    assert "libraries of this machine changed" in codemap("status", clone.root).stdout
    codemap("index", clone.root)
    assert _targets(codemap, clone) == ["M:Shop.Cart.Clear", "M:UnityEngine.Debug.Log(System.String)"]
    assert "is not installed here" not in codemap("status", clone.root).stdout


def test_a_definition_that_comes_and_goes(codemap: Shell, clone: Clone) -> None:
    clone.commit(PROJECT)
    codemap("index", clone.root)
    clone.remove("Assets/Play/Play.asmdef")
    clone.commit({"Assets/Core/Core.asmdef": '{"name": "Shop.Core", "autoReferenced": false}'})
    codemap("index", clone.root)
    assert _targets(codemap, clone)[0] is None, (
        "scripts without a definition see only those that are referenced by themselves"
    )


def test_code_for_another_platform_holds_on_its_condition(codemap: Shell, clone: Clone) -> None:
    clone.commit(PROJECT)
    codemap("index", clone.root)
    (called,) = [row for row in codemap.dump("refs", clone.root) if row["kind"] == "call" and row["line"] == 8]
    assert called["condition"] == "UNITY_ANDROID"


def test_what_the_repository_compiles_is_bound_to_its_sources(codemap: Shell, clone: Clone) -> None:
    clone.commit(PROJECT)
    builder = AssemblyBuilder("Shop.Core", (0, 0, 0, 0))
    builder.type_def(PUBLIC, "Shop.Cart", builder.type_ref("System.Object"))
    compiled = clone.root / "Library/ScriptAssemblies"
    compiled.mkdir(parents=True)
    (compiled / "Shop.Core.dll").write_bytes(builder.build())
    codemap("index", clone.root)
    assert _targets(codemap, clone)[0] == "M:Shop.Cart.Clear"


def test_an_assembly_that_lies_in_the_project_is_seen_where_the_catalog_has_it(codemap: Shell, clone: Clone) -> None:
    code = "using Newtonsoft.Json;\nclass Saved { string Text() => JsonConvert.SerializeObject(1); }\n"
    clone.commit({"ProjectSettings/ProjectVersion.txt": "m_EditorVersion: 2022.3.9f1\n", "Assets/Saved.cs": code})
    codemap("index", clone.root)
    assert _targets(codemap, clone) == [None]
    clone.commit({"Assets/Plugins/Newtonsoft.Json.dll": b"MZ\0"})
    codemap("index", clone.root)
    assert _targets(codemap, clone) == ["M:Newtonsoft.Json.JsonConvert.SerializeObject(System.Object)"]
