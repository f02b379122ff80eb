"""``mcp__coderef__uds_compliance_check`` and ``mcp__coderef__generate_with_uds``: pending, as the contract has it, in a repository
without a rule file; where there is one, elements are checked against its rules, and code is generated from its templates. Nothing is
written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from string import Template
from typing import Any, Final

from msgspec import Struct

from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.capabilities import REPOSITORIES
from codemap_core.hooks.tool import ToolContext, ToolResult
from codemap_core.model.counting import counted
from codemap_core.queries.cards.source_text import split_lines
from codemap_core.queries.snapshot import Snapshot, normalise_path
from codemap_plugins.coderef.arguments import ComplianceArguments, GenerateArguments
from codemap_plugins.coderef.asked import snapshot_of
from codemap_plugins.coderef.complexity import Measures, complexity_of, measured
from codemap_plugins.coderef.coverage import Coverage, CoverageOfTrees
from codemap_plugins.coderef.elements import Element, Wanted, find
from codemap_plugins.coderef.errors import CodeRefCode, CodeRefError
from codemap_plugins.coderef.issues import Severity
from codemap_plugins.coderef.metadata import DOCUMENTATION, SECURITY, STATUS, Marks, metadata_of
from codemap_plugins.coderef.naming import own_name
from codemap_plugins.coderef.parsing import FORM, parse_pattern
from codemap_plugins.coderef.uds_rules import (
    FILES,
    CodeTemplate,
    Documented,
    Requirement,
    Rule,
    Standard,
    load_standard,
)

MAX_MEASURED: Final = 600
"""Files that are measured for one check."""
_PENDING_CHECK: Final = {"status": "pending", "message": "UDS compliance checking implementation in P6.4"}
_PENDING_GENERATION: Final = {"status": "pending", "message": "UDS-compliant generation implementation in P6.5"}


class Violation(Struct, frozen=True):
    reference: str
    rule: str
    severity: Severity
    message: str


def check_compliance(context: ToolContext, coverage: CoverageOfTrees, arguments: ComplianceArguments) -> ToolResult:
    repository = context.ask(REPOSITORIES).repository(arguments.repo_path)
    standard = load_standard(repository.root)
    if standard is None:
        return ToolResult(answer="", data=_PENDING_CHECK)
    snapshot = snapshot_of(context, arguments)
    checker = _Checker(context, snapshot, standard, coverage.of(repository, snapshot))
    elements = _asked(snapshot, arguments.reference)
    found = list(checker.violations(elements))
    answer = {
        "status": "success",
        "compliant": not any(each.severity.is_failure for each in found),
        "rules": len(standard.rules),
        "checked_elements": len(elements),
        "total_violations": len(found),
        "by_severity": {each.value: sum(one.severity is each for one in found) for each in Severity},
        "violations": found[: arguments.limit],
    }
    return ToolResult(answer="", data=answer, snapshot=snapshot)


def _asked(snapshot: Snapshot, text: str) -> tuple[Element, ...]:
    if not text.strip():
        return find(snapshot, Wanted()).elements
    parsed = parse_pattern(text)
    if parsed.pattern is None:
        first = parsed.issues[0]
        raise CodeRefError(CodeRefCode.INVALID_REFERENCE, first.message, "reference", first.suggestion or FORM)
    pattern = parsed.pattern
    wanted = Wanted(
        designators=(pattern.designator,) if pattern.designator is not None else (),
        path=pattern.path,
        element=pattern.element,
        line=pattern.line,
    )
    return find(snapshot, wanted).elements


class _Checker:
    def __init__(self, context: ToolContext, snapshot: Snapshot, standard: Standard, coverage: Coverage) -> None:
        self._context: Final = context
        self._snapshot: Final = snapshot
        self._rules: Final = standard.rules
        self._coverage: Final = coverage
        self._marks: Final = Marks(snapshot)

    def violations(self, elements: tuple[Element, ...]) -> Iterator[Violation]:
        """By rule, then by element."""
        for rule in self._rules:
            self._context.check_cancelled()
            scoped = [each for each in elements if self._applies(rule, each)]
            measures = self._measures(rule, scoped)
            for each in scoped:
                for said in self._broken(rule.require, each, measures):
                    yield Violation(str(each.reference), rule.id, rule.severity, rule.message or said)

    def _applies(self, rule: Rule, element: Element) -> bool:
        scope = rule.applies_to
        reference = element.reference
        return (
            (not scope.types or reference.designator in scope.types)
            and fnmatchcase(reference.path, scope.path)
            and fnmatchcase(reference.element or "", scope.element)
            and (not scope.security or self._metadata(element, {}).get(SECURITY) in scope.security)
        )

    def _measures(self, rule: Rule, elements: list[Element]) -> Measures:
        if rule.require.max_complexity is None:
            return {}
        files = {each.file_path for each in elements if each.file_path}
        if len(files) > MAX_MEASURED:
            raise CodeRefError(
                CodeRefCode.INVALID_REQUEST,
                f"The rule {rule.id!r} would measure {counted(len(files), 'file')}; the maximum is {MAX_MEASURED}.",
                "reference",
                "Check a part of the repository: @*/src/Shop#*.",
            )
        return measured(self._context, self._snapshot, elements, len(files))

    def _metadata(self, element: Element, measures: Measures) -> Mapping[str, str]:
        return metadata_of(element, self._marks, measures, self._coverage)

    def _broken(self, require: Requirement, element: Element, measures: Measures) -> Iterator[str]:
        """What an element lacks; nothing where a requirement cannot be judged, as of coverage without a report."""
        if element.symbol is not None:
            yield from _name_problems(require, own_name(element.symbol))
        metadata = self._metadata(element, measures)
        documented = metadata.get(DOCUMENTATION)
        if require.documentation is not None and documented is not None:
            enough = {Documented.PARTIAL: ("partial", "complete"), Documented.COMPLETE: ("complete",)}
            if documented not in enough[require.documentation]:
                yield f"Its documentation is {documented}, not {require.documentation}."
        if require.status and metadata.get(STATUS) not in (None, *require.status):
            yield f"It is {metadata[STATUS]}."
        complexity = complexity_of(element, measures)
        if require.max_complexity is not None and complexity is not None and complexity.score > require.max_complexity:
            yield f"Its complexity is {complexity.score:g}; the maximum is {require.max_complexity:g}."
        yield from _line_problems(require, element.span)
        percentage = self._coverage.percentage(element.file_path, element.span) if element.file_path else None
        if require.min_coverage is not None and percentage is not None and percentage < require.min_coverage:
            yield f"Tests cover {percentage:g} % of it; the minimum is {require.min_coverage:g} %."


def _name_problems(require: Requirement, name: str) -> Iterator[str]:
    if require.name and not any(fnmatchcase(name, each) for each in require.name):
        yield f"Its name {name!r} does not fit {' or '.join(require.name)}."
    if require.name_style is not None and not require.name_style.fits(name):
        yield f"Its name {name!r} is not written in {require.name_style}."


def _line_problems(require: Requirement, span: tuple[int, int] | None) -> Iterator[str]:
    if require.max_lines is not None and span is not None and span[1] - span[0] + 1 > require.max_lines:
        yield f"It has {span[1] - span[0] + 1:,} lines; the maximum is {require.max_lines:,}."


def generate(context: ToolContext, arguments: GenerateArguments) -> ToolResult:
    standard = load_standard(context.ask(REPOSITORIES).repository(arguments.repo_path).root)
    if standard is None:
        return ToolResult(answer="", data=_PENDING_GENERATION)
    template = _template(standard, arguments.template)
    values = {**arguments.values, **({"name": arguments.name} if arguments.name else {})}
    missing = [each for each in template.placeholders() if each not in values]
    if missing:
        raise CodeRefError(
            CodeRefCode.INVALID_REQUEST,
            f"The template {template.name!r} needs {', '.join(missing)}.",
            "name" if missing == ["name"] else "values",
        )
    try:
        path = normalise_path(Template(template.path).substitute(values))
        content = Template(template.content).substitute(values)
    except (ValueError, InvalidArgumentError) as error:
        raise CodeRefError(
            CodeRefCode.VALIDATION_ERROR,
            f"The template {template.name!r} gives nothing that could be written: {error}",
            "template",
            f"Correct the template in {' or '.join(FILES)}; a '$' of its own is written '$$'.",
        ) from error
    violations, unchecked = _judged(standard, template, path, arguments.name, content)
    answer: dict[str, Any] = {
        "status": "success",
        "template": template.name,
        "path": path,
        "content": content,
        "compliant": not any(each.severity.is_failure for each in violations),
        "violations": violations,
        "unchecked_rules": unchecked,
    }
    return ToolResult(answer="", data=answer)


def _template(standard: Standard, name: str) -> CodeTemplate:
    known = {each.name: each for each in standard.templates}
    if not name and len(known) == 1:
        return next(iter(known.values()))
    if name not in known:
        raise CodeRefError(
            CodeRefCode.INVALID_REQUEST,
            f"There is no template {name!r}." if name else "Say which template.",
            "template",
            f"Templates: {', '.join(known) or 'none'}.",
        )
    return known[name]


def _judged(
    standard: Standard, template: CodeTemplate, path: str, name: str, content: str
) -> tuple[list[Violation], list[str]]:
    """What of new code can be judged before it is indexed: its name and its length; and the rules that ask for more."""
    violations: list[Violation] = []
    unchecked: list[str] = []
    lines = (1, max(1, len(split_lines(content))))
    for rule in standard.rules:
        scope, require = rule.applies_to, rule.require
        if (scope.types and template.type not in scope.types) or not fnmatchcase(path, scope.path):
            continue
        if name and not fnmatchcase(name, scope.element):
            continue
        problems = [*(_name_problems(require, name) if name else ()), *_line_problems(require, lines)]
        reference = f"@{template.type}/{path}" + (f"#{name}" if name else "")
        violations += [Violation(reference, rule.id, rule.severity, rule.message or said) for said in problems]
        if (
            scope.security
            or require.documentation
            or require.max_complexity is not None
            or require.min_coverage is not None
        ):
            unchecked.append(rule.id)
    return violations, unchecked
