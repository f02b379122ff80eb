"""A commit of a TypeScript program that is indexed after another one equals its cold index, whatever the edit."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from codemap_core.hooks.manager import load_plugins
from tests.core.pipeline.desk import Desk
from tests.core.pipeline.edit_law import Bench

PROGRAM = {
    "package.json": '{ "name": "shop", "dependencies": { "rxjs": "^7" } }',
    "tsconfig.json": '{ "compilerOptions": { "baseUrl": ".", "paths": { "@model/*": ["src/model/*"] } } }',
    "src/model/order.ts": "import { Line } from './line';\n"
    "export class Base { id = 1; close() {} }\n"
    "export class Order extends Base { lines: Line[] = []; total() { return this.lines[0].price; } close() {} }\n",
    "src/model/line.ts": "export interface Line { price: number; product: Product }\nexport class Product { name = ''; }\n",
    "src/model/index.ts": "export * from './order';\nexport { Line as OrderLine } from './line';\n",
    "src/service.ts": "import { Order } from '@model/order';\n"
    "export class Service { load() { return new Order(); } find(): Order { return this.load(); } }\n",
    "src/made.ts": "import { Service } from './service';\nexport const made = new Service().load();\nexport const made2 = made;\n",
    "src/view.tsx": "import { made2 } from './made';\nimport * as model from './model';\nimport './side';\n"
    "export const View = () => <b>{made2.lines[0].product.name}{made2.close()}{new model.Order().id}</b>;\n",
    "src/side.ts": "declare global { interface Window { shop: string } }\nexport {};\n",
    "src/use.ts": "import type { OrderLine } from './model';\nexport let line: OrderLine;\nexport function go(w: Window) {\n"
    "  w.shop; line.product.name;\n}\n",
    "src/loose.ts": "function helper() { return late(); }\nvar shared = helper();\n",
    "src/environment.ts": "const root: string = '/api';\nexport const orders: string = `${root}/orders`;\n",
    "src/client.ts": "import axios, { AxiosInstance } from 'axios';\n"
    "export const client: AxiosInstance = axios.create({ baseURL: '/api' });\n",
    "src/orders.ts": "import { orders } from './environment';\nimport { client } from './client';\n"
    "export async function all() { await fetch(orders); await client.get('/orders/3'); }\n",
    "api/Api.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><TargetFramework>net10.0</TargetFramework>'
    "</PropertyGroup></Project>",
    "api/OrdersController.cs": 'using Microsoft.AspNetCore.Mvc;\n[Route("api/orders")] public class OrdersController : ControllerBase\n'
    '{\n    [HttpGet] public void All() { }\n    [HttpGet("{id}")] public void Find(int id) { }\n}\n',
}
"""Files that lean on each other by annotations, results, initialisers, names that are handed on, and path mappings."""

EDITS: Mapping[str, Mapping[str, str | None]] = {
    "a body": {"src/use.ts": PROGRAM["src/use.ts"].replace("w.shop;", "w.shop; w.shop;")},
    "a comment above all": {"src/model/line.ts": "// first\n\n" + PROGRAM["src/model/line.ts"]},
    "a member that is renamed": {"src/model/line.ts": PROGRAM["src/model/line.ts"].replace("name", "title")},
    "another type of a member": {
        "src/model/line.ts": PROGRAM["src/model/line.ts"].replace("product: Product", "product: string")
    },
    "another result without an annotation": {
        "src/service.ts": PROGRAM["src/service.ts"].replace("new Order()", "{ lines: [], close: 1 }")
    },
    "a base that goes": {"src/model/order.ts": PROGRAM["src/model/order.ts"].replace(" extends Base", "")},
    "an override that goes": {"src/model/order.ts": PROGRAM["src/model/order.ts"].replace("; } close() {} }", "; } }")},
    "a star that goes": {"src/model/index.ts": "export { Line as OrderLine } from './line';\n"},
    "another name that is handed on": {
        "src/model/index.ts": "export * from './order';\nexport { Product as OrderLine } from './line';\n"
    },
    "a file that comes before an index": {"src/model.ts": "export class Order { id = 2; }\n"},
    "a file that goes": {"src/made.ts": None},
    "a file that moves": {"src/side.ts": None, "src/deep/side.ts": PROGRAM["src/side.ts"]},
    "a mapping that changes": {
        "tsconfig.json": PROGRAM["tsconfig.json"].replace("src/model", "src/other"),
        "src/other/order.ts": "export class Order { id = 3; }\n",
    },
    "a global that comes": {"src/late.ts": "function late() { return 1; }\n"},
    "an initialiser behind an initialiser": {
        "src/made.ts": PROGRAM["src/made.ts"].replace("new Service().load()", "new Service()")
    },
    "a local that hides": {
        "src/use.ts": PROGRAM["src/use.ts"].replace("go(w: Window) {", "go(w: Window) { const line = w;")
    },
    "an address behind an annotation": {
        "src/environment.ts": PROGRAM["src/environment.ts"].replace("'/api'", "'/none'")
    },
    "the base address of a client": {"src/client.ts": PROGRAM["src/client.ts"].replace("'/api'", "'/none'")},
    "the route of a request": {
        "api/OrdersController.cs": PROGRAM["api/OrdersController.cs"].replace('"api/orders"', '"api/orders/all"')
    },
    "a syntax error": {"src/service.ts": PROGRAM["src/service.ts"].replace("find():", "find(:")},
}


def edited(files: Mapping[str, str], edit: Mapping[str, str | None]) -> dict[str, str]:
    after = {path: text for path, text in files.items() if path not in edit}
    return after | {path: text for path, text in edit.items() if text is not None}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("bench"), PROGRAM, load_plugins())


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_and_its_reversal(bench: Bench, edit: str) -> None:
    for state in (edited(PROGRAM, EDITS[edit]), PROGRAM):
        bench.commit(state)
        assert bench.differences()[1] == []


def test_edits_together(bench: Bench) -> None:
    chosen = random.Random(1)
    for _ in range(8):
        state = dict(PROGRAM)
        for edit in chosen.sample(sorted(EDITS), 4):
            state = edited(state, EDITS[edit])
        bench.commit(state)
        assert bench.differences()[1] == []


def test_a_workspace_follows_edits(tmp_path: Path) -> None:
    """With what its process keeps from one refresh to the next, and with files that are not saved in between."""
    desk = Desk(tmp_path, load_plugins(), PROGRAM)
    desk.create("one")
    desk.refresher().make_ready("one", lambda: False)
    chosen = random.Random(2)
    for number in range(6):
        state = dict(PROGRAM)
        for edit in chosen.sample(sorted(EDITS), 3):
            state = edited(state, EDITS[edit])
        desk.write(state)
        if number % 2:
            desk.refresher().unsaved("one", {"src/service.ts": "export class Service { other = 1; }\n"})
        desk.refresher().refresh("one")
        assert not desk.wrong("one", state)


def test_a_body_concerns_its_file_alone(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PROGRAM, load_plugins())
    bench.commit(edited(PROGRAM, EDITS["a body"]))
    result = bench.index("next")
    assert result.bound_files == 1
