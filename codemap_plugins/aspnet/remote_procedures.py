"""How C# that is made of protocol buffers says which remote procedure a method stands for."""

from __future__ import annotations

from typing import Final

RPC: Final = "__Rpc"
"""The attribute of a service's method in its base class. Its argument is the address by which gRPC asks for it, ``/package.Service/Method``
(gRPC over HTTP/2, *Requests*)."""
