"""What the tools of both contracts answer about TypeScript beside C#, over standard input and output."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clone import Clone
from tests.server.raw_client import RawClient

Ask = Callable[..., Any]

FILES = {
    "Api/Api.csproj": '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework>'
    "</PropertyGroup></Project>",
    "Api/Order.cs": "namespace Api;\npublic class Order { public void Submit() { } }\n",
    "web/package.json": '{ "name": "web", "dependencies": { "@angular/core": "^20.0.0" } }',
    "web/tsconfig.json": '{ "compilerOptions": { "paths": { "@app/*": ["./app/*"] } } }',
    "web/app/order.ts": """import { Line } from '@app/line';

/** What is priced. */
export interface Priced { total(): number }

/** What a customer wants. */
export class Order implements Priced {
  private lines: Line[] = [];
  constructor(readonly id: string, first?: Line) { }
  total(): number { return this.lines[0].price; }
  async submit(by: Line, note = "x"): Promise<void> { this.total(); }
}
export const limit: number = 3;
""",
    "web/app/line.ts": "export class Line { price = 1; }\n",
    "web/app/rush.ts": "import { Order } from './order';\nexport class Rush extends Order { override total() { return 2; } }\n",
    "web/app/view.tsx": "import { Order } from './order';\nimport { Line } from '@app/line';\n"
    "export function View(props: { of: Order }) { return <b onClick={() => props.of.submit(new Line())}/>; }\n"
    "new Order('1').submit(new Line());\n",
    "web/app/kinds.ts": """import { Component } from '@angular/core';
@Component({ selector: 'app-page', template: '' })
export class Page { title = ''; $load() { } 'content-type' = ''; }
export type Lines = { [id: string]: number };
export enum Level { Low }
export namespace Tools { export function pick<T>(of: T) { return of; } }
export let count = 1;
declare module 'left.pad' { }
""",
    "web/node_modules/lib/index.d.ts": "export declare class Order {}\n",
    "web/dist/order.d.ts": "export declare class Order {}\n",
    "web/bundle.ts": "var a=1;" * 1000 + "\n",
    "web/translated.ts": "<?xml version='1.0'?><TS></TS>\n",
}
AMBIENT = {
    "globals.d.ts": "interface ImportMeta { env: string }\ndeclare module '*.svg' { const url: string; export default url; }\n",
    "order.ts": "export interface Order { id: string }\n",
    "extend.ts": """export {};
declare global { interface Window { shop: string } }
declare module './order' { interface Order { later: string } }
export declare function outside(): void;
function unused() { }
""",
    "main.ts": "import type { Order } from './order';\nlet order: Order;\norder.id;\n",
}
LAZY = {
    "main.ts": """import { Eager } from './eager';
declare function lazyNamed(load: () => Promise<unknown>, name: string): unknown;
lazyNamed(() => import('./list'), 'List');
lazyNamed(() => import('./pages'), 'Again');
lazyNamed(() => import(
  /* webpackChunkName: "detail" */
  './detail'), 'default');
