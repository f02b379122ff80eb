"""The extractor of demands on callers: what it asks for, and who reads which part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import FactKindInfo, FactRow
from codemap_plugins.aspnet.endpoint_calls import BUILDERS
from codemap_plugins.aspnet.global_filters import FILTER_CREATIONS, OPTIONS_CALLS
from codemap_plugins.aspnet.guards import DEMANDS
from codemap_plugins.aspnet.policies import GENERAL_POLICIES, POLICY_CALLS
from codemap_plugins.authorize.called import CALLS, call_notes, call_rows
from codemap_plugins.authorize.declared import (
    ATTRIBUTE_BASES,
    FILES,
    FILTERED,
    attribute_notes,
    attribute_rows,
    razor_rows,
)
from codemap_plugins.authorize.filters import filter_rows
from codemap_plugins.authorize.guarded import KIND
from codemap_plugins.authorize.policies import policy_rows

AUTHORIZE: Final = FactKindInfo(
    name=KIND,
    title="Authorization",
    value="policy:Name|route or type, roles:A,B|…, requirement:Type|…, filter:Use|…, authenticated|…, anonymous|…, policy:Name|definition, "
    "FallbackPolicy|definition",
    detail={
        "at": "line of the attribute or of the call's name",
        "demand": "policy, roles, requirement, filter, authenticated or anonymous; DefaultPolicy or FallbackPolicy where that is defined",
        "policy": "name of the policy",
        "roles": "names of roles, of which one is enough",
        "requirement": "type argument of an attribute class of the repository's own that names neither policy nor roles",
        "filter": "use of an attribute that is an authorization filter of the repository's own, or that names one",
        "guards": "what is guarded: a route, /prefix/* of a group, a type, a method, a page, or all controllers",
        "guards_id": "id of the type or method",
        "attribute": "use of an attribute class of the repository's own",
        "requires": "what a policy demands, where it is defined",
    },
)


class Authorization:
    name = "authorize"
    language = "csharp"
    interests = Interests(
        invocations=(*CALLS, *POLICY_CALLS, *OPTIONS_CALLS),
        creations=FILTER_CREATIONS,
        carried_types=BUILDERS,
        attributes=("Authorize", "AllowAnonymous", "TypeFilter", "ServiceFilter"),
        base_types=(*ATTRIBUTE_BASES, *FILTERED),
        members=True,
        assignments=(*DEMANDS, *GENERAL_POLICIES),
        files=FILES,
    )
    kinds: tuple[str, ...] = (KIND,)

    def extract(self, seen: Seen) -> Iterator[FactRow | Note]:
        yield from attribute_notes(seen)
        yield from call_notes(seen)
        yield from policy_rows(seen)
        yield from filter_rows(seen)
        yield from razor_rows(seen)

    def conclude(self, notes: Sequence[Note]) -> Iterator[FactRow]:
        yield from attribute_rows(notes)
        yield from call_rows(notes)
