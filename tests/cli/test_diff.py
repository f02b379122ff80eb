"""``codemap diff`` of two revisions: what stands first, who is affected, formats, filters, exit codes and refusals."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone

LIBRARY = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net9.0</TargetFramework>
<ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>"""
WEB = """<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><TargetFramework>net9.0</TargetFramework>
<ImplicitUsings>enable</ImplicitUsings></PropertyGroup><ItemGroup>
<ProjectReference Include="../Core/Core.csproj" /></ItemGroup></Project>"""
TESTS = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net9.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings>
</PropertyGroup><ItemGroup><PackageReference Include="xunit" Version="2.9.3" /><ProjectReference Include="../../src/Core/Core.csproj" />
</ItemGroup></Project>"""
PRICING = """namespace Core;

public interface IPricing { int Price(int count); }

public class Pricing : IPricing
{
    public int Price(int count) => count * Rate;
    public int Rate => 3;
    public int Discount(int count) => count / 2;
}
"""
ORDERS = """using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

namespace Web;

[ApiController, Route("orders")]
public class OrdersController : ControllerBase
{
    [HttpGet, Authorize(Roles = "clerk")] public int Get() => 1;
    [HttpPost, Authorize] public int Post() => 2;
    [HttpDelete, Authorize] public int Delete() => 3;
}
"""
BEFORE = {
    "src/Core/Core.csproj": LIBRARY,
    "src/Core/Pricing.cs": PRICING,
    "src/Web/Web.csproj": WEB,
    "src/Web/Orders.cs": ORDERS,
    "src/Web/Program.cs": 'var app = WebApplication.Create();\napp.MapGet("/old", () => 1);\n',
    "tests/Core.Tests/Core.Tests.csproj": TESTS,
    "tests/Core.Tests/PricingTests.cs": """namespace Core.Tests;

