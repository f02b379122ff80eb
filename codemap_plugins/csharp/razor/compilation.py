"""A page as C#: the text that its compiler would make of it, as far as names are concerned, parsed and lowered to a unit.

What is added to the page has no place in it, and nothing that stands there is listed: neither the class of a view nor the method that
renders a page. The class of a component is what its file declares.
"""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec.structs import replace

from codemap_core.hooks.contracts import AnalysisSettings
from codemap_plugins.csharp.bodies import Op, last_name
from codemap_plugins.csharp.page_names import (
    MODEL,
    PAGE_BASE,
    PageKind,
    class_name,
    is_of_components,
    namespace,
    page_kind,
)
from codemap_plugins.csharp.parsing import ParsedSource, parse_source
from codemap_plugins.csharp.razor.generated import ComponentTag, Mark, Marked, PageText
from codemap_plugins.csharp.razor.reader import Generated, PageReader
from codemap_plugins.csharp.type_syntax import TypeSyntax
from codemap_plugins.csharp.unit import DocumentUnit

_COMMON_USINGS: Final = ("System", "System.Collections.Generic", "System.Linq", "System.Threading.Tasks")
_COMPONENT_USINGS: Final = (*_COMMON_USINGS, "Microsoft.AspNetCore.Components")
_VIEW_USINGS: Final = (
    *_COMMON_USINGS,
    "Microsoft.AspNetCore.Mvc",
    "Microsoft.AspNetCore.Mvc.Rendering",
    "Microsoft.AspNetCore.Mvc.ViewFeatures",
)
"""Usings of every component and of every view (``RazorPageGenerator`` and ``ComponentImportProjectFeature`` of ASP.NET Core)."""
_VIEW_BASE: Final = "global::Microsoft.AspNetCore.Mvc.Razor.RazorPage<"
_COMPONENTS: Final = "global::Microsoft.AspNetCore.Components."
_COMPONENT_BASE: Final = f"{_COMPONENTS}ComponentBase"
_BUILDER: Final = f"{_COMPONENTS}Rendering.RenderTreeBuilder"
_RENDERS_COMPONENT: Final = f"protected override void BuildRenderTree({_BUILDER} __builder) {{\n"
_RENDERS_VIEW: Final = "public override async global::System.Threading.Tasks.Task ExecuteAsync() {\n"
_MODEL: Final = re.compile(rb"\b%b\b" % MODEL.encode())
_MVC: Final = "global::Microsoft.AspNetCore.Mvc."
_SERVICES: Final = (
    f"private {_MVC}IUrlHelper Url {{ get; set; }}\n"
    f"private {_MVC}IViewComponentHelper Component {{ get; set; }}\n"
    f"private {_MVC}Rendering.IJsonHelper Json {{ get; set; }}\n"
    f"private {_MVC}ViewFeatures.IModelExpressionProvider ModelExpressionProvider {{ get; set; }}\n"
)
"""What every view is given, besides ``Html``."""


_MARKED: Final = frozenset({Op.TYPEOF.value, Op.ASSIGN.value})
"""Nodes in whose place others may be meant; the first operand is the offset of the token that says so."""


class ParsedPage:
    """A page with the C# text that was made of it."""

    def __init__(
        self, parsed: ParsedSource, marks: dict[int, Marked], kind: PageKind, head: str, model: str = ""
    ) -> None:
        """``model``: of a page that says no base class, what its model is."""
        self.parsed: Final = parsed
        self.marks: Final = marks
        self._kind: Final = kind
        self._head: Final = head
        self._model: Final = model

    def placed(self, unit: DocumentUnit) -> DocumentUnit:
        """That of the generated text, as one of the page."""
        outline = unit.outline
        types = outline.types
        if self._kind is PageKind.COMPONENT and types:
            whole = replace(
                types[0], line_start=1, line_end=max(1, self.parsed.line_index.line_count), signature=self._head
            )
            types = (whole, *types[1:])
        if self._model and types and types[0].bases:
            base, *others = types[0].bases
            told = TypeSyntax(f"{base.text}<{self._model}>", base.offsets)
            types = (replace(types[0], bases=(told, *others)), *types[1:])
        return replace(unit, outline=replace(outline, types=types, page=self._kind))

    def lowered(self, node: list[Any]) -> list[Any]:
        """A lowered root with the nodes of components in place of what stands for them."""
        if not self.marks:
            return node
        return self._rewritten(node)

    def _rewritten(self, node: list[Any]) -> list[Any]:
        is_node = bool(node) and isinstance(node[0], int)
        if is_node and node[0] == Op.LOCAL and node[2] is not None and len(node[2]) > 1:
            context = self.marks.get(node[2][1])
            if context is not None:
                return _context(context.tag)
        marked = self.marks.get(node[1]) if is_node and node[0] in _MARKED else None
        if marked is not None and node[0] == Op.TYPEOF:
            if marked.mark is Mark.COMPONENT:
                tag = marked.tag
                return [Op.COMPONENT.value, node[2], tag.number, tag.around, tag.type_arguments]
            marked.tag.type_arguments.append([marked.name, node[2][0]])
            return node
        if marked is not None:
            return self._parameter(node, marked)
        for index, child in enumerate(node):
            if isinstance(child, list):
                node[index] = self._rewritten(child)
        return node

    def _parameter(self, node: list[Any], marked: Marked) -> list[Any]:
        _, _, _, target, value, *_ = node
        named = last_name(target)
        if named is None:
            return node
        is_code = marked.mark is Mark.EXPRESSION
        value = self._rewritten(value) if value is not None else None
        return [Op.COMPONENT_PARAMETER.value, *named, marked.tag.number, int(is_code), value]


