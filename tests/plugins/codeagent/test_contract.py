"""Every example of the contract, and what it says of each tool, over standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codemap_plugins.codeagent.edges import EdgeType
from tests.plugins.codeagent import auth_app
from tests.plugins.codeagent.conftest import Ask
from tests.server.raw_client import RawClient
from tests.server.shop import commit, git

SERVICE = "T:MyApp.Auth.AuthService"
AUTHENTICATE = "M:MyApp.Auth.AuthService.Authenticate(System.String,System.String)"
FOUND = {
    "name": "Authenticate",
    "qualified_name": "MyApp.Auth.AuthService.Authenticate",
    "node_type": "method",
    "language": "csharp",
    "file_path": "src/Auth/AuthService.cs",
    "line_start": 42,
    "line_end": 58,
    "access_modifier": "public",
    "parameter_signature": "(string username, string password)",
    "return_type": "Task<AuthResult>",
}


def names(rows: list[dict[str, Any]], *also: str) -> list[Any]:
    return [(row["name"], *(row[key] for key in also)) if also else row["name"] for row in rows]


def error_of(ask: Ask, tool: str, **arguments: object) -> tuple[str, str]:
    found = ask(tool, **arguments)
    assert set(found) == {"error"}, found
    assert set(found["error"]) == {"code", "message"}
    return found["error"]["code"], found["error"]["message"]


@pytest.mark.parametrize("query", ["Authenticate*", "authenticate", "Auth* AND password", "AuthService.Authenticate"])
def test_symbols_are_searched(ask: Ask, query: str) -> None:
    rows = ask("search_symbols", query=query)
    found = next(row for row in rows if row["name"] == "Authenticate" and row["line_start"] == 42)
    assert {key: found[key] for key in FOUND} == FOUND
    assert found["rank"] < 0
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)
    assert set(found) == {*FOUND, "node_id", "rank"}


def test_a_type_comes_before_what_else_is_called_so(ask: Ask) -> None:
    rows = ask("search_symbols", query="AuthService")
    assert names(rows, "node_type")[:2] == [("AuthService", "class"), ("AuthService", "constructor")]
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)


def test_searches_are_filtered(ask: Ask) -> None:
    assert set(names(ask("search_symbols", query="IAuth*", node_type="interface"), "node_type")) == {
        ("IAuthService", "interface")
    }
    assert {"AuthService", "AuthResult"} <= set(names(ask("search_symbols", query="Auth*", node_type="constructor")))
    assert set(names(ask("search_symbols", query="_users OR Realm", node_type="property"))) == {"_users", "Realm"}
    assert ask("search_symbols", query="Auth*", project_id="Controllers", node_type="class") == []
    assert names(
        ask("search_symbols", query="Login*", project_id="src/Controllers/Controllers.csproj", node_type="class")
    ) == ["LoginController"]
    assert names(ask("search_symbols", query="login", node_type="file"), "node_id") == [
        ("LoginController.cs", "file:src/Controllers/LoginController.cs")
    ]
    assert names(ask("search_symbols", query="auth", node_type="module"), "node_id") == [("Auth", "N:MyApp.Auth")]
    assert len(ask("search_symbols", query="Auth*", limit=1)) == 1
    assert ask("search_symbols", query="Auth*", language="csharp") == ask("search_symbols", query="Auth*")


def test_a_language_that_is_not_there_says_so(server: RawClient) -> None:
    answer, note = server.call("search_symbols", {"query": "Auth*", "language": "typescript"})["content"]
    assert answer["text"] == "[]"
    assert note["text"] == "This repository has no typescript files."


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"query": "Auth", "node_type": "klass"}, "invalid_parameter"),
        ({"query": "Auth", "language": "java"}, "invalid_parameter"),
        ({"query": "Auth", "limit": 51}, "invalid_parameter"),
        ({"query": "Auth", "limit": 0}, "invalid_parameter"),
        ({"query": "Auth", "project_id": "Shop"}, "not_found"),
        ({"query": ""}, "invalid_parameter"),
        ({"query": "..."}, "invalid_parameter"),
        ({"query": "name : Auth"}, "invalid_parameter"),
        ({"query": "NEAR(a b)"}, "invalid_parameter"),
        ({}, "invalid_parameter"),
    ],
)
def test_searches_that_make_no_sense_are_refused(ask: Ask, arguments: dict[str, Any], code: str) -> None:
    assert error_of(ask, "search_symbols", **arguments)[0] == code


def test_a_symbol_is_looked_up_by_its_exact_name(ask: Ask) -> None:
    rows = ask("lookup_symbol", qualified_name="MyApp.Auth.AuthService.Authenticate")
    assert names(rows, "parameter_signature") == [
        ("Authenticate", "(string username, string password)"),
        ("Authenticate", "(string token)"),
    ]
    assert {key: rows[0][key] for key in FOUND} == FOUND
    for absent in ("AuthService.Authenticate", "MyApp.Auth.AuthService.authenticate", "MyApp.Auth"):
        assert error_of(ask, "lookup_symbol", qualified_name=absent)[0] == "not_found"
    assert (
        error_of(ask, "lookup_symbol", qualified_name=FOUND["qualified_name"], project_id="Controllers")[0]
        == "not_found"
    )
    code, message = error_of(ask, "lookup_symbol", qualified_name=FOUND["qualified_name"], language="typescript")
    assert (code, "Without project_id and language, 2 symbols have" in message) == ("not_found", True)


def test_a_symbol_has_its_metadata(ask: Ask) -> None:
    found = ask("get_symbol", node_id=AUTHENTICATE)
    assert found == FOUND | {
        "node_id": found["node_id"],
        "is_public_api": True,
        "is_static": False,
        "is_abstract": False,
        "is_async": True,
        "is_override": False,
        "is_deprecated": False,
        "has_doc_comment": True,
        "parse_status": "full",
        "parameter_count": 2,
        "reference_count": 2,
    }
    assert found["node_id"].startswith("sym_")
    assert ask("get_symbol", node_id=found["node_id"]) == found


@pytest.mark.parametrize(
    ("node_id", "expected"),
    [
        (
            "M:MyApp.Auth.AuthService.Check(System.String)",
            {"is_deprecated": True, "return_type": "bool", "has_doc_comment": False},
        ),
        ("M:MyApp.Auth.AuthService.Describe", {"is_override": True, "parameter_count": 0, "parameter_signature": "()"}),
        ("M:MyApp.Auth.AuthServiceBase.Describe", {"is_abstract": True, "is_public_api": True}),
        ("M:MyApp.Auth.AuthService.Create(MyApp.Data.UserStore)", {"is_static": True, "node_type": "method"}),
        ("P:MyApp.Auth.AuthService.Realm", {"node_type": "property", "return_type": "string"}),
        (
            "F:MyApp.Auth.AuthService._users",
            {"is_public_api": False, "access_modifier": "private", "return_type": "UserStore"},
        ),
        ("E:MyApp.Auth.AuthService.LockedOut", {"node_type": "property", "return_type": "EventHandler?"}),
        ("T:MyApp.Auth.IAuthService", {"node_type": "interface", "is_abstract": True}),
        ("T:MyApp.Auth.AuthResult", {"node_type": "class"}),
    ],
)
def test_metadata_of_other_symbols(ask: Ask, node_id: str, expected: dict[str, Any]) -> None:
    found = ask("get_symbol", node_id=node_id)
    assert {key: found.get(key) for key in expected} == expected


@pytest.mark.parametrize(
    "node_id", ["...", "sym_0000000000000000", "T:MyApp.Nothing", "file:nothing.cs", "N:Nothing", "AuthService"]
)
def test_a_node_that_is_not_there_is_not_found(ask: Ask, node_id: str) -> None:
    for tool in ("get_symbol", "get_source_spans", "get_callers", "get_references", "get_dependencies"):
        code, message = error_of(ask, tool, node_id=node_id)
        assert code == "not_found"
        assert message.startswith(f"No symbol found with node_id '{node_id}'")


@pytest.mark.parametrize("node_id", [5, 5.5, "-17", True, [], {"id": 5}])
def test_what_cannot_be_a_node_id_is_an_invalid_parameter(ask: Ask, node_id: object) -> None:
    for tool in ("get_symbol", "get_callers", "get_dependents", "find_similar"):
        assert error_of(ask, tool, node_id=node_id)[0] == "invalid_parameter"


def test_source_spans_are_primary_first(ask: Ask) -> None:
    assert ask("get_source_spans", node_id=AUTHENTICATE) == [
        {"file_path": "src/Auth/AuthService.cs", "line_start": 42, "line_end": 58, "is_primary": True}
    ]
    assert ask("get_source_spans", node_id="T:MyApp.Data.UserStore") == [
        {"file_path": "src/Auth/UserStore.Saving.cs", "line_start": 3, "line_end": 6, "is_primary": True},
        {"file_path": "src/Auth/UserStore.cs", "line_start": 11, "line_end": 16, "is_primary": False},
    ]


def test_a_file_is_outlined_by_line(ask: Ask) -> None:
    rows = ask("get_file_outline", path="src/Auth/AuthService.cs")
    service = next(row for row in rows if row["name"] == "AuthService" and row["node_type"] == "class")
    assert service == {
        "node_id": ask("get_symbol", node_id=SERVICE)["node_id"],
        "name": "AuthService",
        "qualified_name": "MyApp.Auth.AuthService",
        "node_type": "class",
        "line_start": 10,
        "line_end": 120,
        "access_modifier": "public",
    }
    method = next(row for row in rows if row["line_start"] == 42)
    assert method["parameter_signature"] == "(string username, string password)"
    assert method["return_type"] == "Task<AuthResult>"
    assert [row["line_start"] for row in rows] == sorted(row["line_start"] for row in rows)
    second = ask("get_file_outline", path="src/Auth/UserStore.cs")
    assert names(second, "line_start")[-3:] == [("UserStore", 11), ("_byName", 13), ("Find", 15)]
    assert error_of(ask, "get_file_outline", path="src/Nothing.cs")[0] == "not_found"
    assert error_of(ask, "get_file_outline", path="../outside/secret.txt")[0] == "path_escape"


def test_callers(ask: Ask, server: RawClient) -> None:
    rows = ask("get_callers", node_id=AUTHENTICATE)
    controller = next(row for row in rows if row["name"].startswith("LoginController"))
    assert controller == {
        "node_id": controller["node_id"],
        "name": "LoginController.HandleLogin",
        "qualified_name": "MyApp.Controllers.LoginController.HandleLogin",
        "node_type": "method",
        "file_path": "src/Controllers/LoginController.cs",
        "line_start": 25,
        "confidence": "exact",
    }
    assert names(rows) == ["AuthService.Authenticate", "LoginController.HandleLogin"]
    _, note = server.call("get_callers", {"node_id": AUTHENTICATE})["content"]
    assert "IAuthService.Authenticate (sym_" in note["text"]
    assert names(ask("get_callers", node_id="M:System.Threading.Tasks.Task.Yield")) == ["AuthService.Authenticate"]


def test_callees(ask: Ask, server: RawClient) -> None:
    rows = ask("get_callees", node_id=AUTHENTICATE)
    assert names(rows) == ["AuthResult.AuthResult", "UserStore.Find", "EventHandler.Invoke", "Task.Yield"]
    assert rows[-1] == {
        "node_id": "M:System.Threading.Tasks.Task.Yield",
        "name": "Task.Yield",
        "qualified_name": "System.Threading.Tasks.Task.Yield",
        "node_type": "method",
        "external": True,
        "confidence": "exact",
    }
    answer, note = server.call("get_callees", {"node_id": SERVICE})["content"]
    assert answer["text"] == "[]"
    assert "calls nothing itself" in note["text"]


def test_implementations(ask: Ask) -> None:
    assert names(ask("get_implementations", node_id="T:MyApp.Auth.IAuthService"), "edge_type") == [
        ("AuthService", "implements")
    ]
    assert names(ask("get_implementations", node_id="T:MyApp.Auth.AuthServiceBase"), "edge_type") == [
        ("AuthService", "extends")
    ]
    member = "M:MyApp.Auth.IAuthService.Authenticate(System.String,System.String)"
    assert names(ask("get_implementations", node_id=member), "edge_type") == [
        ("AuthService.Authenticate", "implements")
    ]


def test_references(ask: Ask) -> None:
    rows = names(ask("get_references", node_id=SERVICE), "edge_type")
    assert ("LoginController.Title", "references") in rows
    assert ("LoginController.LoginController", "references") in rows
    assert ("AuthService.Create", "calls") in rows
    assert names(ask("get_references", node_id="T:MyApp.Auth.Rules"), "edge_type") == [
        ("LoginController.cs", "imports")
    ]
    assert ("AuthService", "extends") in names(
        ask("get_references", node_id="T:MyApp.Auth.AuthServiceBase"), "edge_type"
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("get_callers", {"node_id": "P:MyApp.Auth.AuthService.Realm"}, "read and written, and not called"),
        ("get_callers", {"node_id": "T:MyApp.Auth.INamed"}, "A type is called where it is created"),
        ("get_implementations", {"node_id": "T:MyApp.Auth.INamed"}, "it too: IAuthService (sym_"),
        ("search_symbols", {"query": "Authenticate", "node_type": "interface"}, "3 symbols match."),
        ("search_symbols", {"query": "UserService", "node_type": "class"}, "A word is matched whole"),
        ("get_callers", {"node_id": "M:MyApp.Auth.AuthService.Check(System.String)"}, "calls it"),
        ("get_callees", {"node_id": "M:MyApp.Controllers.LoginController.Title"}, "calls nothing"),
        ("get_implementations", {"node_id": SERVICE}, "implements or extends it"),
        ("get_references", {"node_id": "T:MyApp.Controllers.LoginController"}, "refers to it"),
        ("get_dependents", {"node_id": SERVICE, "edge_type": "overrides"}, "no incoming edges of the type overrides"),
        ("get_file_outline", {"path": "notes.txt"}, "as text"),
    ],
)
def test_an_empty_answer_says_why(server: RawClient, tool: str, arguments: dict[str, str], expected: str) -> None:
    answer, *notes = server.call(tool, arguments)["content"]
    assert answer["text"] == "[]"
    assert expected in notes[-1]["text"]


def test_what_no_symbol_owns_is_the_files(environment: dict[str, str], tmp_path: Path) -> None:
    """An alias, a type named relative to a namespace, and an attribute of the assembly."""
    folder = tmp_path / "app"
    folder.mkdir()
    for name, text in {
        "App.csproj": '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup></Project>',
        "Marks.cs": "namespace Shop;\npublic class Mark : System.Attribute { public Mark(System.Type type) { } }\nclass Order { }\n",
        "Use.cs": "using Sale = Shop.Order;\n[assembly: Shop.Mark(typeof(Shop.Order))]\nclass Use { }\n",
        "Inner.cs": "namespace Shop { using Other = Order; class Inner { } }\n",
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "init", "--quiet")
    commit(folder, "First")
    with RawClient(
        {**environment, "CODEMAP_HOME": str(tmp_path / "data")}, 'toolsets=("codeagent",)', str(folder)
    ) as own:
        own.initialize()
        assert own.call_json("index_files", {"paths": ["Use.cs"]})[0]["indexed"] == 1
        rows = own.call_json("get_references", {"node_id": "T:Shop.Order"})[0]
        assert names(rows, "edge_type") == [("Inner.cs", "imports"), ("Use.cs", "imports"), ("Use.cs", "references")]
        rows = own.call_json("get_dependents", {"node_id": "T:Shop.Mark", "edge_type": "references"})[0]
        assert names(rows) == ["Use.cs"]


APP_PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework><OutputType>Exe</OutputType></PropertyGroup>
</Project>
"""
COMMENTED = {
    "Inherited": True,
    "Remarked": True,
    "Starred": True,
    "Apart": True,
    "First": True,
    "Second": False,
    "Plain": False,
    "Ruled": False,
    "Boxed": False,
    "Behind": False,
}
"""Whether a documentation comment stands before each member of ``Notes``."""
NOTES = """class Notes
{
    /// <inheritdoc/>
    public void Inherited() { }
    /// <remarks>No summary.</remarks>
    [System.Obsolete]
    public void Remarked() { }
    /** <inheritdoc/>
      */
    public void Starred() { }
    /// <inheritdoc/>

    // another comment
    #region Apart
    public void Apart() { }
    #endregion
    /// <inheritdoc/>
    int First() => 1; int Second() => 2;
    // no documentation
    public void Plain() { }
    //// a rule
    public void Ruled() { }
    /*** a box ***/
    public void Boxed() { }
    int field; /** <inheritdoc/> */
    public void Behind() { }
}
"""


