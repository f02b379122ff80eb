"""Which symbols tests declare, and which they lead to."""

from __future__ import annotations

from collections.abc import Callable, Collection

from codemap_core.queries.snapshot import Snapshot
from codemap_plugins.coderef.dependents import FOLLOWED, Uses, Walk


def in_tests(snapshot: Snapshot, numbers: Collection[int]) -> frozenset[int]:
    """Those of ``numbers`` that test projects alone declare."""
    tests = snapshot.reader.edges.test_projects
    return snapshot.reader.edges.declared_only_in(numbers, tests) if tests else frozenset()


def led_to(
    snapshot: Snapshot, uses: Uses, symbols: Collection[int], depth: int, check: Callable[[], None], walk: Walk
) -> frozenset[int]:
    """Those of ``symbols`` that tests use, over at most ``depth`` steps. ``walk``: an earlier one that left tests out, which therefore
    need not be found again. A level of more than ``FOLLOWED`` symbols is followed in part."""
    return _Led(snapshot, uses, symbols, walk).after(depth, check)


class _Led:
    """What tests lead to is not walked on from: all that it uses is led to as well."""

    def __init__(self, snapshot: Snapshot, uses: Uses, symbols: Collection[int], walk: Walk) -> None:
        self._snapshot = snapshot
        self._uses = uses
        self._symbols = symbols
        self._others = walk.reached
        self._tests = {*walk.left_out, *in_tests(snapshot, symbols)}
        self._found: set[int] = set()
        self._used_by: dict[int, list[int]] = {}
        """Of users that tests are not known to lead to."""

    def after(self, steps: int, check: Callable[[], None]) -> frozenset[int]:
        known = set(self._symbols)
        level = list(known)
        for _ in range(steps):
            check()
            users = self._users_of(level) - known
            known |= users
            self._find(self._new_tests(users))
            level = sorted(each for each in users if self._matters(each))[:FOLLOWED]
            if not level:
                break
        return frozenset(self._found.intersection(self._symbols))

    def _users_of(self, level: Collection[int]) -> set[int]:
        tests, found, used_by = self._tests, self._found, self._used_by
        users: set[int] = set()
        led: list[int] = []
        for user, used, _, _ in self._uses(level):
            if used in found:
                continue
            if user in tests or user in found:
                led.append(used)
            else:
                users.add(user)
                used_by.setdefault(user, []).append(used)
        self._spread(led)
        return users - tests

    def _new_tests(self, users: Collection[int]) -> frozenset[int]:
        return in_tests(self._snapshot, [each for each in users if each not in self._others])

    def _find(self, tests: Collection[int]) -> None:
        self._tests.update(tests)
        self._spread([used for each in tests for used in self._used_by.pop(each, ())])

    def _spread(self, led: list[int]) -> None:
        while led:
            number = led.pop()
            if number not in self._found:
                self._found.add(number)
                led.extend(self._used_by.pop(number, ()))

    def _matters(self, user: int) -> bool:
        """Whether it would lead to something new if tests led to it."""
        return any(each not in self._found for each in self._used_by.get(user, ()))
