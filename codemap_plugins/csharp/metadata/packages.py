"""Which assemblies a package brings: what a project names is a package, what it then sees are assemblies.

Most packages hold the assembly of their own name; ``_ASSEMBLIES`` lists widely used ones that do not, or that bring
further packages whose assemblies their own does not refer to. Facts of the packages' own manifests, by lower-case id.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_OPEN_TELEMETRY = ("OpenTelemetry", "OpenTelemetry.Api", "OpenTelemetry.Api.ProviderBuilderExtensions")
_EF_CORE = ("Microsoft.EntityFrameworkCore", "Microsoft.EntityFrameworkCore.Abstractions")
_RELATIONAL = (*_EF_CORE, "Microsoft.EntityFrameworkCore.Relational")
_SQL_SERVER = (*_RELATIONAL, "Microsoft.EntityFrameworkCore.SqlServer", "Microsoft.Data.SqlClient")
_NPGSQL = (*_RELATIONAL, "Npgsql.EntityFrameworkCore.PostgreSQL", "Npgsql")
_MSTEST = (
    "MSTest.TestFramework",
    "MSTest.TestFramework.Extensions",
    "Microsoft.VisualStudio.TestPlatform.TestFramework",
    "Microsoft.VisualStudio.TestPlatform.TestFramework.Extensions",
)
_NUNIT = ("nunit.framework", "nunit.framework.legacy")
_XUNIT_ASSERT = ("xunit.assert",)
_XUNIT = ("xunit.core", *_XUNIT_ASSERT, "xunit.abstractions", "xunit.execution.dotnet")
_XUNIT_V3 = ("xunit.v3.core", "xunit.v3.assert", "xunit.v3.common")
_TEST_SDK = (
    "Microsoft.VisualStudio.TestPlatform.ObjectModel",
    "Microsoft.TestPlatform.CoreUtilities",
    "Microsoft.TestPlatform.PlatformAbstractions",
    "Microsoft.TestPlatform.CommunicationUtilities",
    "Microsoft.TestPlatform.CrossPlatEngine",
    "Microsoft.TestPlatform.Utilities",
    "Microsoft.VisualStudio.TestPlatform.Common",
    "Microsoft.VisualStudio.CodeCoverage.Shim",
    "Newtonsoft.Json",
    "testhost",
)
_SWASHBUCKLE = (
    "Swashbuckle.AspNetCore.Swagger",
    "Swashbuckle.AspNetCore.SwaggerGen",
    "Swashbuckle.AspNetCore.SwaggerUI",
    "Microsoft.OpenApi",
)
_SQLITE = ("Microsoft.Data.Sqlite", "SQLitePCLRaw.core", "SQLitePCLRaw.batteries_v2", "SQLitePCLRaw.provider.e_sqlite3")
_SERILOG_ASPNET = (
    "Serilog",
    "Serilog.AspNetCore",
    "Serilog.Extensions.Logging",
    "Serilog.Settings.Configuration",
    "Serilog.Sinks.Console",
    "Serilog.Sinks.Debug",
    "Serilog.Sinks.File",
)

_TOOLS = frozenset({"analyzers", "runner", "testadapter", "analyzer", "codefixes", "sourcegenerator"})
"""Segments of the ids of packages that work at build time only."""
_SEGMENTS: Mapping[str, tuple[str, ...]] = {
    "entityframeworkcore": _RELATIONAL,
    "efcore": _RELATIONAL,
    "mstest": _MSTEST,
    "opentelemetry": _OPEN_TELEMETRY,
    "xunitv3": _XUNIT_V3,
}
"""The assemblies that a segment of an unknown package's id hints at, if neither a package nor an assembly has that name."""