def _context(tag: ComponentTag) -> list[Any]:
    names = tag.context, tag.context_around, tag.name
    return [Op.COMPONENT_CONTEXT.value, *names, tag.number, tag.around]


def parse_page(page: bytes, settings: AnalysisSettings) -> ParsedPage:
    """``settings``: with the path of the page, relative to its project's folder, and the project's root namespace."""
    path = settings.file_path
    kind = page_kind(path)
    is_component = is_of_components(path)
    generated = PageReader(page, kind, is_component).read()
    text = PageText(page)
    head = model = ""
    if kind is PageKind.IMPORTS:
        _add_imports(text, generated, path, namespace(path, settings.root_namespace) if is_component else "")
    else:
        head = _add_page(text, generated, path, settings.root_namespace, is_component)
        if generated.is_page and not is_component and generated.base.is_empty:
            model = generated.model.text().decode("utf-8", "replace") or class_name(path)
    parsed = parse_source(text.text(), settings.defines, text.lines())
    return ParsedPage(parsed, text.marks(), kind, head, model)


def _add_imports(text: PageText, generated: Generated, path: str, by_path: str) -> None:
    """A class with what is injected, and with the attributes, for those that import it; of components, in the namespace that these have."""
    text.add("\n")
    text.append(generated.usings)
    _add_namespace(text, generated, by_path)
    if not (generated.members.is_empty and generated.base.is_empty and generated.attributes.is_empty):
        text.append(generated.attributes)
        is_generic = _MODEL.search(generated.base.text()) is not None
        text.add(f"partial class {class_name(path)}{f'<{MODEL}>' if is_generic else ''}")
        if not generated.base.is_empty:
            text.add(" : ")
            text.append(generated.base)
        text.add(" {\n")
        text.append(generated.members)
        text.add("}\n")


def _add_page(text: PageText, generated: Generated, path: str, root: str, is_component: bool) -> str:
    """Answers with the head of the class, as it is shown."""
    _add_namespace(text, generated, namespace(path, root))
    for name in _COMPONENT_USINGS if is_component else _VIEW_USINGS:
        text.add(f"using global::{name};\n")
    text.append(generated.usings)
    text.append(generated.attributes)
    name = class_name(path)
    text.add(f"public partial class {name}" if is_component else f"internal sealed class {name}")
    if not generated.type_parameters.is_empty:
        text.add("<")
        text.append(generated.type_parameters)
        text.add(">")
    text.add(" : ")
    bases = PageText(b"")
    if not generated.base.is_empty:
        _add_base(bases, generated)
    elif is_component:
        bases.add(_COMPONENT_BASE)
    elif generated.is_page:
        bases.add(PAGE_BASE)
    else:
        bases.add(_VIEW_BASE)
        _add_model(bases, generated)
        bases.add(">")
    bases.append(generated.bases)
    text.append(bases)
    text.append(generated.constraints)
    text.add(" {\n")
    if not is_component:
        _add_properties(text, generated, name)
    text.append(generated.members)
    text.add("\n" + (_RENDERS_COMPONENT if is_component else _RENDERS_VIEW))
    text.append(generated.body)
    text.add("\n}\n}\n")
    shown = bases.text().decode("utf-8", "replace").replace(_COMPONENT_BASE, "ComponentBase")
    parameters = generated.type_parameters.text().decode("utf-8", "replace")
    return f"public partial class {name}{f'<{parameters}>' if parameters else ''} : {shown}"


def _add_properties(text: PageText, generated: Generated, name: str) -> None:
    """What a view is given, which is known whether its base class is or not. A page is its own model unless it says another
    (``PagesPropertyInjectionPass``)."""
    model = generated.model.text().decode("utf-8", "replace") or (name if generated.is_page else "")
    text.add(f"private {_MVC}Rendering.IHtmlHelper<{model or 'dynamic'}> Html {{ get; set; }}\n{_SERVICES}")
    if generated.is_page:
        text.add(f"private {_MVC}ViewFeatures.ViewDataDictionary<{model}> ViewData {{ get; }}\n")
    if model:
        base = generated.base
        is_placed = not generated.is_page if base.is_empty else _MODEL.search(base.text()) is not None
        text.add("private ")
        if is_placed or generated.model.is_empty:
            text.add(model)
        else:
            text.append(generated.model)
        text.add(" Model { get; }\n")


def _add_namespace(text: PageText, generated: Generated, by_path: str) -> None:
    """That which the page says, or ``by_path``, if any."""
    if by_path or not generated.namespace.is_empty:
        text.add("namespace ")
        if generated.namespace.is_empty:
            text.add(by_path)
        else:
            text.append(generated.namespace)
        text.add(";\n")


def _add_base(text: PageText, generated: Generated) -> None:
    """The base class that the page names, whose ``TModel`` is the page's model."""
    at = 0
    written = generated.base.text()
    for name in _MODEL.finditer(written):
        text.append(generated.base.cut(at, name.start()))
        _add_model(text, generated)
        at = name.end()
    text.append(generated.base.cut(at, len(written)))


def _add_model(text: PageText, generated: Generated) -> None:
    if generated.model.is_empty:
        text.add("dynamic")
    else:
        text.append(generated.model)
