"""From symbol to symbol on the command line, and why a name means what it does."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from codemap_core.queries.views.symbols import Correction
from tests.cli.conftest import Shell
from tests.clone import Clone

SAMPLE = Path(__file__).parents[2] / "testdata" / "SampleSolution"
ENDPOINTS = "src/Brewline.Api/Endpoints/OrderEndpoints.cs"
SERVICE = "src/Brewline.Domain/Orders/OrderService.cs"
THROUGH = """interface IFoo { void Run(); }
interface IBar { void Stop(); }
class Foo : IFoo
{
    public void Run() { Help(); Missing(); Missing.More(); }
    void Help() { }
}
class Use { void It(IFoo foo) { foo.Run(); } }
"""
Run = Callable[..., CompletedProcess[str]]


def at(path: str, before: str, name: str) -> str:
    """The place of the ``name`` that follows the first ``before`` on its line."""
    for number, line in enumerate((SAMPLE / path).read_text(encoding="utf-8").splitlines(), 1):
        if before + name in line:
            return f"{path}:{number}:{line.index(before + name) + len(before) + 2}"
    raise AssertionError(before + name)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs ``codemap`` in a clone of the sample, which is indexed."""
    folder = tmp_path_factory.mktemp("navigation")
    (folder / "user").mkdir()
    clone = Clone(folder / "brewline")
    shutil.copytree(SAMPLE, clone.root, ignore=shutil.ignore_patterns("bin", "obj"), dirs_exist_ok=True)
    clone.commit()
    shell = Shell(folder / "data", folder / "user")
    shell("index", cwd=clone.root)

    def command(*arguments: str, fails: int = 0) -> CompletedProcess[str]:
        return shell(*arguments, cwd=clone.root, fails=fails)

    return command


def test_callers_through_the_interface_with_the_calling_line(run: Run) -> None:
    direct = run("callers", "OrderService.PayAsync")
    assert direct.stderr == "1 caller. 1 more through IOrderService.PayAsync (--follow-interface).\n"
    done = run("callers", "OrderService.PayAsync", "--follow-interface")
    root, *callers = done.stdout.splitlines()
    assert root.startswith("Brewline.Domain.Orders.OrderService.PayAsync  src/")
    assert callers[0].startswith(f"  Brewline.Api.Endpoints.OrderEndpoints.PayAsync  {ENDPOINTS}:")
    assert "OrderResponse.Of(await service.PayAsync(id" in callers[0]
    assert callers[0].endswith("[via IOrderService.PayAsync]")
    assert done.stderr == "2 callers.\n"


OVERLOADS = """
class Till
{
    public void Pay(int amount) { }
    public void Pay<T>(T order, string note) { }
    public void Close() { Pay(1); Pay(this, ""); }
}
"""


