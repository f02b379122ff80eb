"""A bound document as lines, for expected texts in tests: an event a line, then the regions, then the declarations.

    2:9 invocation MapGet of M:App.Routes.MapGet(System.String) on app=#0 (pattern="/x", handler=lambda R0) in R1

``#n`` is an event, ``Rn`` a region; constants are written as JSON, settled values with ``~`` before them, types by their simple names. An
event that is more than its line says which lines it spans.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from codemap_core.model.bound import (
    NOWHERE,
    Argument,
    BoundAttribute,
    BoundDeclaration,
    BoundDocument,
    BoundType,
    Constant,
    Event,
    Region,
    TextPart,
    TypeForm,
    Value,
)


def bound_text(document: BoundDocument) -> str:
    lines = [
        *(f"#{number} {_event(event)}" for number, event in enumerate(document.events)),
        *(f"R{number} {_region(region)}" for number, region in enumerate(document.regions)),
        *(line for declaration in document.declarations for line in _declaration(declaration)),
        *(f"assembly {_attribute(attribute)}" for attribute in document.attributes),
    ]
    return "".join(f"{line}\n" for line in lines)


def type_text(type_: BoundType | None) -> str:
    if type_ is None:
        return "?"
    if type_.form is TypeForm.ARRAY:
        return f"{type_text(type_.arguments[0])}[]"
    inside = f"<{', '.join(type_text(each) for each in type_.arguments)}>" if type_.arguments else ""
    return f"{'!' if type_.form is TypeForm.UNRESOLVED else ''}{type_.name}{inside}"


def value_text(value: Value) -> str:
    said = [
        ("nameof " if value.is_nameof else "") + _constant(value.constant) if value.constant is not None else "",
        f"~{_constant(value.settled)}" if value.settled is not None else "",
        "".join(_part(part) for part in value.parts),
        f"written {value.written}" if value.written else "",
        f"typeof({type_text(value.type_operand)})" if value.type_operand is not None else "",
        f"[{', '.join(_element(each) for each in value.elements)}]" if value.elements else "",
        f"({' | '.join(value_text(each) for each in value.alternatives)})" if value.alternatives else "",
        f"lambda R{value.region}" if value.region != NOWHERE and not value.local else "",
        f"#{value.origin}" if value.origin != NOWHERE else "",
        value.symbol_id,
        f"!{value.unbound_name}" if value.unbound_name else "",
    ]
    if value.local:
        owner = f" of R{value.region}" if value.region != NOWHERE else ""
        place = f"(parameter {value.parameter}{owner})" if value.parameter != NOWHERE else ""
        said.insert(0, value.local + place)
    return "=".join(each for each in said if each) or f"?{type_text(value.type)}"


def _element(value: Value) -> str:
    return f"..{value_text(value)}" if value.is_spread else value_text(value)


def _constant(constant: Constant) -> str:
    return json.dumps(constant.value, ensure_ascii=False)


def _part(part: TextPart) -> str:
    if part.text is not None:
        return part.text
    return "{" + (value_text(part.hole) if part.hole is not None else "") + (":" if part.is_formatted else "") + "}"


def _arguments(arguments: tuple[Argument, ...]) -> str:
    return ", ".join(
        f"{each.parameter}={value_text(each.value)}" if each.parameter else value_text(each.value) for each in arguments
    )


def _event(event: Event) -> str:
    said = [f"{event.line}:{event.column} {event.kind.value}"]
    if event.in_expression:
        said.append("expression")
    if event.name:
        inside = f"<{', '.join(type_text(each) for each in event.type_arguments)}>" if event.type_arguments else ""
        said.append(event.name + inside)
    if event.operator:
        said.append(event.operator)
    if event.target is not None:
        said.append(f"of {event.constructor or event.target}")
    elif event.reason:
        said.append(f"unresolved: {event.reason}")
    if event.receiver is not None:
        said.append(f"on {value_text(event.receiver)}")
    elif event.receiver_type_id:
        said.append(f"on {event.receiver_type_id}")
    said.append(f"({_arguments(event.arguments)})")
    if event.type is not None:
        said.append(f": {type_text(event.type)}")
    if event.initializes != NOWHERE:
        said.append(f"for #{event.initializes}")
    if event.region != NOWHERE:
        said.append(f"in R{event.region}")
    if (event.line_start, event.line_end) != (event.line, event.line):
        said.append(f"lines {event.line_start}-{event.line_end}")
    return " ".join(said)


def _region(region: Region) -> str:
    said = [f"{region.line} {region.kind.value}"]
    if region.name:
        said.append(region.name)
    said += [_attribute(each) for each in region.attributes]
    if region.event != NOWHERE:
        said.append(f"of #{region.event}" + (f" argument {region.argument}" if region.argument != NOWHERE else ""))
    if region.caught:
        said.append(f"catches {', '.join(type_text(each) for each in region.caught)}")
    if region.has_filter:
        said.append("when")
    if region.line_end:
        said.append(f"from column {region.column} to {region.line_end}:{region.column_end}")
    if region.guards != NOWHERE:
        said.append(f"after R{region.guards}")
    if region.parent != NOWHERE:
        said.append(f"in R{region.parent}")
    return " ".join(said)


def _declaration(declaration: BoundDeclaration) -> Iterator[str]:
    words = " ".join((declaration.visibility.value, *declaration.modifiers, declaration.kind.value))
    parameters = ", ".join(f"{type_text(each.type)} {each.name}" for each in declaration.parameters)
    value = f" = {value_text(declaration.value)}" if declaration.value is not None else ""
    bases = f" : {', '.join(type_text(each) for each in declaration.all_bases)}" if declaration.all_bases else ""
    typed = f" {type_text(declaration.type)}" if declaration.type is not None else ""
    overrides = f" overrides {', '.join(declaration.overrides)}" if declaration.overrides else ""
    yield f"{declaration.line} {words} {declaration.symbol_id}{typed}({parameters}){bases}{value}{overrides}"
    for each in declaration.documented_exceptions:
        yield f"  throws {type_text(each.type)} by line {each.line}"
    for attribute in (*declaration.attributes, *declaration.attributes_elsewhere):
        yield f"  {_attribute(attribute)}"
    for parameter in declaration.parameters:
        for attribute in parameter.attributes:
            yield f"  {parameter.name}: {_attribute(attribute)}"


def _attribute(attribute: BoundAttribute) -> str:
    target = f"{attribute.target}: " if attribute.target else ""
    inside = _arguments((*attribute.arguments, *attribute.named_arguments))
    elsewhere = f" on {attribute.declared_on}" if attribute.declared_on else ""
    lines = f" lines {attribute.line}-{attribute.line_end}" if attribute.line_end not in (0, attribute.line) else ""
    return f"[{target}{type_text(attribute.type)}({inside})]{elsewhere}{lines}"
