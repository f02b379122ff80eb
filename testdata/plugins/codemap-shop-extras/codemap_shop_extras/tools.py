"""A tool that lists endpoints, from the facts of the index."""

from typing import Annotated

from codemap_core.hooks.tool import Page, Tool, ToolFamily, ToolResult
from codemap_core.toolkit.arguments import SnapshotArguments, open_snapshot
from msgspec import Meta, Struct
from msgspec.structs import replace


class EndpointArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    beginning: Annotated[str, Meta(description="Verb and beginning of the path: 'GET /api'.")] = ""


class Endpoint(Struct, frozen=True):
    value: str
    file_path: str
    line: int


class EndpointList(Struct, frozen=True, omit_defaults=True):
    endpoints: tuple[Endpoint, ...]
    truncated: bool = False

    @property
    def row_count(self):
        return len(self.endpoints)

    def cut(self, count):
        return replace(self, endpoints=self.endpoints[:count], truncated=True)

    def lines(self):
        for each in self.endpoints:
            yield f"{each.value}  {each.file_path}:{each.line}"


def list_endpoints(context, arguments):
    snapshot = open_snapshot(context, arguments)
    found = snapshot.reading.facts("endpoint", prefix=arguments.beginning, limit=100, offset=arguments.offset)
    return ToolResult(
        answer=f"{found.total} {'endpoint' if found.total == 1 else 'endpoints'}",
        data=EndpointList(tuple(Endpoint(each.value, each.file_path, each.line_start) for each in found.rows)),
        page=Page(arguments.offset, found.total),
        snapshot=snapshot,
    )


ENDPOINTS = ToolFamily(
    name="endpoints",
    title="Endpoints",
    tools=(
        Tool(
            name="endpoints.list",
            title="List endpoints",
            description="Routes, URLs, minimal API endpoints with their group prefixes. Use it before adding or moving one.",
            arguments=EndpointArguments,
            run=list_endpoints,
        ),
    ),
)