def test_overloads_asked_for_together_are_told_apart(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    clone.commit({"A.csproj": '<Project Sdk="Microsoft.NET.Sdk" />', "A.cs": OVERLOADS})
    codemap("index", "-q", cwd=clone.root)
    heads = [line for line in codemap("callers", "Till.Pay", cwd=clone.root).stdout.splitlines() if line[0] != " "]
    assert sorted(heads) == ["Till.Pay(int)  A.cs:4", "Till.Pay<T>(T, string)  A.cs:5"]


def test_callers_of_overloads_are_one_list_production_first(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    project = '<Project Sdk="Microsoft.NET.Sdk">{}</Project>'
    of_tests = "<PropertyGroup><IsTestProject>true</IsTestProject></PropertyGroup>"
    clone.commit(
        {
            "Z/Z.csproj": '<Project Sdk="Microsoft.NET.Sdk" />',
            "Z/Till.cs": "public class Till { public void Pay(int n) { } public void Pay(string s) { } }",
            "Z/Shop.cs": 'class Shop { void Sell(Till t) => t.Pay(""); }',
            "A/A.csproj": project.format(
                f'{of_tests}<ItemGroup><ProjectReference Include="../Z/Z.csproj" /></ItemGroup>'
            ),
            "A/Tests.cs": """class Tests
                { void One(Till t) => t.Pay(1); void Two(Till t) => t.Pay(""); void Three(Till t) => t.Pay(3); }""",
        }
    )
    codemap("index", "-q", cwd=clone.root)
    said = codemap("call", "graph.callers", "symbol=Till.Pay", "--format", "text", cwd=clone.root).stdout
    assert re.findall(r"\.(Sell|One|Two|Three)\b", said) == ["Sell", "One", "Two", "Three"]


LEFT_OUT = """
class Till
{
    public static void Pay() { }
    public static void Close() { }
    public void Run()
    {
        Pay();
#if NEVER_DEFINED
        Pay();
        Close();
#endif
    }
}
"""


def test_places_in_branches_of_if_that_are_left_out_are_told_with_their_condition(
    codemap: Shell, tmp_path: Path
) -> None:
    clone = Clone(tmp_path / "repository")
    clone.commit({"A.csproj": '<Project Sdk="Microsoft.NET.Sdk" />', "A.cs": LEFT_OUT})
    codemap("index", "-q", cwd=clone.root)
    places = codemap("refs", "Till.Pay", cwd=clone.root).stdout.splitlines()
    assert [line.split("  ")[0] for line in places] == ["A.cs:8:9", "A.cs:10:9"]
    assert places[1].endswith("[if NEVER_DEFINED]")
    for tool in ("refs.find", "graph.callers"):
        answer = codemap("call", tool, "symbol=Till.Close", cwd=clone.root).stdout
        assert '"condition":"NEVER_DEFINED"' in answer
        assert '"confidence":"medium"' in answer


UNKNOWN = """
class Till
{
    public static void Pay() { }
    public void Run(Unknown of) { Pay(); of.Pay(); }
}
"""


def test_places_that_could_not_be_resolved_are_said_beside_references(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    clone.commit({"A.csproj": '<Project Sdk="Microsoft.NET.Sdk" />', "A.cs": UNKNOWN})
    codemap("index", "-q", cwd=clone.root)
    for further, how in ((), "listed last."), (("group_by=file",), "resolution_state=unresolved."):
        answer = codemap("call", "refs.find", "symbol=Till.Pay", *further, cwd=clone.root).stdout
        assert f"1 place of the name 'Pay' could not be resolved and may mean it: {how}" in answer


def test_what_nothing_known_calls_or_derives_from_is_not_said_to_be_alone(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    lone = "class Till : Unknown { public void Pay() { } void Run(Unknown of) { of.Pay(); } }"
    clone.commit({"A.csproj": '<Project Sdk="Microsoft.NET.Sdk" />', "A.cs": lone})
    codemap("index", "-q", cwd=clone.root)
    none = codemap("callers", "Till.Pay", cwd=clone.root, fails=1).stderr
    assert none == (
        "No callers. Reflection and generated code are not seen. "
        "1 place of the same name could not be resolved (codemap refs --unresolved).\n"
    )
    derived = codemap("hierarchy", "Unknown", cwd=clone.root)
    assert "  Till  A.cs:1" in derived.stdout
    assert derived.stderr == (
        "Unknown is not declared here nor found in a library; by its name alone: 1 type derives from it.\n"
    )


@pytest.mark.parametrize(
    ("member", "said"),
    [
        ("Till.Pay", "1 caller. 1 more through IPay.Pay (--follow-interface)."),
        ("IPay.Pay", "1 caller."),
        ("Late.Pay", "Nothing calls it directly; 2 callers through Till.Pay, IPay.Pay (--follow-interface)."),
    ],
)
def test_calls_that_could_not_be_resolved_are_said_beside_callers(
    codemap: Shell, tmp_path: Path, member: str, said: str
) -> None:
    clone = Clone(tmp_path / "repository")
    source = (
        "interface IPay { void Pay(); }"
        "class Till : IPay { public virtual void Pay() { } }"
        "class Late : Till { public override void Pay() { } }"
        "class Desk { void A(IPay of) { of.Pay(); } void B(Till of) { of.Pay(); } void C(Unknown of) { of.Pay(); } }"
    )
    clone.commit({"A.csproj": '<Project Sdk="Microsoft.NET.Sdk" />', "A.cs": source})
    codemap("index", "-q", cwd=clone.root)
    answer = codemap("callers", member, cwd=clone.root, fails=int(member == "Late.Pay"))
    assert answer.stderr == f"{said} 1 place of the same name could not be resolved (codemap refs --unresolved).\n"


def test_what_is_called_through_an_interface_alone_has_no_direct_caller(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    clone.commit({"A.csproj": '<Project Sdk="Microsoft.NET.Sdk" />', "A.cs": THROUGH})
    codemap("index", "-q", cwd=clone.root)
    assert codemap("callers", "Foo.Run", cwd=clone.root, fails=1).stderr == (
        "Nothing calls it directly; 1 caller through IFoo.Run (--follow-interface).\n"
    )
    assert (
        codemap("callees", "IFoo.Run", cwd=clone.root).stderr == "It has no body here; 1 implementation is indexed.\n"
    )
    assert codemap("callees", "IBar.Stop", cwd=clone.root, fails=1).stderr == (
        "It has no body here; no implementation is indexed.\n"
    )
    known = codemap("callees", "Foo.Run", "--unresolved", cwd=clone.root)
    assert known.stderr == "1 callee. 2 calls could not be resolved: Missing, More.\n"


def test_what_nothing_names_is_told_from_its_generic_twin(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    source = "class Box { void Put() { } } class Box<T> { void Put() { } } class Use { Box<int> it; } class Alone { }"
    clone.commit({"A.csproj": '<Project Sdk="Microsoft.NET.Sdk" />', "A.cs": source})
    codemap("index", "-q", cwd=clone.root)
    asked = ("call", "refs.find", "kind=type", "--format", "text")
    assert "Box<T> is another symbol." in codemap(*asked, "symbol=Box", cwd=clone.root).stdout
    assert "another symbol" not in codemap(*asked, "symbol=Alone", cwd=clone.root).stdout
    member = codemap("call", "refs.find", "symbol=Box.Put", "--format", "text", cwd=clone.root).stdout
    assert "Box<T>.Put is another symbol." in member


def test_a_row_for_editors_without_a_line_of_source_has_a_name(run: Run) -> None:
    found = run("hierarchy", "IOrderService", "--format", "vimgrep").stdout.splitlines()
    assert found
    assert all(line.rpartition(":")[2].endswith("OrderService") for line in found)


def test_callees_form_a_tree(run: Run) -> None:
    lines = run("callees", "Order.Cancel", "--depth", "2").stdout.splitlines()
    assert lines[0].startswith("Brewline.Domain.Orders.Order.Cancel  src/")
    assert lines[1].startswith("  Brewline.Domain.Orders.Order.MoveTo  ")
    assert any(line.startswith("    Brewline.") for line in lines)


def test_graphs_as_mermaid_and_dot(run: Run) -> None:
    mermaid = run("callers", "OrderService.PayAsync", "-i", "--format", "mermaid").stdout.splitlines()
    assert mermaid[:3] == ["graph LR", '  n0["OrderService.PayAsync"]', '  n1["OrderEndpoints.PayAsync"]']
    assert '  n1 -->|"via IOrderService.PayAsync"| n0' in mermaid
    dot = run("callees", "Order.Cancel", "--format", "dot").stdout
    assert dot.startswith("digraph codemap {\n")
    assert "  n0 -> n1;\n" in dot
    assert dot.endswith("}\n")
    upwards = run("hierarchy", "OrderPaid", "--format", "mermaid").stdout
    assert upwards.count("-->") == 2


def test_references_with_kinds(run: Run) -> None:
    done = run("refs", "Order.Status", "--kind", "write")
    assert done.stdout == (
        "src/Brewline.Domain/Orders/Order.Transitions.cs:60:9  write  Order.MoveTo  Status = next;\n"
    )
    assert done.stderr.startswith("1 reference to Brewline.Domain.Orders.Order.Status in 1 file. Of other kinds: ")
    inherited = run("refs", "Order.GetHashCode", "--kind", "all", fails=None).stderr
    assert "to Brewline.Domain.Shared.Entity<T>.GetHashCode" in inherited
    answer = json.loads(run("refs", "T:System.IParsable`1", "--json").stdout)
    assert answer["data"]["external"] is True


def test_kinds_are_repeated_or_listed(run: Run) -> None:
    repeated = run("refs", "Order.Status", "-k", "write", "-k", "read").stdout
    assert run("refs", "Order.Status", "--kind", "write,read").stdout == repeated
    assert {line.split("  ")[1] for line in repeated.splitlines()} == {"read", "write"}
    searched = run("search", "Order", "-k", "class", "-k", "record").stdout
    assert run("search", "Order", "-k", "class,record").stdout == searched


def test_rows_of_graphs_say_a_kind(run: Run) -> None:
    for command in (("callers", "OrderService.PayAsync"), ("hierarchy", "IOrderService"), ("trace", "Order.Cancel")):
        rows = [line.split("\t") for line in run(*command, "--format", "tsv").stdout.splitlines()]
        assert rows
        assert all(row[3] for row in rows), rows


def test_references_counted_and_grouped(run: Run) -> None:
    number = int(run("refs", "Order.Status", "--count").stdout)
    assert number == json.loads(run("refs", "Order.Status", "--json").stdout)["total"]
    groups = run("refs", "Order.Status", "--group", "file", "--format", "tsv").stdout.splitlines()
    assert sum(int(line.split("\t")[0]) for line in groups) == number
    inside = run("refs", "Order.Status", "--in", "src/Brewline.Domain", "--count")
    assert 0 < int(inside.stdout) < number


def test_a_symbol_is_also_what_is_declared_at_a_place(run: Run) -> None:
    place = at(SERVICE, "async Task<Order> ", "PayAsync")
    for each in (place, place.rpartition(":")[0]):
        assert run("show", each).stdout.startswith("method Brewline.Domain.Orders.OrderService.PayAsync\n")
    assert run("refs", place).stdout == run("refs", "OrderService.PayAsync").stdout
    assert "Nothing is declared at" in run("show", f"{SERVICE}:1", fails=1).stderr
    assert "not found" in run("show", "src/Nowhere.cs:1", fails=2).stderr


def test_types_are_not_called(run: Run) -> None:
    said = run("callers", "OrderService", fails=2).stderr
    assert "codemap refs OrderService --kind type,instantiate" in said


def test_what_a_framework_runs_says_so_where_no_code_calls_it(run: Run) -> None:
    endpoint = "It answers POST /api/products, PUT /api/products/{id:guid}."
    assert run("callers", "ProductsController.Save", fails=1).stderr == f"No callers. {endpoint}\n"
    assert run("refs", "ProductsController.Save", fails=1).stderr.endswith(f"ProductsController.Save.\n{endpoint}\n")


def test_a_limit_holds_for_all_levels_together(run: Run) -> None:
    asked = ("callers", "OrderService.PayAsync", "--depth", "3", "--follow-interface")
    names = [line.split()[0] for line in run(*asked, "--all").stdout.splitlines()[1:]]
    assert len(names) == 4
    for limit in range(1, 5):
        pages = [run(*asked, "--limit", str(limit), "--offset", str(at)) for at in range(0, 4, limit)]
        shown = [line.split()[0] for page in pages for line in page.stdout.splitlines()[1:]]
        assert sorted(shown) == sorted(names), limit
    assert "Shown: 1–2; --all shows all." in run(*asked, "--limit", "2").stderr


def test_files_of_other_languages_are_said_where_nothing_names_a_symbol(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    clone.commit(
        {
            "A.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web" />',
            "Model.cs": "public class Model { public int Shown => 0; public int Hidden => 0; Model Other() => new(); }",
            "Views/Index.xaml": "<Label Text='{StaticResource Shown}' />",
            "a.json": '{ "Shown": 1 }',
            "b.json": '{ "shown": 1 }',
            "README.md": "Hidden and Shown",
        }
    )
    codemap("index", "-q", cwd=clone.root)
    said = "Its name is a word in 3 files of other languages: Views/Index.xaml:1, a.json:1, b.json."
    for command in ("refs", "callers"):
        assert codemap(command, "Model.Shown", cwd=clone.root, fails=1).stderr.endswith(f"are not seen. {said}\n")
        assert codemap(command, "Model.Hidden", cwd=clone.root, fails=1).stderr.endswith("are not seen.\n")
    for tool in ("refs.find", "graph.callers"):
        assert said in codemap("call", tool, "symbol=Model.Shown", cwd=clone.root).stdout
        assert "other languages" not in codemap("call", tool, "symbol=Model.Hidden", cwd=clone.root).stdout


def test_uses_that_name_nothing_are_said_beside_what_is_used_so(codemap: Shell, tmp_path: Path) -> None:
    """ECMA-334 §10.5, §12.7, §13.9.5, §13.14: C# applies conversions and calls these members without their names."""
    clone = Clone(tmp_path / "repository")
    source = """using System;
class Money { public static implicit operator Money(int of) => new(); public static Money operator +(Money a, Money b) => a; }
class Bag : System.Collections.IEnumerable
{
    public void Add(int of) { }
    public System.Collections.IEnumerator GetEnumerator() => null!;
}
class Sum { public void Add(int of) { } public int Current => 0; }
class Open : IDisposable { public void Dispose() { } public void Dispose(bool all) { } }
class Uses
{
    void Run()
    {
        Money money = 1;
        var bag = new Bag { 1 };
        foreach (var each in bag) { }
        using var open = new Open();
    }
    void Close(Open open) => open.Dispose();
}
"""
    clone.commit({"A.csproj": '<Project Sdk="Microsoft.NET.Sdk" />', "A.cs": source})
    codemap("index", "-q", cwd=clone.root)
    said = {
        "M:Money.op_Implicit(System.Int32)~Money": "conversions",
        "M:Bag.Add(System.Int32)": "collection initializers",
        "M:Bag.GetEnumerator": "foreach statements",
        "M:Open.Dispose": "using statements",
        "M:Money.op_Addition(Money,Money)": "",
        "M:Sum.Add(System.Int32)": "",
        "P:Sum.Current": "",
        "M:Open.Dispose(System.Boolean)": "",
    }
    for symbol_id, by in said.items():
        fails = 0 if symbol_id == "M:Open.Dispose" else 1
        expected = f"Uses by {by}, which do not name it, are not recorded." if by else ""
        for command in ("refs", "callers"):
            note = codemap(command, symbol_id, cwd=clone.root, fails=fails).stderr
            assert (expected in note) if by else ("are not recorded" not in note), (command, symbol_id)
        for tool in ("refs.find", "graph.callers"):
            answer = codemap("call", tool, f"symbol_id={symbol_id}", cwd=clone.root).stdout
            assert (expected in answer) if by else ("are not recorded" not in answer), (tool, symbol_id)


def test_files_that_are_not_bound_are_said_beside_the_uses_of_a_symbol(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    clone.commit(
        {
            "core/Core.csproj": '<Project Sdk="Microsoft.NET.Sdk" />',
            "core/Model.cs": "public class Model { public int Shown() => 0; public int Twice() => Shown() + Shown(); }",
            "web/Web.csproj": """<Project Sdk="Microsoft.NET.Sdk.Web"><ItemGroup>
                <ProjectReference Include="../core/Core.csproj" /></ItemGroup></Project>""",
            "web/Cart.xaml.cs": "partial class Cart { private int Count() => 1; private int Other() => Count(); }",
            "web/Cart.xaml": "<p>{Binding Shown}</p>\n{Binding Count}\n\n<b>{Binding Shown}</b>",
            "web/More.xaml": '<p title="shown">{Binding Count}</p>',
            "elsewhere/Elsewhere.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web" />',
            "elsewhere/Index.xaml": "{Binding Shown}",
        }
    )
    codemap("index", "-q", cwd=clone.root)
    shown = "Its name is a word in 1 file where it is not bound: web/Cart.xaml:1,4."
    counted = "Its name is a word in 1 file where it is not bound: web/Cart.xaml:2."
    for command in ("refs", "callers"):
        assert codemap(command, "Model.Shown", cwd=clone.root).stderr.endswith(f"{shown}\n"), command
        assert counted in codemap(command, "Cart.Count", cwd=clone.root).stderr, command
    for tool in ("refs.find", "graph.callers"):
        assert shown in codemap("call", tool, "symbol=Model.Shown", cwd=clone.root).stdout
    assert "not bound" not in codemap("refs", "Model.Shown", "--in", "core", cwd=clone.root).stderr


def test_uses_in_components_and_views_are_references(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    clone.commit(
        {
            "Web.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web" />',
            "Model.cs": "namespace Shop; public class Model { public int Shown() => 0; public int Idle() => 1; }",
            "Cart.razor": "@using Shop\n@inject Model Given\n<p>@Given.Shown()</p>\n@code {\n    int Twice() => 2 * Given.Shown();\n}\n",
            "Views/Index.cshtml": "@model Shop.Model\n<b title='Idle'>@Model.Shown()</b>\n",
        }
    )
    codemap("index", "-q", cwd=clone.root)
    listed = codemap("refs", "Model.Shown", cwd=clone.root).stdout.splitlines()
    assert [line.split()[:3] for line in listed] == [
        ["Cart.razor:3:11", "call", "Cart"],
        ["Cart.razor:5:30", "call", "Cart.Twice"],
        ["Views/Index.cshtml:2:24", "call", "<b"],
    ]
    assert "Idle" in codemap("unreferenced", cwd=clone.root).stdout
    assert "Cart.Twice" in codemap("callers", "Model.Shown", cwd=clone.root).stdout


def test_links_lead_to_actions(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    clone.commit(
        {
            "Web.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web" />',
            "OrdersController.cs": "public class OrdersController : Microsoft.AspNetCore.Mvc.Controller { public void Index() { } }",
            "Views/Orders/Index.cshtml": '<a asp-action="Index">Orders</a>\n',
            "Views/Shared/_Menu.cshtml": '<a asp-controller="Orders" asp-action="Index">Orders</a>\n',
        }
    )
    codemap("index", "-q", cwd=clone.root)
    listed = codemap("refs", "OrdersController.Index", cwd=clone.root).stdout.splitlines()
    assert [line.split()[:2] for line in listed] == [
        ["Views/Orders/Index.cshtml:1:16", "routes_to"],
        ["Views/Shared/_Menu.cshtml:1:40", "routes_to"],
    ]
    callers = codemap("callers", "OrdersController.Index", cwd=clone.root, fails=1)
    assert "It answers ANY /Orders/Index. 2 links lead to it (codemap refs)." in callers.stderr
    asked = codemap("call", "graph.callers", "name=OrdersController.Index", cwd=clone.root).stdout
    assert "2 links lead to it: refs.find." in asked


def test_requests_lead_to_what_answers_them(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    reference = '<ItemGroup><ProjectReference Include="../Web/Web.csproj" /></ItemGroup>'
    clone.commit(
        {
            "Web/Web.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web" />',
            "Web/OrdersController.cs": "using Microsoft.AspNetCore.Mvc;\n"
            '[Route("orders")] public class OrdersController : Controller { [HttpGet("{id}")] public void Find(int id) { } }',
            "Web/Program.cs": 'Microsoft.AspNetCore.Builder.WebApplication.Create().MapGet("/all", Orders.All);\n'
            "class Orders { public static int All() => 1; }",
            "Tests/Tests.csproj": f'<Project Sdk="Microsoft.NET.Sdk">{reference}</Project>',
            "Tests/Tests.cs": 'class Tests { object M(System.Net.Http.HttpClient client) => client.GetAsync("/orders/3"); }',
            "Tests/All.cs": 'class All { object M(System.Net.Http.HttpClient client) => client.GetAsync("/all"); }',
        }
    )
    codemap("index", "-q", cwd=clone.root)
    listed = codemap("refs", "OrdersController.Find", cwd=clone.root).stdout.splitlines()
    assert [line.split()[:2] for line in listed] == [["Tests/Tests.cs:1:77", "requests"]]
    callers = codemap("callers", "OrdersController.Find", cwd=clone.root, fails=1)
    assert "It answers GET /orders/{id}. 1 link leads to it (--follow-links, codemap refs)." in callers.stderr
    assert (
        "1 caller. 1 link leads to it (--follow-links, codemap refs -k link)."
        in codemap("callers", "Orders.All", cwd=clone.root).stderr
    )
    asked = codemap("call", "graph.callers", "name=Orders.All", cwd=clone.root).stdout
    assert "1 caller of Orders.All. 1 link leads to it: follow_links=true, or refs.find with kind=link." in asked


def test_an_id_that_holds_a_path_is_not_taken_for_a_file(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    clone.commit({"web/tsconfig.json": "{}", "web/shop.ts": "export class Shop { open() { } }"})
    codemap("index", "-q", cwd=clone.root)
    assert codemap("outline", "T:web/shop.ts.Shop", cwd=clone.root).stdout.startswith("web/shop.ts:1  method  open()")
    assert (
        "is a method and has no members"
        in codemap("outline", "M:web/shop.ts.Shop.open", cwd=clone.root, fails=2).stderr
    )
    assert "web/shop.ts:1  class  " in codemap("outline", "web/shop.ts", cwd=clone.root).stdout


def test_hierarchies(run: Run) -> None:
    lines = run("hierarchy", "OrderPaid").stdout.splitlines()
    assert any(line.startswith("OrderEvent  ") and line.endswith("[base type]") for line in lines)
    assert any("Brewline.Domain.Shared.IDomainEvent  " in line and line.endswith("[inherited]") for line in lines)
    below = run("hierarchy", "T:System.Exception")
    assert "  Brewline.Domain.Shared.DomainException  src/" in below.stdout
    assert "--transitive" in below.stderr
    deeper = run("hierarchy", "T:System.Exception", "--transitive").stdout
    assert len(deeper.splitlines()) > len(below.stdout.splitlines())
    assert "    Brewline." in deeper
    member = run("hierarchy", "IOrderService.PayAsync").stdout.splitlines()
    assert member[1].startswith("  Brewline.Domain.Orders.OrderService.PayAsync  ")


def test_pages_continue_each_other(run: Run) -> None:
    every = run("search", "order", "--all").stdout.splitlines()
    assert len(every) > 80
    first = run("search", "order", "--limit", "30")
    second = run("search", "order", "--limit", "30", "--offset", "30")
    assert first.stdout.splitlines() + second.stdout.splitlines() == every[:60]
    assert "Shown: 31–60; --all shows all." in second.stderr
    past = run("search", "order", "--offset", "100000", fails=1)
    assert "There is nothing after the first 100,000." in past.stderr


def test_a_misspelt_word_is_said_before_what_it_was_read_as(run: Run) -> None:
    said = run("search", "OrderServce").stderr
    assert said.startswith("No symbol matches 'OrderServce'. ")
    assert "1 symbol matches OrderService." in said
    assert "when 'OrderServce' is read as OrderService." in run("search", "OrderServce PayAsync").stderr
    assert "Nothing has 'zyzzyva'." in run("search", "order zyzzyva", fails=1).stderr


@pytest.mark.parametrize(
    ("taken", "listed"),
    [
        (("a",), "a"),
        (("a", "b"), "a or b"),
        (("a", "b", "c"), "a, b or c"),
        (("a", "b", "c", "d", "e"), "a, b, c or one of 2 more"),
    ],
)
def test_what_a_word_is_read_as_is_listed(taken: tuple[str, ...], listed: str) -> None:
    assert Correction("x", taken).listed == listed


def test_explain_says_what_was_chosen_and_why_others_lost(run: Run) -> None:
    (place,) = json.loads(run("explain", at(ENDPOINTS, "repository.", "FindAsync"), "--json").stdout)
    (call,) = place["explanations"]
    assert call["kind"] == "call"
    assert call["target"].startswith("M:Brewline.Domain.Orders.IOrderRepository.FindAsync(")
    assert "member access" in call["rule"]
    shown = run("explain", at(ENDPOINTS, "orders.", "MapPost")).stdout
    chosen = [line for line in shown.splitlines() if line.startswith("  + ")]
    lost = [line for line in shown.splitlines() if line.startswith("  - ")]
    assert len(chosen) == 1
    assert "EndpointRouteBuilderExtensions.MapPost(" in chosen[0]
    assert lost
    assert all(": " in line for line in lost)
    assert "an extension member in Microsoft.AspNetCore.Builder.EndpointRouteBuilderExtensions" in shown


def test_explain_a_whole_line_or_a_name_of_it(run: Run) -> None:
    place = at(ENDPOINTS, "orders.", "MapPost").rpartition(":")[0]
    assert len(run("explain", place).stdout.splitlines()) > 5
    assert "MapPost  call  " in run("explain", place, "--name", "MapPost").stdout
    assert "does not contain the name" in run("explain", place, "--name", "Nope", fails=1).stderr


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ((SERVICE, "        ", "order.Submit"), "local  Brewline.Domain.Orders.Order"),
        ((SERVICE, "await ", "products.FindAsync"), "local  Brewline.Domain.Catalog.IProductRepository"),
        ((SERVICE, "ref ", "_lastId"), "a member of the enclosing type"),
        ((SERVICE, "new ", "Order("), "its constructor by overload resolution"),
        ((SERVICE, "async Task<Order> ", "PayAsync"), "an interface member that this member implements"),
        ((SERVICE, "order.", "MarkPaid"), "a member of Brewline.Domain.Orders.Order (member access"),
        ((ENDPOINTS, "=> ", "Results.Problem"), "a type of Microsoft.AspNetCore.Http, imported by"),
    ],
)
def test_explain_names_the_rule(run: Run, place: tuple[str, str, str], said: str) -> None:
    assert said in run("explain", at(*place)).stdout


def test_what_cannot_be_explained_says_why(run: Run) -> None:
    assert "expected FILE:LINE" in run("explain", "Order.cs", fails=2).stderr
    assert "source file" in run("explain", "src/Nowhere.cs:1:1", fails=2).stderr
    assert "there is no line 9000" in run("explain", f"{ENDPOINTS}:9000:1", fails=2).stderr
    assert "not compiled by a project 'X'" in run("explain", f"{ENDPOINTS}:8:9", "--project", "X", fails=2).stderr


def test_status_counts_what_could_not_be_said(run: Run) -> None:
    shown = run("status").stdout
    assert "failed" in shown
    assert "unresolved" in shown
    assert [line for line in shown.splitlines() if line != line.rstrip()] == []
    quality = json.loads(run("status", "--json").stdout)["index"]["quality"]
    assert quality["failure_count"] == 0
    assert quality["files_by_status"]["clean"] > 40


def test_a_trace_is_a_tree_rows_or_a_diagram(run: Run) -> None:
    done = run("trace", "OrderService.PayAsync")
    root, *below = done.stdout.splitlines()
    assert root.startswith(f"OrderService.PayAsync  {SERVICE}:")
    through = next(line for line in below if "HttpPaymentGateway" in line)
    assert through.startswith("  HttpPaymentGateway.ChargeAsync  ")
    assert "[via IPaymentGateway" in through
    assert " members in 3 levels of calls." in done.stderr
    listed = run("trace", "OrderService.PayAsync", "--format", "tsv").stdout.splitlines()
    assert listed[0].startswith(f"{SERVICE}\t47\t\tmethod\tM:Brewline.Domain.Orders.OrderService.PayAsync")
    assert len(listed) == len(below) + 1
    diagram = run("trace", "OrderService.PayAsync", "--mermaid").stdout
    assert diagram.startswith("graph LR\n")
    assert '-->|"via IPaymentGateway.ChargeAsync"|' in diagram
    answer = json.loads(run("trace", "OrderService.PayAsync", "--json", "--limit", "2").stdout)
    (node,) = answer["data"]["nodes"]
    assert node["display_name"] == "Brewline.Domain.Orders.OrderService.PayAsync"
    assert answer["total"] == answer["data"]["total_nodes_traversed"] - 1 > 2


def test_what_is_no_entry_point_ends_with_one(run: Run) -> None:
    said = run("trace", "GET /nowhere", fails=1).stderr
    assert "No endpoint answers GET /nowhere" in said
    assert said.endswith("Run: codemap endpoints\n")


def test_the_architecture_is_summarized_and_exported(run: Run) -> None:
    page = run("summarize").stdout
    assert page.startswith("Brewline at ")
    assert "Projects: 4 projects in 3 layers" in page
    layers = run("summarize", "--section", "projects").stdout
    assert "names without Brewline." in layers
    assert "  1  Infrastructure  net" in layers
    done = run("export", "--max-tokens", "600")
    assert done.stdout.startswith("# Brewline at ")
    assert len(done.stdout) <= 2_400
    assert "more fits into a larger --max-tokens" in done.stderr
    assert json.loads(run("export", "--json").stdout)["solution"] == "Brewline"
    assert "There is no section" in run("summarize", "--section", "nothing", fails=2).stderr


def test_uses_in_xaml_are_references(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    page = """<Page x:Class="Shop.CartPage" xmlns="http://schemas.microsoft.com/dotnet/2021/maui"
      xmlns:x="http://schemas.microsoft.com/winfx/2009/xaml" xmlns:s="clr-namespace:Shop" x:DataType="s:Model">
  <Label Text="{Binding Shown}" x:Name="Title" />
  <Label Text="{StaticResource Shown}" />
  <Button Clicked="OnClicked" Command="{Binding SaveCommand}" />
</Page>
"""
    clone.commit(
        {
            "App.csproj": '<Project Sdk="Microsoft.NET.Sdk" />',
            "CartPage.xaml": page,
            "CartPage.xaml.cs": "namespace Shop; partial class CartPage { void OnClicked(object sender, System.EventArgs e) { } }",
            "Model.cs": "namespace Shop; public partial class Model { public int Shown => 0; [RelayCommand] void Save() { } }",
        }
    )
    codemap("index", "-q", cwd=clone.root)
    shown = codemap("refs", "Model.Shown", cwd=clone.root)
    assert "CartPage.xaml:3:25" in shown.stdout
    assert shown.stderr.endswith("Its name is a word in 1 file where it is not bound: CartPage.xaml:4.\n")
    assert "is a word" not in codemap("refs", "CartPage", cwd=clone.root, fails=1).stderr
    for method, place in (("CartPage.OnClicked", "CartPage.xaml:5:20"), ("Model.Save", "CartPage.xaml:5:49")):
        assert place in codemap("callers", method, cwd=clone.root).stdout
    assert "nothing is unreferenced" in codemap("unreferenced", "Model.cs", cwd=clone.root, fails=1).stderr
    assert "a member of Shop.Model: of an element" in codemap("explain", "CartPage.xaml:3", cwd=clone.root).stdout
    assert "internal Label Title" in codemap("outline", "CartPage.xaml", cwd=clone.root).stdout
    assert '"CartPage.xaml"' not in codemap("dump", "projects", cwd=clone.root).stdout
