"""Imports and exports of a file."""

from __future__ import annotations

from abc import abstractmethod

from codemap_core.syntax import Node as SyntaxNode
from codemap_plugins.typescript.around import Around
from codemap_plugins.typescript.building import Builder, unquoted
from codemap_plugins.typescript.expression_walker import ExpressionWalker
from codemap_plugins.typescript.unit import NONE, BindingKind, Export, ExportKind, Import, Op, Space, Use


class ModuleWalker(ExpressionWalker):
    """Lowers what a file imports and exports. What it declares meanwhile is left to ``declared`` and ``default``."""

    def __init__(self, builder: Builder) -> None:
        super().__init__(builder)
        self.namespace = NONE
        """The namespace that is being walked."""
        self.is_module = False

    @abstractmethod
    def declared(self, node: SyntaxNode, around: Around) -> bool:
        """Lowers a declaration; false where the node is none."""

    @abstractmethod
    def default(self, node: SyntaxNode, value: SyntaxNode) -> None:
        """Lowers the value of ``export default``."""

    def import_statement(self, node: SyntaxNode) -> None:
        self.is_module = True
        specifier = ""
        source = node.child_by_field_name("source")
        clauses = [child for child in node.named_children if child.type in ("import_clause", "import_require_clause")]
        for clause in clauses:
            source = clause.child_by_field_name("source") or source
        if source is not None:
            specifier = unquoted(self.b.text(source))
        for clause in clauses:
            if clause.type == "import_require_clause":
                for child in clause.named_children:
                    if child.type == "identifier":
                        self._imported(child, child, specifier, "=")
                continue
            for child in clause.named_children:
                if child.type == "identifier":
                    self._imported(child, child, specifier, "default")
                elif child.type == "namespace_import":
                    for name in child.named_children:
                        self._imported(name, name, specifier, "*")
                elif child.type == "named_imports":
                    for each in child.named_children:
                        name_node = name_of(each) if each.type == "import_specifier" else None
                        if name_node is not None:
                            alias = each.child_by_field_name("alias") or name_node
                            self._imported(name_node, alias, specifier, unquoted(self.b.text(name_node)))
        if source is not None and source.named_children:
            self.b.add(Op.SPECIFIER, source.named_children[0], Use.IMPORT, specifier)

    def _imported(self, name_node: SyntaxNode, alias: SyntaxNode, specifier: str, name: str) -> None:
        self.b.imports.append(Import(specifier, name))
        index = len(self.b.imports) - 1
        self.b.bind(self.b.text(alias), BindingKind.IMPORT, Space.VALUE | Space.TYPE | Space.NAMESPACE, of=index)
        self.b.add(Op.IMPORTED, name_node, Use.IMPORT, self.b.text(name_node), index)

    def import_alias(self, node: SyntaxNode, around: Around) -> None:
        parts = [child for child in node.named_children if child.type != "comment"]
        if len(parts) != 2:
            return
        target = self._qualifier(parts[1])
        self.b.imports.append(Import("", "", target))
        name = self.b.text(parts[0])
        index = len(self.b.imports) - 1
        self.b.bind(name, BindingKind.IMPORT, Space.VALUE | Space.TYPE | Space.NAMESPACE, of=index)
        if around.is_exported:
            self.b.exports.append(Export(ExportKind.LOCAL, name, name))

    def export_statement(self, node: SyntaxNode) -> None:
        self.is_module = self.is_module or self.namespace == NONE
        words = {child.type for child in node.children}
        source = node.child_by_field_name("source")
        specifier = unquoted(self.b.text(source)) if source is not None else ""
        is_default = "default" in words
        declared = node.child_by_field_name("declaration")
        if declared is not None:
            prefix = "export default " if is_default else "export "
            around = Around(node, True, is_default, prefix=prefix)
            if not self.declared(declared, around):
                self.statement(declared)
            return
        value = node.child_by_field_name("value")
        for child in node.named_children:
            if child.type == "export_clause":
                self._export_clause(child, specifier)
            elif child.type == "namespace_export":
                for name in child.named_children:
                    exported = unquoted(self.b.text(name))
                    self.b.exports.append(Export(ExportKind.FROM, exported, "*", specifier))
        if "*" in words and source is not None:
            self.b.exports.append(Export(ExportKind.STAR, specifier=specifier))
        if value is not None and is_default:
            self.default(node, value)
        elif "=" in words:
            for child in node.named_children:
                if child.type == "identifier":
                    self.b.exports.append(Export(ExportKind.ASSIGNED, "=", self.b.text(child)))
                self.expression(child)
        if source is not None and source.named_children:
            self.b.add(Op.SPECIFIER, source.named_children[0], Use.IMPORT, specifier)

    def _export_clause(self, clause: SyntaxNode, specifier: str) -> None:
        for each in clause.named_children:
            name_node = name_of(each) if each.type == "export_specifier" else None
            if name_node is None:
                continue
            alias = each.child_by_field_name("alias") or name_node
            local = unquoted(self.b.text(name_node))
            kind = ExportKind.FROM if specifier else ExportKind.LOCAL
            self.b.exports.append(Export(kind, unquoted(self.b.text(alias)), local, specifier))
            self.b.add(Op.EXPORTED, name_node, Use.IMPORT, local, len(self.b.exports) - 1)


def name_of(node: SyntaxNode) -> SyntaxNode | None:
    return node.child_by_field_name("name")