def test_parts_and_comments_are_those_of_the_text(environment: dict[str, str], tmp_path: Path) -> None:
    """Two programs: a part of the second one's ``Program`` lies beside its statements, and is not the first one's."""
    folder = tmp_path / "app"
    for name, text in {
        "One/One.csproj": APP_PROJECT,
        "One/Program.cs": "System.Console.WriteLine();\n",
        "One/Notes.cs": NOTES,
        "Two/Two.csproj": APP_PROJECT,
        "Two/Program.cs": "System.Console.WriteLine();\n",
        "Two/Program.Testing.cs": "public partial class Program { }\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "init", "--quiet")
    commit(folder, "First")
    own = {**environment, "CODEMAP_HOME": str(tmp_path / "data")}
    with RawClient(own, 'toolsets=("codeagent",)', str(folder)) as server:
        server.initialize()
        assert server.call_json("index_files", {"paths": ["One/Notes.cs"]})[0]["indexed"] == 1
        for path in ("One/Program.cs", "Two/Program.cs"):
            rows = server.call_json("get_file_outline", {"path": path})[0]
            assert sorted(names(rows)) == ["<Main>$", "Program"], path
        rows = server.call_json("get_file_outline", {"path": "One/Notes.cs"})[0]
        members = {row["name"]: row["node_id"] for row in rows}
        found = {name: server.call_json("get_symbol", {"node_id": members[name]})[0] for name in COMMENTED}
        assert {name: each["has_doc_comment"] for name, each in found.items()} == COMMENTED


OUTGOING = {
    "calls": (AUTHENTICATE, "UserStore.Find"),
    "inherits": ("T:MyApp.Auth.IAuthService", "INamed"),
    "implements": (SERVICE, "IAuthService"),
    "imports": ("file:src/Auth/AuthService.cs", "Data"),
    "overrides": ("M:MyApp.Auth.AuthService.Describe", "AuthServiceBase.Describe"),
    "references": (AUTHENTICATE, "AuthService._attempts"),
    "contains": (SERVICE, "AuthService.Realm"),
    "accepts": ("M:MyApp.Data.UserStore.Save(MyApp.Data.User)", "User"),
    "extends": (SERVICE, "AuthServiceBase"),
}
INCOMING = {
    "calls": (AUTHENTICATE, "LoginController.HandleLogin"),
    "inherits": ("T:MyApp.Auth.INamed", "IAuthService"),
    "implements": ("T:MyApp.Auth.IAuthService", "AuthService"),
    "imports": ("N:MyApp.Auth", "LoginController.cs"),
    "overrides": ("M:MyApp.Auth.AuthServiceBase.Describe", "AuthService.Describe"),
    "references": ("F:MyApp.Auth.AuthService._attempts", "AuthService.Authenticate"),
    "contains": (SERVICE, "Auth"),
    "accepts": ("T:MyApp.Data.User", "UserStore.Save"),
    "extends": ("T:MyApp.Auth.AuthServiceBase", "AuthService"),
}


@pytest.mark.parametrize("edge_type", EdgeType)
@pytest.mark.parametrize(
    ("tool", "direction", "expected"),
    [("get_dependencies", "outgoing", OUTGOING), ("get_dependents", "incoming", INCOMING)],
)
def test_edges_of_every_type(
    ask: Ask, tool: str, direction: str, expected: dict[str, Any], edge_type: EdgeType
) -> None:
    node_id, name = expected[edge_type]
    rows = ask(tool, node_id=node_id, edge_type=edge_type)
    assert name in names(rows)
    assert {row["edge_type"] for row in rows} == {edge_type}
    assert {row["direction"] for row in rows} == {direction}
    every = names(ask(tool, node_id=node_id), "edge_type")
    assert (name, edge_type) in every
    assert len(every) == len(set(map(str, ask(tool, node_id=node_id))))
    assert error_of(ask, tool, node_id=node_id, edge_type="uses")[0] == "invalid_parameter"


def test_a_base_class_is_inherited_too(ask: Ask) -> None:
    assert names(ask("get_dependencies", node_id=SERVICE, edge_type="inherits")) == ["AuthServiceBase"]
    assert ("AuthServiceBase", "inherits") not in names(ask("get_dependencies", node_id=SERVICE), "edge_type")


def test_what_is_contained_can_be_walked_from_a_file(ask: Ask) -> None:
    rows = ask("get_dependencies", node_id="file:src/Auth/IAuthService.cs", edge_type="contains")
    assert names(rows) == ["INamed", "IAuthService", "AuthServiceBase", "Rules"]
    assert names(ask("get_dependencies", node_id="N:MyApp.Data", edge_type="contains")) == ["UserStore", "User"]


@pytest.mark.parametrize(
    ("accepted", "name"),
    [
        ("T:System.String", "AuthResult.AuthResult"),
        ("T:System.String", "AuthService.Check"),
        ("T:MyApp.Data.UserStore", "AuthService.Create"),
    ],
)
def test_what_accepts_a_type_is_found_from_there(ask: Ask, accepted: str, name: str) -> None:
    """Also where a keyword stands for it, and in a primary constructor."""
    (taker,) = [row for row in ask("get_dependents", node_id=accepted, edge_type="accepts") if row["name"] == name]
    back = ask("get_dependencies", node_id=taker["node_id"], edge_type="accepts")
    assert accepted in {f"T:{row['qualified_name']}" for row in back}


def test_a_librarys_namespace_leads_back_to_what_imports_it(ask: Ask) -> None:
    """Whatever an edge names can be asked about."""
    tasks = next(
        row
        for row in ask("get_dependencies", node_id="file:src/Auth/AuthService.cs", edge_type="imports")
        if row["qualified_name"] == "System.Threading.Tasks"
    )
    assert tasks["external"] is True
    found = ask("get_symbol", node_id=tasks["node_id"])
    assert (found["node_type"], found["external"]) == ("module", True)
    assert "external" not in ask("get_symbol", node_id="N:MyApp.Auth")
    importing = names(ask("get_dependents", node_id=tasks["node_id"], edge_type="imports"))
    assert {"AuthService.cs", "IAuthService.cs"} <= set(importing)


def test_status(ask: Ask, app_folder: Path) -> None:
    found = ask("get_status")
    assert list(found) == [
        "healthy",
        "schema_version",
        "indexed_files",
        "indexed_symbols",
        "languages",
        "watcher_active",
        "last_batch_at",
        "embedding_model",
        "embeddings_count",
    ]
    assert found["healthy"] is True
    assert found["indexed_files"] == len(auth_app.FILES)
    assert found["languages"] == ["csharp"]
    assert found["watcher_active"] is False
    assert len(found["last_batch_at"]) == len("2026-02-24T10:15:30Z")
    assert str(app_folder.parent) not in str(found)


def test_files_are_indexed_as_they_are_on_disk(environment: dict[str, str], tmp_path: Path) -> None:
    folder = auth_app.create(tmp_path / "app")
    own = {**environment, "CODEMAP_HOME": str(tmp_path / "data")}
    with RawClient(own, 'toolsets=("codeagent",), live=False', str(folder)) as server:
        server.initialize()
        assert server.call_json("index_files", {"paths": ["src/../notes.txt"]}) == ({"indexed": 1, "errors": []}, False)
        assert server.call("search_symbols", {"query": "Forgotten"})["content"][0]["text"] == "[]"
        store = folder / "src/Auth/UserStore.cs"
        text = store.read_text(encoding="utf-8")
        store.write_text(
            text.replace("Find(string name)", "Find(string name, bool forgotten = false)"), encoding="utf-8"
        )
        (folder / "src/Auth/Forgotten.cs").write_text("class Forgotten { }\n", encoding="utf-8")
        found, _ = server.call_json(
            "index_files",
            {
                "paths": [
                    "src/Auth/UserStore.cs",
                    "src/Auth/Forgotten.cs",
                    "absent.cs",
                    "debug.log",
                    "src",
                    "links/note",
                ]
            },
        )
        assert found["indexed"] == 2, found
        assert {each["path"]: each["code"] for each in found["errors"]} == {
            "absent.cs": "not_found",
            "debug.log": "index_error",
            "src": "invalid_parameter",
            "links/note": "index_error",
        }
        assert "Forgotten" in names(server.call_json("search_symbols", {"query": "Forgotten"})[0])
        (find,) = server.call_json("lookup_symbol", {"qualified_name": "MyApp.Data.UserStore.Find"})[0]
        assert find["parameter_signature"] == "(string name, bool forgotten = false)"
        callers = server.call("get_callers", {"node_id": find["node_id"]})["content"][0]["text"]
        assert "MyApp.Auth.AuthService.Authenticate" in callers
        commit(folder, "Edited")
        assert '"healthy":false' in server.call("get_status")["content"][0]["text"]
        assert server.call_json("index_files", {"paths": ["notes.txt"]}) == ({"indexed": 1, "errors": []}, False)
        assert "Forgotten" in names(server.call_json("search_symbols", {"query": "Forgotten"})[0])


def test_a_server_follows_the_working_tree_and_says_so(environment: dict[str, str], tmp_path: Path) -> None:
    """As the contract's does from its start, without being told to."""
    folder = auth_app.create(tmp_path / "app")
    own = {**environment, "CODEMAP_HOME": str(tmp_path / "data")}
    with RawClient(own, 'toolsets=("codeagent",)', str(folder)) as server:
        server.initialize()
        assert server.call("index_files", {"paths": ["notes.txt"]})["content"][0]["text"] == '{"indexed":1,"errors":[]}'
        (folder / "src/Auth/Forgotten.cs").write_text("class Forgotten { }\n", encoding="utf-8")
        assert "Forgotten" in server.call("search_symbols", {"query": "Forgotten"})["content"][0]["text"]
        assert '"watcher_active":true' in server.call("get_status")["content"][0]["text"]
        similar = server.call("find_similar", {"node_id": SERVICE, "limit": 1})
        assert "IAuthService" in similar["content"][0]["text"]


def test_calls_of_index_files_are_checked(ask: Ask) -> None:
    assert error_of(ask, "index_files", paths=["notes.txt", "../outside/secret.txt"])[0] == "path_escape"
    assert error_of(ask, "index_files", paths=[f"{number}.cs" for number in range(101)])[0] == "too_large"
    assert error_of(ask, "index_files", paths=[])[0] == "invalid_parameter"


def test_without_an_index_the_engine_is_unavailable(environment: dict[str, str], tmp_path: Path) -> None:
    folder = auth_app.create(tmp_path / "app")
    own = {**environment, "CODEMAP_HOME": str(tmp_path / "data")}
    with RawClient(own, 'toolsets=("codeagent",)', str(folder)) as server:
        server.initialize()
        found, is_error = server.call_json("get_symbol", {"node_id": SERVICE})
        assert is_error
        assert found["error"]["code"] == "engine_unavailable"
        assert str(tmp_path) not in found["error"]["message"]
        result = server.call("get_status")
        assert '"healthy":false' in result["content"][0]["text"]
        assert "There is no usable index" in result["content"][1]["text"]
        assert server.call_json("index_files", {"paths": ["notes.txt"]}) == ({"indexed": 1, "errors": []}, False)
        status = server.call("get_status")  # a line about edits that are taken up may follow
        assert '"healthy":true' in status["content"][0]["text"]


def test_outside_a_repository_the_engine_is_unavailable(environment: dict[str, str], tmp_path: Path) -> None:
    with RawClient(environment, 'toolsets=("codeagent",)', str(tmp_path)) as server:
        server.initialize()
        for tool, arguments in (
            ("list_directory", {}),
            ("get_symbol", {"node_id": SERVICE}),
            ("index_files", {"paths": ["a"]}),
        ):
            found, is_error = server.call_json(tool, arguments)
            assert is_error
            assert found["error"]["code"] == "engine_unavailable"
            assert str(tmp_path) not in found["error"]["message"]
