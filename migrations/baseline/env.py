"""Entry point that Alembic asks for; all it does is in codemap_core.storage.migrate."""

from alembic import context

from codemap_core.storage.migrate import SchemaName, run_environment

run_environment(context, SchemaName.BASELINE)  # type: ignore[arg-type]  # a proxy of EnvironmentContext