_ASSEMBLIES: Mapping[str, tuple[str, ...]] = {
    "ardalis.specification.entityframeworkcore": _RELATIONAL,
    "aspire.microsoft.entityframeworkcore.sqlserver": (*_SQL_SERVER, *_OPEN_TELEMETRY),
    "aspire.npgsql": ("Npgsql", *_OPEN_TELEMETRY),
    "aspire.npgsql.entityframeworkcore.postgresql": (*_NPGSQL, *_OPEN_TELEMETRY),
    "aspire.rabbitmq.client": ("RabbitMQ.Client", *_OPEN_TELEMETRY),
    "aspire.stackexchange.redis": ("StackExchange.Redis", *_OPEN_TELEMETRY),
    "automapper.extensions.microsoft.dependencyinjection": (
        "AutoMapper",
        "AutoMapper.Extensions.Microsoft.DependencyInjection",
    ),
    "autofac.extensions.dependencyinjection": ("Autofac", "Autofac.Extensions.DependencyInjection"),
    "awssdk.s3": ("AWSSDK.S3", "AWSSDK.Core"),
    "commandlineparser": ("CommandLine",),
    "duckdb.net.data.full": ("DuckDB.NET.Data",),
    "flurl.http": ("Flurl.Http", "Flurl"),
    "flurl.http.signed": ("Flurl.Http", "Flurl"),
    "fluentvalidation.aspnetcore": ("FluentValidation",),
    "fluentvalidation.dependencyinjectionextensions": ("FluentValidation",),
    "grpc.aspnetcore": ("Grpc.AspNetCore.Server", "Grpc.Net.Client", "Google.Protobuf"),
    "grpc.net.clientfactory": ("Grpc.Net.Client",),
    "masstransit": ("MassTransit", "MassTransit.Abstractions"),
    "mediatr.extensions.microsoft.dependencyinjection": ("MediatR",),
    "microsoft.aspnetcore.identity.entityframeworkcore": (
        "Microsoft.AspNetCore.Identity.EntityFrameworkCore",
        *_RELATIONAL,
    ),
    "microsoft.aspnetcore.mvc.testing": ("Microsoft.AspNetCore.Mvc.Testing", "Microsoft.AspNetCore.TestHost"),
    "microsoft.codeanalysis": (
        "Microsoft.CodeAnalysis",
        "Microsoft.CodeAnalysis.CSharp",
        "Microsoft.CodeAnalysis.CSharp.Workspaces",
        "Microsoft.CodeAnalysis.Workspaces",
    ),
    "microsoft.codeanalysis.common": ("Microsoft.CodeAnalysis",),
    "microsoft.codeanalysis.csharp": ("Microsoft.CodeAnalysis.CSharp", "Microsoft.CodeAnalysis"),
    "microsoft.codeanalysis.csharp.workspaces": (
        "Microsoft.CodeAnalysis",
        "Microsoft.CodeAnalysis.CSharp",
        "Microsoft.CodeAnalysis.CSharp.Workspaces",
        "Microsoft.CodeAnalysis.Workspaces",
    ),
    "microsoft.codeanalysis.workspaces.common": ("Microsoft.CodeAnalysis.Workspaces", "Microsoft.CodeAnalysis"),
    "microsoft.data.sqlite": _SQLITE,
    "microsoft.data.sqlite.core": _SQLITE[:2],
    "microsoft.entityframeworkcore.design": (*_RELATIONAL, "Microsoft.EntityFrameworkCore.Design"),
    "microsoft.entityframeworkcore.inmemory": (*_EF_CORE, "Microsoft.EntityFrameworkCore.InMemory"),
    "microsoft.entityframeworkcore.sqlite": (*_RELATIONAL, "Microsoft.EntityFrameworkCore.Sqlite", *_SQLITE),
    "microsoft.entityframeworkcore.sqlserver": _SQL_SERVER,
    "microsoft.entityframeworkcore.tools": (*_RELATIONAL, "Microsoft.EntityFrameworkCore.Design"),
    "microsoft.extensions.http.polly": ("Microsoft.Extensions.Http.Polly", "Polly", "Polly.Core"),
    "microsoft.extensions.http.resilience": ("Polly", "Polly.Core"),
    "microsoft.net.test.sdk": _TEST_SDK,
    "mongodb.driver": ("MongoDB.Driver", "MongoDB.Bson"),
    "com.unity.nuget.newtonsoft-json": ("Newtonsoft.Json",),
    "entityframework": ("System.Data.SqlClient",),
    "mstest": (*_MSTEST, *_TEST_SDK),
    "mstest.testframework": _MSTEST,
    "nuke.common": ("Serilog", "Newtonsoft.Json"),
    "npgsql.entityframeworkcore.postgresql": _NPGSQL,
    "nunit": _NUNIT,
    "nunitlite": _NUNIT,
    "opentelemetry.extensions.hosting": _OPEN_TELEMETRY,
    "opentelemetry.instrumentation.aspnetcore": _OPEN_TELEMETRY,
    "opentelemetry.instrumentation.http": _OPEN_TELEMETRY,
    "pgvector.entityframeworkcore": ("Pgvector", *_NPGSQL),
    "polly": ("Polly", "Polly.Core"),
    "polly.extensions": ("Polly.Core",),
    "polly.ratelimiting": ("Polly.Core",),
    "reqnroll.nunit": _NUNIT,
    "selenium.webdriver": ("WebDriver", "Selenium.WebDriver"),
    "serilog.aspnetcore": _SERILOG_ASPNET,
    "serilog.extensions.hosting": ("Serilog", "Serilog.Extensions.Logging"),
    "sharpziplib": ("ICSharpCode.SharpZipLib",),
    "specflow.nunit": _NUNIT,
    "specflow.xunit": _XUNIT,
    "swashbuckle.aspnetcore": _SWASHBUCKLE,
    "swashbuckle.aspnetcore.annotations": ("Swashbuckle.AspNetCore.Annotations", *_SWASHBUCKLE),
    "system.io.abstractions.testinghelpers": ("System.IO.Abstractions",),
    "verify.nunit": _NUNIT,
    "verify.xunit": ("Verify.Xunit", *_XUNIT),
    "verify.xunitv3": _XUNIT_V3,
    "xunit": _XUNIT,
    "xunit.core": ("xunit.core", "xunit.abstractions", "xunit.execution.dotnet"),
    "xunit.extensibility.core": ("xunit.core", "xunit.abstractions"),
    "xunit.extensibility.execution": ("xunit.execution.dotnet", "xunit.core", "xunit.abstractions"),
    "xunit.v3": _XUNIT_V3,
    "xunit.v3.mtp-v1": _XUNIT_V3,
    "xunit.v3.mtp-v2": _XUNIT_V3,
    "xunit.v3.extensibility.core": ("xunit.v3.core", "xunit.v3.common"),
}