new Eager();
""",
    "list.ts": "export function List() { }\nexport interface ListProps { of: string }\nfunction inner() { }\n",
    "detail.ts": "export default function Detail() { }\n",
    "pages/index.ts": "export { Again } from './again';\n",
    "pages/again.ts": "export function Again() { }\nexport function alone() { }\n",
    "eager.ts": "export class Eager { }\nexport function left() { }\n",
}
TOTAL = "M:web/app/order.ts.Order.total"
SUBMIT = "M:web/app/order.ts.Order.submit"
ORDER = "T:web/app/order.ts.Order"


def server_of(folder: Path, toolsets: str, **variables: str) -> RawClient:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("CODEMAP_", "CLAUDE_"))}
    environment = {**own, "CODEMAP_HOME": str(folder.parent / "data"), "HOME": str(folder.parent)}
    return RawClient(environment | variables, f'toolsets=("{toolsets}",), live=False', str(folder))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    clone = Clone(tmp_path_factory.mktemp("tools") / "shop")
    clone.commit(FILES)
    return clone.root


@pytest.fixture(scope="module")
def asked(folder: Path) -> Iterator[Ask]:
    """An answer of a tool of the codeagent contract."""
    with server_of(folder, "codeagent") as client:
        client.initialize()
        made, is_error = client.call_json("index.ensure_baseline")
        assert not is_error, made

        def ask(tool: str, **arguments: Any) -> Any:
            return json.loads(client.call(tool, arguments)["content"][0]["text"])

        yield ask


def test_both_languages_are_named(asked: Ask) -> None:
    assert asked("get_status")["languages"] == ["csharp", "typescript"]


def test_a_filter_by_language(asked: Ask) -> None:
    found = {
        language: [row["file_path"] for row in asked("lookup_symbol", qualified_name=name, language=language)]
        for language, name in (("typescript", "Order"), ("csharp", "Api.Order"))
    }
    assert found == {"typescript": ["web/app/order.ts"], "csharp": ["Api/Order.cs"]}
    assert {row["language"] for row in asked("search_symbols", query="Order", language="typescript")} == {"typescript"}
    assert {row["language"] for row in asked("search_symbols", query="Order", language="csharp")} == {"csharp"}


def test_kinds_of_nodes(asked: Ask) -> None:
    def named(node_type: str, query: str) -> list[str]:
        return [row["name"] for row in asked("search_symbols", query=query, node_type=node_type, language="typescript")]

    assert named("component", "View") == ["View"]
    assert named("component", "Page") == ["Page"]
    assert named("module", "order") == ["order.ts"]
    assert named("interface", "Priced") == ["Priced"]
    assert named("property", "limit") == ["limit"]
    assert named("file", "rush") == ["rush.ts"]
    assert [row["qualified_name"] for row in asked("search_symbols", query="Api", node_type="module")] == ["Api"]


def test_a_symbol_with_its_signature(asked: Ask) -> None:
    shown = asked("get_symbol", node_id=SUBMIT)
    assert {key: shown[key] for key in ("parameter_signature", "return_type", "parameter_count", "is_async")} == {
        "parameter_signature": '(by: Line, note = "x")',
        "return_type": "Promise<void>",
        "parameter_count": 2,
        "is_async": True,
    }
    assert asked("get_symbol", node_id="F:web/app/order.ts.limit")["return_type"] == "number"
    assert asked("get_symbol", node_id=ORDER)["has_doc_comment"] is True


def test_callers_and_what_implements(asked: Ask) -> None:
    callers = {row["name"] for row in asked("get_callers", node_id=SUBMIT)}
    assert callers == {"View", "view.tsx"}
    derived = {row["name"] for row in asked("get_implementations", node_id="T:web/app/order.ts.Priced")}
    assert derived == {"Order"}
    assert {row["name"] for row in asked("get_implementations", node_id=ORDER)} == {"Rush"}


def test_edges_of_imports_contents_and_parameters(asked: Ask) -> None:
    def ends(tool: str, node_id: str, edge_type: str) -> set[str]:
        return {row["name"] for row in asked(tool, node_id=node_id, edge_type=edge_type)}

    assert ends("get_dependencies", "file:web/app/order.ts", "imports") == {"Line", "line.ts"}
    assert ends("get_dependents", "file:web/app/order.ts", "imports") == {"rush.ts", "view.tsx"}
    assert ends("get_dependencies", "M:web/app/line.ts", "contains") == {"Line"}
    assert ends("get_dependents", ORDER, "contains") == {"order.ts"}
    assert ends("get_dependencies", SUBMIT, "accepts") == {"Line"}
    assert "Order.submit" in ends("get_dependents", "T:web/app/line.ts.Line", "accepts")
    assert ends("get_dependencies", "M:web/app/rush.ts.Rush.total", "overrides") == {"Order.total"}


def test_what_is_left_out(asked: Ask) -> None:
    paths = {row["file_path"] for row in asked("search_symbols", query="Order", language="typescript", limit=50)}
    assert not [path for path in paths if "node_modules" in path or "dist" in path]
    assert asked("search_symbols", query="translated", node_type="file")[0]["name"] == "translated.ts"
    assert asked("get_file_outline", path="web/bundle.ts") == []


def test_codemaps_own_tools(folder: Path) -> None:
    with server_of(folder, "all") as client:
        client.initialize()
        client.call_json("index.ensure_baseline")

        def text(tool: str, **arguments: Any) -> str:
            answer, is_error = client.call_json(tool, arguments)
            assert not is_error, answer
            return json.dumps(answer)

        found = text("symbols.search", query="Order")
        assert ORDER in found and "T:Api.Order" in found
        assert "web/app/view.tsx" in text("symbols.search", query="View", kinds=["component"])
        assert "submit(by: Line" in text("symbols.outline", file_path="web/app/order.ts")
        assert "What a customer wants." in text("symbols.get_card", symbol_id=ORDER)
        assert "web/app/rush.ts" in text("types.hierarchy", symbol_id=ORDER)
        assert "View" in text("graph.callers", symbol_id=SUBMIT)
        assert TOTAL in text("symbols.get_card", symbol="order.ts.Order.total")
        for name in ("view.tsx", "web/app/view.tsx"):
            assert '"M:web/app/view.tsx"' in text("symbols.get_card", symbol=name)
        assert TOTAL in text("graph.callees", symbol_id=SUBMIT)
        assert "web/app/view.tsx" in text("refs.find", symbol_id=ORDER)
        unused, is_error = client.call_json("symbols.unreferenced", {"file_path": "web/app/kinds.ts"})
        assert not is_error, unused
        members = {row["name"]: row.get("member_count", 0) for row in unused["data"]["rows"]}
        assert members == {"Page": 3, "Lines": 0, "Level": 1, "Tools": 1, "count": 0}


def test_what_is_elsewhere_or_imported_is_not_called_unused(tmp_path: Path) -> None:
    """TypeScript handbook, declaration merging: ambient declarations join with what a library or the platform declares. A module is used
    by being imported, and one that nothing imports may be where a program begins."""
    clone = Clone(tmp_path / "ambient")
    clone.commit(AMBIENT)
    with server_of(clone.root, "all") as client:
        client.initialize()
        client.call_json("index.ensure_baseline")
        answer, is_error = client.call_json("symbols.unreferenced", {"doubtful": True, "limit": 100})
        assert not is_error, answer
        rows = answer["data"]["rows"]
        sure = {row["name"] for row in rows if row["sureness"] == "unused"}
        ambient = {row["name"] for row in rows if "declares what is elsewhere" in row.get("doubts", ())}
        modules = {row["name"]: row.get("doubts", ()) for row in rows if row["kind"] == "module"}
    assert sure == {"unused"}
    assert {"ImportMeta", "*.svg", "Window", "./order", "outside"} <= ambient
    assert "unused" not in ambient
    assert "order.ts" not in modules, "it is imported"
    assert "entry point" in modules["main.ts"]


def test_exports_of_a_file_that_is_imported_as_a_value_may_be_used(tmp_path: Path) -> None:
    """ECMA-262 §13.3.10: ``import()`` gives a promise of the namespace object, which has the exports that exist at run time."""
    clone = Clone(tmp_path / "lazy")
    clone.commit(LAZY)
    with server_of(clone.root, "all") as client:
        client.initialize()
        client.call_json("index.ensure_baseline")
        answer, is_error = client.call_json("symbols.unreferenced", {"doubtful": True, "limit": 100})
        assert not is_error, answer
        rows = answer["data"]["rows"]
    values = {row["name"] for row in rows if "exported by a file that is imported as a value" in row.get("doubts", ())}
    assert values == {"List", "Detail", "Again"}
    assert {row["name"] for row in rows if row["sureness"] != "doubtful"} == {"ListProps", "alone", "inner", "left"}


@pytest.fixture(scope="module")
def coderef(asked: Ask, folder: Path) -> Iterator[Ask]:
    """An answer of a tool of CodeRef2, about the index that is there."""
    with server_of(folder, "coderef") as client:
        client.initialize()

        def ask(tool: str, **arguments: Any) -> Any:
            answer, is_error = client.call_json(f"mcp__coderef__{tool}", arguments)
            assert not is_error, answer
            return answer

        yield ask


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("@C/web/app/kinds.ts", ["@C/web/app/kinds.ts#Page:3"]),
        ("@C/web/app/view.tsx", ["@C/web/app/view.tsx#View:3"]),
        ("@P/web/app/kinds.ts", ["@P/web/app/kinds.ts#Page.title:3", "@P/web/app/kinds.ts:3"]),
        ("@M/web/app/kinds.ts", ["@M/web/app/kinds.ts#Page.$load:3"]),
        ("@I/web/*", ["@I/web/app/order.ts#Priced:4"]),
        ("@TD/web/*", ["@TD/web/app/kinds.ts#Lines:4"]),
        ("@E/web/*", ["@E/web/app/kinds.ts#Level:5"]),
        ("@N/web/*", ["@N/web/app/kinds.ts#Tools:6", "@N/web/app/kinds.ts:8"]),
        ("@Fn/web/*", ["@Fn/web/app/kinds.ts#Tools.pick:6"]),
        ("@G/web/*", ["@Fn/web/app/kinds.ts#Tools.pick:6"]),
        ("@V/web/*", ["@V/web/app/kinds.ts#count:7", "@V/web/app/order.ts#limit:13"]),
        ("@K/web/*", ["@K/web/app/kinds.ts#Level.Low:5", "@V/web/app/order.ts#limit:13"]),
        ("@Mo/web/app/line.ts", ["@Mo/web/app/line.ts"]),
        ("@Pkg/*", ["@Pkg/@angular/core"]),
        ("@Custom/*", []),
    ],
)
def test_designators_of_coderef(coderef: Ask, query: str, expected: list[str]) -> None:
    assert [each["reference"] for each in coderef("query", query=query)["elements"]] == expected


def test_every_reference_that_coderef_writes_holds(coderef: Ask) -> None:
    written = [each["reference"] for each in coderef("query", query="*", limit=1000)["elements"]]
    assert len(written) > 20
    found = coderef("validate", references=written, validate_existence=True)
    on_one_line = "@P/web/app/kinds.ts:3"  # which other properties are on too
    assert {each["reference"] for each in found["results"] if each["issues"]} == {on_one_line}
    assert found["invalid_count"] == 0


def test_an_analysis_of_a_module_is_one_of_what_it_declares(coderef: Ask) -> None:
    answer = coderef("analyze", reference="@Mo/web/app/line.ts", depth=1)
    assert {each["reference"] for each in answer["affected_elements"]} >= {"@M/web/app/order.ts#Order.submit:11"}


def test_a_module_that_only_imports_has_relationships(tmp_path: Path) -> None:
    clone = Clone(tmp_path / "shop")
    clone.commit(
        {"package.json": '{ "name": "shop" }', "index.ts": "export * from './a';\n", "a.ts": "export const a = 1;\n"}
    )
    with server_of(clone.root, "coderef") as client:
        client.initialize()
        client.call_json("index.ensure_baseline")
        answer, is_error = client.call_json("mcp__coderef__query", {"query": "@Mo/index.ts"})
    assert (is_error, [each["has_relationships"] for each in answer["elements"]]) == (False, [True])


def test_complexity_of_typescript(coderef: Ask) -> None:
    found = coderef("analyze", reference="@C/web/app/order.ts#Order", analysis_type="complexity")
    assert found["complexity_results"]["measured_members"] == 4
    low = coderef("query", query="@M/web/app/rush.ts", filter={"metadata_filters": {"complexity": "low"}})
    assert [each["element"] for each in low["elements"]] == ["Rush.total"]


def test_coverage_of_typescript_is_known_from_reports_alone(folder: Path, coderef: Ask) -> None:
    asked = {"reference": "@C/web/app/view.tsx#View", "analysis_type": "coverage"}
    of_typescript = {"query": "*", "filter": {"has_test_coverage": False, "path_pattern": "web/*"}}
    assert coderef("query", **of_typescript)["total_count"] == 0
    with server_of(folder, "coderef") as client:
        client.initialize()
        answer, is_error = client.call_json("mcp__coderef__analyze", asked)
    assert (is_error, answer["error_code"]) == (True, "ANALYSIS_ERROR")
    report = folder / "coverage" / "lcov.info"
    report.parent.mkdir()
    report.write_text("SF:web/app/view.tsx\nDA:3,0\nend_of_record\n", encoding="utf-8")
    with server_of(folder, "coderef") as client:
        client.initialize()
        answer, uncovered = (
            json.loads(client.call(f"mcp__coderef__{tool}", arguments)["content"][0]["text"])
            for tool, arguments in (("analyze", asked), ("query", of_typescript))
        )
    assert answer["coverage_results"]["total_elements"] == answer["coverage_results"]["uncovered_elements"] == 1
    assert [each["element"] for each in uncovered["elements"]] == [None, "View"]


def test_reports_of_the_packages_of_a_workspace_are_read(tmp_path: Path) -> None:
    """Each lies beside its package, where the project is the root; both call their files the same."""
    clone = Clone(tmp_path / "shop")
    files = {"package.json": '{ "name": "root", "workspaces": ["packages/*"] }'}
    for name in ("a", "b"):
        files[f"packages/{name}/package.json"] = f'{{ "name": "{name}" }}'
        files[f"packages/{name}/src/view.ts"] = "export class View {\n  show(a: number) {\n    return a;\n  }\n}\n"
    clone.commit(files)
    for name, hits in (("a", 1), ("b", 0)):
        report = clone.root / "packages" / name / "coverage" / "lcov.info"
        report.parent.mkdir()
        report.write_text(f"SF:src/view.ts\nDA:2,1\nDA:3,{hits}\nend_of_record\n", encoding="utf-8")
    with server_of(clone.root, "coderef") as client:
        client.initialize()
        made, is_error = client.call_json("index.ensure_baseline")
        assert not is_error, made
        answer, is_error = client.call_json("mcp__coderef__query", {"query": "@C/packages#View"})
        assert not is_error, answer
    assert {each["path"]: each["test_coverage"] for each in answer["elements"]} == {
        "packages/a/src/view.ts": 100.0,
        "packages/b/src/view.ts": 50.0,
    }


def test_the_language_can_be_turned_off(folder: Path, tmp_path: Path) -> None:
    with server_of(folder, "codeagent", CODEMAP_BLOCK_PLUGINS="typescript", CODEMAP_HOME=str(tmp_path)) as client:
        client.initialize()
        client.call_json("index.ensure_baseline")
        status = json.loads(client.call("get_status", {})["content"][0]["text"])
        assert status["languages"] == ["csharp"]