public class PricingTests
{
    [Xunit.Fact] public void Prices() => Total(new Pricing());
    [Xunit.Fact] public void Nothing() { }
    static int Total(IPricing pricing) => pricing.Price(2);
}
""",
}
AFTER = {
    "src/Core/Pricing.cs": PRICING.replace("count * Rate", "count * Rate + 1")
    .replace("Discount", "Rebate")
    .replace("public int Rate => 3", "internal int Rate => 3"),
    "src/Web/Orders.cs": ORDERS.replace(', Authorize(Roles = "clerk")]', "]").replace(
        "[HttpDelete, Authorize]", '[HttpDelete, Authorize(Policy = "admin")]'
    ),
    "src/Web/Program.cs": 'var app = WebApplication.Create();\napp.MapGet("/new", () => 1);\n',
}


DUMPS = ("symbols", "refs", "relations", "facts", "files", "projects")


def canonical(dump: str) -> list[str]:
    return sorted(json.dumps(json.loads(line)) for line in dump.splitlines())


def applied(dump: str, rows: str) -> list[str]:
    """A dump with the rows of a difference taken out and put in."""
    counts = Counter(canonical(dump))
    for line in rows.splitlines():
        each = json.loads(line)
        counts[json.dumps(each["row"])] += 1 if each["change"] == "added" else -1
    assert min(counts.values(), default=0) >= 0
    return sorted(counts.elements())


class Diff:
    def __init__(self, folder: Path) -> None:
        (folder / "user").mkdir()
        self.clone = Clone(folder / "shop")
        self.shell = Shell(folder / "data", folder / "user")
        self.clone.commit(BEFORE)
        self.clone.git("tag", "v1")
        self.clone.commit(AFTER)
        self.clone.git("tag", "v2")
        for tag in ("v1", "v2"):
            self.shell("index", "-q", "--commit", tag, cwd=self.clone.root)

    def text(self, *arguments: str, fails: int = 0) -> str:
        return self.shell("diff", *arguments, cwd=self.clone.root, fails=fails).stdout

    def data(self, *arguments: str) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.text(*arguments, "--json", "--all"))["data"]
        return data


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Diff]:
    yield Diff(tmp_path_factory.mktemp("diff"))


def test_what_was_opened_stands_first_then_what_breaks(shop: Diff) -> None:
    lines = shop.text("v1..v2").splitlines()
    assert lines[0].endswith("1 test reaches what changed.")
    assert "1 place lost authorization; 2 breaking changes of the public API" in lines[0]
    assert lines[1:4] == [
        "Authorization lost:",
        "  src/Web/Orders.cs",
        "    ~ 9  route  GET /orders  authorize: roles:clerk → none  OrdersController.Get",
    ]
    assert lines[4] == "Breaking changes of the public API:"
    titles = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert titles == [
        "Authorization lost:",
        "Breaking changes of the public API:",
        "Facts:",
        "Implementation:",
        "References gained and lost:",
        "Tests that reach what changed:",
    ]


def test_what_follows_from_changes_is_listed_when_it_is_asked_for(shop: Diff) -> None:
    def called(**arguments: str) -> dict[str, Any]:
        words = [f"{name}={value}" for name, value in {"from_commit": "v1", "to_commit": "v2", **arguments}.items()]
        done = shop.shell("call", "index.diff", *words, "--json", cwd=shop.clone.root)
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    changes = called()
    assert not {"reference_changes", "reaching_tests"} & set(changes["data"])
    assert changes["data"]["stats"]["tests_reaching"] == 1
    further = [each["parameters"] for each in changes["next_actions"] if each["tool"] == "index.diff"]
    assert [each["section"] for each in further] == ["references", "tests"]
    for each, rows in zip(further, ("reference_changes", "reaching_tests"), strict=True):
        found = called(**each)
        assert found["data"][rows]
        assert not found.get("next_actions")
    both = called(section="symbols,references")
    assert both["data"]["symbol_changes"] and both["data"]["reference_changes"]


def test_facts(shop: Diff) -> None:
    facts = {
        (each["change_type"], each.get("from_value"), each.get("to_value")): each
        for each in shop.data("v1..v2", "--section", "facts")["fact_changes"]
        if each["fact_kind"] == "route"
    }
    assert set(facts) == {
        ("changed", "GET /orders", "GET /orders"),
        ("changed", "DELETE /orders", "DELETE /orders"),
        ("changed", "GET /old", "GET /new"),
    }
    assert [each.get("authorization_lost", False) for each in facts.values()].count(True) == 1
    changed = facts["changed", "DELETE /orders", "DELETE /orders"]["details"]
    assert changed == [{"key": "authorize", "before": "authenticated", "after": "policy:admin"}]


def test_symbols_and_who_uses_them(shop: Diff) -> None:
    changes = {each["to_symbol_id"]: each for each in shop.data("v1..v2", "--section", "symbols")["symbol_changes"]}
    renamed = changes["M:Core.Pricing.Rebate(System.Int32)"]
    assert (renamed["change_type"], renamed["from_symbol_id"]) == ("renamed", "M:Core.Pricing.Discount(System.Int32)")
    assert [each["rule"] for each in renamed["breaks"]] == ["member-renamed"]
    narrowed = changes["P:Core.Pricing.Rate"]
    assert (narrowed["from_visibility"], narrowed["visibility"]) == ("public", "internal")
    assert (narrowed["users"], narrowed["used_by"]) == (1, ["M:Core.Pricing.Price(System.Int32)"])
    assert changes["M:Core.Pricing.Price(System.Int32)"]["change_type"] == "modified"
    assert not any("OrdersController" in each for each in changes if changes[each].get("breaks"))


def test_tests_are_reached_through_interfaces(shop: Diff) -> None:
    (test,) = shop.data("v1..v2", "-s", "tests")["reaching_tests"]
    assert (test["symbol_id"], test["distance"]) == ("M:Core.Tests.PricingTests.Prices", 2)


ASKED = """using Microsoft.AspNetCore.Mvc;
public record Ask(int Id) : MediatR.IRequest<int>;
public class AskHandler : MediatR.IRequestHandler<Ask, int>
{
    public System.Threading.Tasks.Task<int> Handle(Ask ask, System.Threading.CancellationToken token) => Store.Find(1);
}
[Route("orders")] public class OrdersController : ControllerBase
{
    [HttpGet] public int Get() => Store.Count(1);
    [HttpPost] public int Post() => 2;
}
public static class Store
{
    public static int Count(int of) => of;
    public static System.Threading.Tasks.Task<int> Find(int id) => null;
}
"""
ASKING = """using System.Net.Http;
public class OrderTests
{
    [Xunit.Fact] public void Gets() => new HttpClient().GetAsync("/orders");
    [Xunit.Fact] public void Posts() => new HttpClient().PostAsync("/orders", null);
    [Xunit.Fact] public void Asks(MediatR.ISender sender) => sender.Send(new Ask(1));
}
"""


def test_tests_are_reached_over_http_and_by_messages(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    packages = '<ItemGroup><PackageReference Include="MediatR" Version="12.0.0" />{0}</ItemGroup></Project>'
    clone.commit(
        {
            "Web/Web.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web">' + packages.format(""),
            "Web/Orders.cs": ASKED,
            "Tests/Tests.csproj": '<Project Sdk="Microsoft.NET.Sdk">'
            + packages.format(
                '<PackageReference Include="xunit" Version="2.9.3" /><ProjectReference Include="../Web/Web.csproj" />'
            ),
            "Tests/OrderTests.cs": ASKING,
        }
    )
    clone.git("tag", "v1")
    clone.commit({"Web/Orders.cs": ASKED.replace("=> of;", "=> of + 1;").replace("=> null;", "=> default;")})
    codemap("index", "-q", "--commit", "v1", cwd=clone.root)
    codemap("index", "-q", cwd=clone.root)
    changes = json.loads(codemap("diff", "v1..HEAD", "-s", "tests", "--json", cwd=clone.root).stdout)["data"]
    assert [(each["symbol_id"], each["distance"]) for each in changes["reaching_tests"]] == [
        ("M:OrderTests.Gets", 2),
        ("M:OrderTests.Asks(MediatR.ISender)", 2),
    ]


def test_references_by_target_and_member(shop: Diff) -> None:
    references = shop.data("v1..v2", "-s", "references")["reference_changes"]
    attribute = "T:Microsoft.AspNetCore.Authorization.AuthorizeAttribute"
    lost = next(each for each in references if each["symbol_id"] == attribute)
    assert lost["members"] == [{"symbol_id": "M:Web.OrdersController.Get", "lost": 1}]
    assert not any("Price(" in each["symbol_id"] for each in references)  # they only moved


def test_paths_kinds_and_projects_narrow(shop: Diff) -> None:
    assert {each["file_path"] for each in shop.data("v1..v2", "src/Core")["symbol_changes"]} == {"src/Core/Pricing.cs"}
    assert "fact_changes" not in shop.data("v1..v2", "src/Core/**")
    assert [each["kind"] for each in shop.data("v1..v2", "-k", "property", "-s", "symbols")["symbol_changes"]] == [
        "property"
    ]
    assert "symbol_changes" not in shop.data("v1..v2", "-p", "Core.Tests")
    assert (
        "Neither revision has a project 'Cor'"
        in shop.shell("diff", "v1..v2", "-p", "Cor", cwd=shop.clone.root, fails=2).stderr
    )


def test_backwards_nothing_is_opened(shop: Diff) -> None:
    stats = shop.data("v2..v1")["stats"]
    assert (stats["authorization_lost"], stats["facts_changed"]) == (0, shop.data("v1..v2")["stats"]["facts_changed"])
    assert "1 visibility changed" in shop.text("v2..v1")


def test_a_revision_does_not_differ_from_itself(shop: Diff) -> None:
    assert "nothing differs" in shop.text("v2..v2")
    assert "Nothing differs." in shop.text("v2", "--markdown")


def test_the_common_ancestor_is_meant_by_three_dots(shop: Diff) -> None:
    shop.clone.git("branch", "side", "v1")
    assert shop.text("side...v2") == shop.text("v1..v2")


def test_markdown_fits(shop: Diff) -> None:
    whole = shop.text("v1..v2", "--markdown")
    assert whole.startswith("## Changes v1..v2\n")
    assert whole.count("<details>") == whole.count("</details>") > 2
    assert "### Authorization lost (1)\n\n- changed route `GET /orders`; authorize: roles:clerk → none" in whole
    assert "  - **visibility-narrowed** (binary, source): public → internal\n" in whole
    cut = shop.text("v1..v2", "--markdown", "--max-chars", "1000")
    headings = re.findall(r"^(?:###|<details>).*", cut, re.MULTILINE)
    assert headings
    assert all(each in whole for each in headings), "a heading counts what is left out too"
    assert len(cut) <= 1000
    assert "further changes are not shown.*" in cut
    assert "@" not in whole.replace("@\u200b", "")


def test_rows_give_the_newer_dump(shop: Diff) -> None:
    for kind in DUMPS:
        old, new = (shop.shell("dump", kind, "--commit", tag, cwd=shop.clone.root).stdout for tag in ("v1", "v2"))
        assert applied(old, shop.text("v1..v2", "--rows", kind)) == canonical(new), kind


def test_a_check_ends_with_1(shop: Diff) -> None:
    shop.text("v1..v2", "--check", "breaking", fails=1)
    shop.text("v1..v2", "--check", "authorization", fails=1)
    shop.text("v1..v2", "src/Core/", "--check", "authorization")
    shop.text("v2..v1", "--check", "authorization")


def test_what_is_not_indexed_is_named(shop: Diff) -> None:
    shop.clone.git("branch", "-f", "later", "v2")
    shop.clone.commit({"src/Core/New.cs": "namespace Core; public class New { }\n"})
    said = shop.shell("diff", "v2..HEAD", cwd=shop.clone.root, fails=2).stderr
    commit = shop.clone.git("rev-parse", "HEAD")
    assert f"codemap index --commit {commit[:12]}" in said
    assert "--auto-index" in said
    done = shop.text("v2..HEAD", "--auto-index")
    assert "+ 1  public class New" in done
    assert (
        shop.shell("diff", "..", cwd=shop.clone.root, fails=2).stderr
        == "error: '..' does not name two revisions. Write A..B, A...B or A.\n"
    )
    said = shop.shell("diff", "v1..v2", "--rows", "refs", "--markdown", cwd=shop.clone.root, fails=2).stderr
    assert "JSON, Markdown and --rows are different answers" in said
    for written in (("--format", "json"), ("--format", "markdown")):
        short = f"--{written[1]}"
        assert shop.text("v1..v2", *written) == shop.text("v1..v2", short)
        refused = shop.shell("diff", "v1..v2", "--rows", "refs", *written, cwd=shop.clone.root, fails=2)
        assert "different answers" in refused.stdout + refused.stderr


def test_two_projects_with_one_id_are_two_symbols(codemap: Shell, clone: Clone) -> None:
    """Top-level statements declare the same id in every program."""
    clone.commit(
        {f"{each}/{each}.csproj": WEB for each in "AB"}
        | {f"{each}/Program.cs": "System.Console.Write(1);\n" for each in "AB"}
    )
    codemap("index", "-q", cwd=clone.root)
    clone.commit({f"{each}/Program.cs": f"System.Console.Write(2{each == 'A'});\n" for each in "AB"})
    codemap("index", "-q", cwd=clone.root)
    found = json.loads(codemap("diff", "HEAD~1", "--json", cwd=clone.root).stdout)["data"]["symbol_changes"]
    assert [(each["change_type"], each["file_path"]) for each in found] == [
        ("modified", "A/Program.cs"),
        ("modified", "B/Program.cs"),
    ]


def test_moved_and_renamed_types_take_their_members_along(codemap: Shell, clone: Clone) -> None:
    text = """namespace Old; public class Parcel { public int Weight { get; set; } public void Ship(Parcel other) { } public void Pack() { }
    public Parcel Copy() => new Parcel(); }
    public class User { public void Use(Parcel parcel) => parcel.Pack(); }"""
    clone.commit({"a.csproj": LIBRARY, "Parcel.cs": text})
    codemap("index", "-q", cwd=clone.root)
    clone.remove("Parcel.cs")
    clone.commit({"Package.cs": text.replace("Parcel", "Package").replace("parcel", "package")})
    codemap("index", "-q", cwd=clone.root)
    data = json.loads(codemap("diff", "HEAD~1", "--json", cwd=clone.root).stdout)["data"]
    types = {each["to_symbol_id"]: each for each in data["symbol_changes"] if each["kind"] == "class"}
    parcel = types["T:Old.Package"]
    assert (parcel["change_type"], parcel["from_symbol_id"], parcel["followers"]) == ("renamed", "T:Old.Parcel", 4)
    assert types["T:Old.User"]["change_type"] == "moved"
    others = [each for each in data["symbol_changes"] if each["kind"] != "class"]
    assert [[each["rule"] for each in change["breaks"]] for change in others] == [["parameter-renamed"]]
    assert "reference_changes" not in data


def test_a_moved_project_is_one_project(codemap: Shell, clone: Clone) -> None:
    text = (
        "namespace Core; public class Store { public void Save(int key) { } public void Save(int key, int more) { } }\n"
    )
    frameworks = LIBRARY.replace("<TargetFramework>net9.0</TargetFramework>", "<TargetFrameworks>{}</TargetFrameworks>")
    use = '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><ProjectReference Include="../{}/Core.csproj" /></ItemGroup></Project>'
    clone.commit(
        {
            "Old/Core.csproj": frameworks.format("net8.0;net9.0"),
            "Old/Store.cs": text,
            "Use/Use.csproj": use.format("Old"),
        }
    )
    codemap("index", "-q", cwd=clone.root)
    clone.remove("Old/Core.csproj", "Old/Store.cs")
    text = text.replace("int more", "string more")
    clone.commit(
        {"src/Core.csproj": frameworks.format("net9.0"), "src/Store.cs": text, "Use/Use.csproj": use.format("src")}
    )
    codemap("index", "-q", cwd=clone.root)
    data = json.loads(codemap("diff", "HEAD~1", "--json", cwd=clone.root).stdout)["data"]
    project = data["project_changes"][0]
    moved = {"change_type": "moved", "project_path": "src/Core.csproj", "from_project_path": "Old/Core.csproj"}
    assert data["project_changes"] == [{**moved, "details": project["details"], "breaks": project["breaks"]}]
    assert [each["rule"] for each in project["breaks"]] == ["framework-lost"]
    changes = {each["to_symbol_id"]: each for each in data["symbol_changes"]}
    assert {each["change_type"] for each in changes.values()} == {"moved", "signature_changed"}
    member = changes["M:Core.Store.Save(System.Int32,System.String)"]
    assert member["from_symbol_id"] == "M:Core.Store.Save(System.Int32,System.Int32)"
    assert [each["rule"] for each in member["breaks"]] == ["parameters-changed"]
    assert "src/Core.csproj: moved from Old/Core.csproj" in codemap(
        "diff", "HEAD~1", "--markdown", cwd=clone.root
    ).stdout.replace("`", "")


def test_a_member_with_another_parameter_keeps_its_references_and_facts(codemap: Shell, clone: Clone) -> None:
    text = """namespace Shop; public class Guard { public void Check(int value{more})
    { if (value < Least) throw new System.ArgumentException(); } public int Least; public void Use() => Check(1); }