_NET_FRAMEWORK: Final = re.compile(r"net[1-4]\d{1,2}")
_OF_NET_FRAMEWORK: Final = frozenset(
    {
        *("Microsoft.Win32.SystemEvents", "System.CodeDom", "System.Configuration.ConfigurationManager"),
        *("System.Data.SqlClient", "System.Drawing.Common", "System.IO.Packaging", "System.Management"),
        *("System.Security.Cryptography.Pkcs", "System.Security.Cryptography.ProtectedData"),
        *("System.Security.Permissions", "System.ServiceModel.Http", "System.Windows.Extensions"),
    }
)
"""Packages that bring later frameworks what .NET Framework has in its own assemblies (System.Configuration, System.Data, System.Drawing …),
as the Windows Compatibility Pack lists them."""


def packages_of_framework(target_framework: str) -> frozenset[str]:
    """Packages whose types a project for this framework has without naming them."""
    return _OF_NET_FRAMEWORK if _NET_FRAMEWORK.fullmatch(target_framework) else frozenset()


def assemblies_of(package: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """Names of the assemblies a package is known to bring; empty for an unknown package. ``known``: the names of
    assemblies there are, by their lower case."""
    identifier = package.lower()
    listed = _ASSEMBLIES.get(identifier)
    if listed is not None:
        return listed
    same_name = known.get(identifier)
    return (same_name,) if same_name else ()


def assemblies_needed_by(package: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """Assemblies that an unknown package will need, going by its id: ``Serilog.Sinks.Seq`` extends Serilog,
    ``Respawn.NUnit`` works with NUnit. Empty for analyzers and test runners, which bring nothing that code names."""
    segments = package.lower().split(".")
    if not _TOOLS.isdisjoint(segments):
        return ()
    beginnings = [".".join(segments[:count]) for count in range(2, len(segments))]
    found: dict[str, None] = {}
    for number, segment in enumerate(segments):
        hinted = _SEGMENTS.get(segment) or _ASSEMBLIES.get(segment, ())
        if hinted:
            ends = range(number + 2, len(segments) + 1)
            # ``xunit.v3.mtp-off`` and ``Playwright.Xunit.v3`` are of xunit.v3, which brings something else than xunit.
            names = (*beginnings[max(number - 1, 0) :], *(".".join(segments[number:end]) for end in ends))
            longer = [_ASSEMBLIES[each] for each in names if each in _ASSEMBLIES]
            found.update(dict.fromkeys(longer[-1] if longer else hinted))
        if segment in known:
            found[known[segment]] = None
    for beginning in beginnings:
        if beginning in known:
            found[known[beginning]] = None
    return tuple(found)
