"""Which assemblies a package brings: what a project names is a package, what it then sees are assemblies.

Most packages hold the assembly of their own name; ``_ASSEMBLIES`` lists much used ones that do not, or that bring
further packages whose assemblies their own does not refer to. Facts of the packages' own manifests, by lower-case id.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

_ASPIRE_CLIENT = ("OpenTelemetry", "OpenTelemetry.Api", "OpenTelemetry.Api.ProviderBuilderExtensions")
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

_ASSEMBLIES: Mapping[str, tuple[str, ...]] = {
    "ardalis.specification.entityframeworkcore": _RELATIONAL,
    "aspire.microsoft.entityframeworkcore.sqlserver": (*_SQL_SERVER, *_ASPIRE_CLIENT),
    "aspire.npgsql": ("Npgsql", *_ASPIRE_CLIENT),
    "aspire.npgsql.entityframeworkcore.postgresql": (*_NPGSQL, *_ASPIRE_CLIENT),
    "aspire.rabbitmq.client": ("RabbitMQ.Client", *_ASPIRE_CLIENT),
    "aspire.stackexchange.redis": ("StackExchange.Redis", *_ASPIRE_CLIENT),
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
    "entityframework": ("System.Data.SqlClient",),
    "mstest": (*_MSTEST, *_TEST_SDK),
    "mstest.testframework": _MSTEST,
    "nuke.common": ("Serilog", "Newtonsoft.Json"),
    "npgsql.entityframeworkcore.postgresql": _NPGSQL,
    "nunit": _NUNIT,
    "nunitlite": _NUNIT,
    "opentelemetry.extensions.hosting": _ASPIRE_CLIENT,
    "opentelemetry.instrumentation.aspnetcore": _ASPIRE_CLIENT,
    "opentelemetry.instrumentation.http": _ASPIRE_CLIENT,
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


def assemblies_of(package: str, known: Collection[str]) -> tuple[str, ...]:
    """Names of the assemblies a package is known to bring; ``known``: assembly names there are, matched without regard
    to case where the package is in no table. Empty for an unknown package."""
    listed = _ASSEMBLIES.get(package.lower())
    if listed is not None:
        return listed
    wanted = package.lower()
    return tuple(name for name in known if name.lower() == wanted)
