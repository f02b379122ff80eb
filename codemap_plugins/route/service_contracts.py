"""Operations of WCF services, and of CoreWCF's: methods with ``[OperationContract]`` of a type with ``[ServiceContract]``.

An operation stands at its declaration in the contract; what implements the contract answers. Its address is that of its default SOAP
action behind the namespace: the names of contract and operation (``ServiceContractAttribute.Name``, ``OperationContractAttribute.Name``).
Where the service is hosted, and under which address, is configured. Contracts that tools generate for clients are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codemap_core.facts.texts import text_of
from codemap_core.hooks.extractors import Seen
from codemap_core.model import Confidence, FactRow, SymbolKind
from codemap_core.model.bound import BoundAttribute, BoundDeclaration
from codemap_core.model.documentation_id import is_type_id
from codemap_plugins.route.route_rows import Place, Source, route_row

_CONTRACT: Final = "ServiceContract"
_OPERATION: Final = "OperationContract"
CONTRACT_ATTRIBUTES: Final = (_CONTRACT, _OPERATION)
_GENERATED: Final = "GeneratedCode"
_VERB: Final = "WCF"
_NAME: Final = "Name"
_ASYNC: Final = "Async"
_TASK: Final = "Task"


def operation_rows(seen: Seen) -> Iterator[FactRow]:
    """The operations that one document declares."""
    contracts: dict[str, str] = {}
    for each in seen.declarations:
        contract = _attribute(each, _CONTRACT) if is_type_id(each.symbol_id) else None
        if contract is not None and _attribute(each, _GENERATED) is None:
            contracts[each.symbol_id] = _given(contract) or each.name
    if not contracts:
        return
    for each in seen.declarations:
        name = contracts.get(each.container_id or "") if each.kind is SymbolKind.METHOD else None
        operation = _attribute(each, _OPERATION) if name is not None else None
        if operation is not None:
            yield route_row(
                Place(seen.file_path, each.line or each.line_start, each.line_start, each.line_end),
                each.symbol_id,
                _VERB,
                f"{name}/{_given(operation) or _operation(each)}",
                Source.WCF,
                handler=each.symbol_id,
                controller=each.container_id or "",
                confidence=Confidence.MEDIUM,
                beyond=True,
            )


def _attribute(declaration: BoundDeclaration, name: str) -> BoundAttribute | None:
    return next((each for each in declaration.attributes if each.type.name.removesuffix("Attribute") == name), None)


def _given(attribute: BoundAttribute) -> str:
    """The name that the attribute gives; empty for none."""
    return next((text_of(each.value) or "" for each in attribute.named_arguments if each.parameter == _NAME), "")


def _operation(method: BoundDeclaration) -> str:
    """The method's name; of one that gives a task, without the ending that says so."""
    is_task = method.type is not None and method.type.name == _TASK
    return method.name.removesuffix(_ASYNC) if is_task else method.name
