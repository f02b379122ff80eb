"""Services as C#: the base class of what answers, and the client of what asks, whose methods mean those of the base class (gRPC, *gRPC
services with C#*)."""

from __future__ import annotations

from itertools import product
from typing import Final

from codemap_plugins.aspnet.remote_procedures import RPC
from codemap_plugins.csharp.protobuf.messages import Places, means
from codemap_plugins.csharp.protobuf.syntax import Method, Name, Service
from codemap_plugins.csharp.protobuf.type_names import ProtoText, TypeNames

_GRPC: Final = "global::Grpc.Core"
USING: Final = "using Grpc.Core;\n"
"""Types of parameters that methods of the base class have are written without their namespace, as code writes them which overrides these
methods: where gRPC is not at hand, they are the same as far as anybody knows."""
_TASK: Final = "global::System.Threading.Tasks.Task"
_FURTHER: Final = (
    f"{_GRPC}.Metadata headers = null, global::System.DateTime? deadline = null, "
    "global::System.Threading.CancellationToken cancellationToken = default"
)
_OPTIONS: Final = f"{_GRPC}.CallOptions options"
_STREAMING: Final = {
    (False, False): "",
    (False, True): "AsyncServerStreamingCall",
    (True, False): "AsyncClientStreamingCall",
    (True, True): "AsyncDuplexStreamingCall",
}
"""What a call gives whose method takes or gives a stream."""


class Services:
    def __init__(self, types: TypeNames, places: Places, package: str) -> None:
        self._types: Final = types
        self._places: Final = places
        self._package: Final = package

    def add(self, text: ProtoText, service: Service) -> None:
        name = service.name
        self._places.declare(text, name, service.place, service.comment)
        text.add("public static partial class ")
        text.copy(name.start, name.end)
        text.add(" {\npublic abstract partial class ")
        text.rename(name.start, f"{name.text}Base")
        text.add(" {\n")
        for method in service.methods:
            self._add_answered(text, method, ".".join(filter(None, (self._package, name.text))))
        client = f"{name.text}Client"
        text.add("}\npublic partial class ")
        text.rename(name.start, client)
        text.add(f" : {_GRPC}.ClientBase<{client}> {{\n")
        text.add(f"public {client}({_GRPC}.ChannelBase channel) {{ }}\n")
        text.add(f"public {client}({_GRPC}.CallInvoker callInvoker) {{ }}\npublic {client}() {{ }}\n")
        for method in service.methods:
            self._add_asked(text, method, f"{name.text}Base")
        text.add("}\n")
        text.add(
            f"{means()}public static {_GRPC}.ServerServiceDefinition BindService({name.text}Base serviceImpl) {{ }}\n}}\n"
        )

    def _add_answered(self, text: ProtoText, method: Method, service: str) -> None:
        """``service``: its full name."""
        self._places.declare(text, method.name, method.place, method.comment)
        text.add(f'[{RPC}("/{service}/{method.name.text}")] public virtual {_TASK}')
        if not method.gives_stream:
            self._add_of(text, "", method.response)
        text.add(" ")
        text.copy(method.name.start, method.name.end)
        text.add("(")
        if method.takes_stream:
            self._add_of(text, "IAsyncStreamReader", method.request)
            text.add(" requestStream")
        else:
            self._add_type(text, method.request)
            text.add(" request")
        if method.gives_stream:
            text.add(", ")
            self._add_of(text, "IServerStreamWriter", method.response)
            text.add(" responseStream")
        text.add(", ServerCallContext context) { }\n")

    def _add_asked(self, text: ProtoText, method: Method, base: str) -> None:
        """Each with its options one by one and as one object; of a method without streams, one that waits and one that does not."""
        name, request, response = method.name.text, method.request.said_again(), method.response.said_again()
        streaming = _STREAMING[method.takes_stream, method.gives_stream]
        ways = [(streaming, name)] if streaming else [("", name), ("AsyncUnaryCall", f"{name}Async")]
        for (result, called), options in product(ways, (_FURTHER, _OPTIONS)):
            text.add(f"{means(f'{base}.{name}')}public virtual ")
            if result:
                self._add_of(text, f"{_GRPC}.{result}", *([request] if method.takes_stream else []), response)
            else:
                self._add_type(text, response)
            text.add(f" {called}(")
            if not method.takes_stream:
                self._add_type(text, request)
                text.add(" request, ")
            text.add(f"{options}) {{ }}\n")

    def _add_of(self, text: ProtoText, generic: str, *arguments: Name) -> None:
        for index, argument in enumerate(arguments):
            text.add(", " if index else f"{generic}<")
            self._add_type(text, argument)
        text.add(">")

    def _add_type(self, text: ProtoText, type_: Name) -> None:
        self._types.add(text, type_, self._package, is_message=True)
