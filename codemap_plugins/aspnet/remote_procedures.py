"""What links to remote procedures share: how C# that is made of protocol buffers says which procedure a method stands for, and how it is
told which of several methods of one name answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

from msgspec import Struct

RPC: Final = "__Rpc"
"""The attribute of a service's method in its base class. Its argument is the address by which gRPC asks for it, ``/package.Service/Method``
(gRPC over HTTP/2, *Requests*)."""


class Answer(Struct, frozen=True, array_like=True):
    """A method that answers where ``name`` is asked for. ``side``: what it is part of, of which one alone may answer."""

    name: str
    side: str
    method: str
    is_test: bool


AnswerT = TypeVar("AnswerT", bound=Answer)


def of_one_side(answers: Iterable[AnswerT]) -> Mapping[str, Sequence[AnswerT]]:
    """By name what answers, where it is of one side alone: which of several is asked is not guessed. What tests put in the place of another
    counts where there is nothing else."""
    every: dict[str, list[AnswerT]] = {}
    for each in answers:
        every.setdefault(each.name, []).append(each)
    found: dict[str, Sequence[AnswerT]] = {}
    for name, answering in every.items():
        real = [each for each in answering if not each.is_test] or answering
        if len({each.side for each in real}) == 1:
            found[name] = real
    return found
