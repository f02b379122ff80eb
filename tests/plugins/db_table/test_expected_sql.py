"""Which projects are expected to hold SQL: what reads it is loaded ahead for these, once for all workers."""

from __future__ import annotations

import pytest

from codemap_core.model import Project
from codemap_core.model.project import PackageReference
from codemap_plugins.db_table.dialects import hands_over_sql


@pytest.mark.parametrize(
    ("package", "is_expected"),
    [
        ("Dapper", True),
        ("Microsoft.Data.SqlClient", True),
        ("npgsql", True),
        ("Microsoft.EntityFrameworkCore.SqlServer", False),
        ("Npgsql.OpenTelemetry", False),
    ],
)
def test_packages_that_take_sql_as_text_tell(package: str, is_expected: bool) -> None:
    library = Project(project_path="Lib/Lib.csproj", name="Lib", assembly_name="Lib")
    shop = Project(
        project_path="Shop/Shop.csproj",
        name="Shop",
        assembly_name="Shop",
        packages=(PackageReference(package, "1.0.0"),),
    )
    assert hands_over_sql((library, shop)) is is_expected
    assert not hands_over_sql((library,))