"""
    clone.commit({"a.csproj": LIBRARY, "Guard.cs": text.replace("{more}", "")})
    codemap("index", "-q", cwd=clone.root)
    clone.commit({"Guard.cs": text.replace("{more}", ", string? said = null")})
    codemap("index", "-q", cwd=clone.root)
    data = json.loads(codemap("diff", "HEAD~1", "--json", cwd=clone.root).stdout)["data"]
    assert [each["change_type"] for each in data["symbol_changes"]] == ["signature_changed"]
    assert not data.keys() & {"reference_changes", "fact_changes"}


def test_edits_of_a_workspace(codemap: Shell, clone: Clone) -> None:
    clone.commit(BEFORE)
    codemap("index", "-q", cwd=clone.root)
    codemap("call", "workspace.create", "workspace_id=agent", cwd=clone.root)
    clone.write({**AFTER, "src/Core/New.cs": "namespace Core; public class Fresh : Pricing { }\n"})
    clone.remove("src/Web/Orders.cs")
    codemap("call", "index.refresh_overlay", "workspace_id=agent", cwd=clone.root)
    lines = codemap("diff", "HEAD", "--workspace", "agent", cwd=clone.root).stdout.splitlines()
    assert "..workspace agent: 4 files changed; 2 breaking changes of the public API" in lines[0]
    assert "    + 1  public class Fresh : Pricing" in lines
    for kind in DUMPS:
        old = codemap("dump", kind, cwd=clone.root).stdout
        new = codemap("dump", kind, "--workspace", "agent", cwd=clone.root).stdout
        rows = codemap("diff", "HEAD", "--workspace", "agent", "--rows", kind, cwd=clone.root).stdout
        assert applied(old, rows) == canonical(new), kind
    said = codemap("diff", "HEAD..HEAD", "--workspace", "agent", cwd=clone.root, fails=2).stderr
    assert "--workspace is the newer side" in said


def test_what_only_moved_is_not_told_of_facts_and_lists_tell_what_they_lost_and_gained(
    codemap: Shell, clone: Clone
) -> None:
    guarded = """class Guarded
{{
    void M()
    {{
        try {{ System.Console.WriteLine({said}); }}
        catch (System.ArgumentException) {{ }}
    }}
}}
"""
    clone.commit({"App.csproj": LIBRARY, "Guarded.cs": guarded.format(said=1)})
    clone.git("tag", "v1")
    packages = LIBRARY.replace("net9.0", "net10.0").replace(
        "</Project>", '<ItemGroup><PackageReference Include="Dapper" Version="2.1.0" /></ItemGroup></Project>'
    )
    clone.commit({"App.csproj": packages, "Guarded.cs": "// above\n" + guarded.format(said=2)})
    clone.git("tag", "v2")
    for tag in ("v1", "v2"):
        codemap("index", "-q", "--commit", tag, cwd=clone.root)
    assert not json.loads(codemap("diff", "v1..v2", "--section", "facts", "--json", cwd=clone.root).stdout)["data"].get(
        "fact_changes"
    )
    projects = codemap("diff", "v1..v2", "--section", "projects", cwd=clone.root).stdout
    assert "packages: gained Dapper/2.1.0" in projects
    assert "target_frameworks: lost net9.0; gained net10.0" in projects


def test_what_is_on_disk_is_told_of_a_difference_with_head_alone(codemap: Shell, clone: Clone) -> None:
    texts = ["class A { }\n", "class A { int _one; }\n", "class A { int _two; }\n"]
    for n, text in enumerate(texts):
        clone.commit({"A.cs": text})
        clone.git("tag", f"v{n}")
        codemap("index", "-q", cwd=clone.root)
    clone.write({"A.cs": "class A { int _three; }\n"})
    assert "on disk" not in codemap("diff", "v0..v1", cwd=clone.root).stderr
    assert "Differs on disk from what was indexed: A.cs" in codemap("diff", "v1..v2", cwd=clone.root).stderr
