"""``--all`` prints every row of an answer that takes several calls of the tool, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone

_MANY: Final = 520
"""More than the command line asks a tool for at once."""
_CLASS: Final = """
class D{n} : Base
{{
    void Run(IServiceCollection services, ILogger logger, WebApplication app)
    {{
        Called();
        services.AddScoped<D{n}>();
        logger.LogInformation("message {n}");
        app.MapGet("/{n}", () => 1);
        app.UseMiddleware<D{n}>();
        Environment.GetEnvironmentVariable("KEY{n}");
        throw new InvalidOperationException();
    }}
}}
"""


class _Many:
    """Runs a command in an indexed repository that answers with many rows."""

    def __init__(self, folder: Path, root: Path) -> None:
        user = folder / "user"
        user.mkdir()
        self._shell: Final = Shell(folder / "data", user)
        self._root: Final = root
        self("index", "-q")

    def __call__(self, *arguments: str) -> list[str]:
        return self._shell(*arguments, cwd=self._root).stdout.splitlines()

    def notes(self, *arguments: str) -> str:
        return self._shell(*arguments, cwd=self._root).stderr


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> _Many:
    folder = tmp_path_factory.mktemp("many")
    clone = Clone(folder / "repository")
    sets = "\n".join(f"    public DbSet<D{n}> T{n} {{ get; set; }}" for n in range(_MANY))
    calls = "\n".join(f"        Target{n}();" for n in range(_MANY))
    targets = "\n".join(f"    static void Target{n}() {{ }}" for n in range(_MANY))
    clone.commit(
        {
            "A.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><ImplicitUsings>enable</ImplicitUsings>'
            "<TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>",
            "Base.cs": "public class Base { public static void Called() { } }",
            "Many.cs": "".join(_CLASS.format(n=n) for n in range(_MANY)),
            "Db.cs": f"using Microsoft.EntityFrameworkCore;\nclass Db : DbContext\n{{\n{sets}\n}}\n",
            "Sql.cs": "class Sql { void All(System.Data.IDbCommand c) {\n"
            + 'c.CommandText = "DELETE FROM Busy";\n' * 70
            + "} }",
            "Calls.cs": f"class Calls\n{{\n    void All()\n    {{\n{calls}\n    }}\n{targets}\n}}\n",
        }
    )
    return _Many(folder, clone.root)


@pytest.mark.parametrize(
    "command",
    [
        ("search", "D*"),
        ("refs", "Base.Called"),
        ("refs", "Base.Called", "--group", "member"),
        ("callers", "Base.Called"),
        ("callees", "Calls.All"),
        ("hierarchy", "Base"),
        ("outline", "Calls"),
        ("unreferenced",),
        ("endpoints",),
        ("config",),
        ("tables",),
        ("services",),
        ("middleware",),
        ("exceptions",),
        ("logs",),
        ("facts", "log"),
    ],
    ids=" ".join,
)
def test_every_row_is_printed(many: _Many, command: tuple[str, ...]) -> None:
    rows = [json.loads(line) for line in many(*command, "--all", "--json")]
    if len(rows) == 1:
        rows = max((each for each in rows[0]["data"].values() if isinstance(each, list)), key=len)
    assert len(rows) >= _MANY
    assert len({json.dumps(row) for row in rows}) == len(rows)
    assert len(many(*command, "--all")) >= _MANY


def test_the_places_that_are_left_out_of_a_table_are_counted(many: _Many) -> None:
    assert len(many("tables", "Busy", "--all")) == 60
    left_out = "10 further places of 1 table left out. codemap facts db_table Busy --all shows those of Busy."
    assert left_out in many.notes("tables", "Busy", "--all")
    assert len(many("facts", "db_table", "Busy", "--all")) == 70
