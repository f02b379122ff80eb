"""The initial baseline schema.

Revision: b0001_initial, the first. Defines its own tables and imports no application code.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "b0001_initial"
down_revision = None
branch_labels = None
depends_on = None
requires_rebuild = False
"""True when what older files hold must be extracted again instead of being upgraded."""


def upgrade() -> None:
    op.create_table(
        "files",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("blob_id", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("line_count", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("generated", sa.Boolean(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("problems", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_files")),
    )
    op.create_index(op.f("ix_files_path"), "files", ["path"], unique=True)
    op.create_table(
        "info",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("codemap_version", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("repo_id", sa.Text(), nullable=False),
        sa.Column("commit_sha", sa.Text(), nullable=False),
        sa.Column("subtree", sa.Text(), nullable=False),
        sa.Column("solution", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("semantic_level", sa.Text(), nullable=False),
        sa.Column("project_diagnostics", sa.Text(), nullable=False),
        sa.Column("project_problems", sa.Text(), nullable=False),
        sa.Column("file_count", sa.Integer(), nullable=False),
        sa.Column("symbol_count", sa.Integer(), nullable=False),
        sa.Column("reference_count", sa.Integer(), nullable=False),
        sa.Column("relation_count", sa.Integer(), nullable=False),
        sa.Column("fact_count", sa.Integer(), nullable=False),
        sa.Column("project_count", sa.Integer(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_info_single_row")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_info")),
    )
    op.create_table(
        "projects",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_path", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("assembly_name", sa.Text(), nullable=False),
        sa.Column("sdk", sa.Text(), nullable=True),
        sa.Column("target_framework", sa.Text(), nullable=True),
        sa.Column("target_frameworks", sa.Text(), nullable=False),
        sa.Column("project_references", sa.Text(), nullable=False),
        sa.Column("packages", sa.Text(), nullable=False),
        sa.Column("usings", sa.Text(), nullable=False),
        sa.Column("defines", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
    )
    op.create_index(op.f("ix_projects_project_path"), "projects", ["project_path"], unique=True)
    op.create_table(
        "solutions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("projects", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_solutions")),
    )
    op.create_index(op.f("ix_solutions_path"), "solutions", ["path"], unique=True)
    op.create_table(
        "strings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_strings")),
    )
    op.create_index(op.f("ix_strings_value"), "strings", ["value"], unique=True)
    op.create_table(
        "symbol_ids",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("symbol_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_symbol_ids")),
    )
    op.create_index(op.f("ix_symbol_ids_symbol_id"), "symbol_ids", ["symbol_id"], unique=True)
    op.create_table(
        "facts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("symbol", sa.Integer(), nullable=False),
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("line_start", sa.Integer(), nullable=False),
        sa.Column("line_end", sa.Integer(), nullable=False),
        sa.Column("confidence", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name=op.f("fk_facts_file_id_files")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_facts_project_id_projects")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_facts")),
    )
    op.create_index(op.f("ix_facts_file_id"), "facts", ["file_id"], unique=False)
    op.create_index(op.f("ix_facts_kind_value"), "facts", ["kind", "value"], unique=False)
    op.create_index(op.f("ix_facts_symbol"), "facts", ["symbol"], unique=False)
    op.create_table(
        "file_projects",
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name=op.f("fk_file_projects_file_id_files")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_file_projects_project_id_projects")),
        sa.PrimaryKeyConstraint("file_id", "project_id", name=op.f("pk_file_projects")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_file_projects_project_id"), "file_projects", ["project_id"], unique=False)
    op.create_table(
        "file_texts",
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name=op.f("fk_file_texts_file_id_files")),
        sa.PrimaryKeyConstraint("file_id", name=op.f("pk_file_texts")),
    )
    op.create_table(
        "refs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Integer(), nullable=False),
        sa.Column("from_symbol", sa.Integer(), nullable=True),
        sa.Column("to_symbol", sa.Integer(), nullable=True),
        sa.Column("constructor", sa.Integer(), nullable=True),
        sa.Column("to_name", sa.Integer(), nullable=False),
        sa.Column("to_container_hint", sa.Integer(), nullable=True),
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("column", sa.Integer(), nullable=False),
        sa.Column("line_span", sa.Integer(), nullable=False),
        sa.Column("state", sa.Integer(), nullable=False),
        sa.Column("external", sa.Boolean(), nullable=False),
        sa.Column("confidence", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Integer(), nullable=True),
        sa.Column("condition", sa.Integer(), nullable=True),
        sa.Column("project_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name=op.f("fk_refs_file_id_files")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_refs_project_id_projects")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refs")),
    )
    op.create_index(
        op.f("ix_refs_constructor"),
        "refs",
        ["constructor"],
        unique=False,
        sqlite_where=sa.text("constructor IS NOT NULL"),
    )
    op.create_index(op.f("ix_refs_file_id"), "refs", ["file_id"], unique=False)
    op.create_index(op.f("ix_refs_from_symbol_kind"), "refs", ["from_symbol", "kind"], unique=False)
    op.create_index(
        op.f("ix_refs_to_name"), "refs", ["to_name"], unique=False, sqlite_where=sa.text("to_symbol IS NULL")
    )
    op.create_index(op.f("ix_refs_to_symbol_kind"), "refs", ["to_symbol", "kind"], unique=False)
    op.create_table(
        "relations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("from_symbol", sa.Integer(), nullable=False),
        sa.Column("to_symbol", sa.Integer(), nullable=False),
        sa.Column("external", sa.Boolean(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=False),
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("condition", sa.Integer(), nullable=True),
        sa.Column("project_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name=op.f("fk_relations_file_id_files")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_relations_project_id_projects")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_relations")),
    )
    op.create_index(op.f("ix_relations_file_id"), "relations", ["file_id"], unique=False)
    op.create_index(op.f("ix_relations_from_symbol"), "relations", ["from_symbol"], unique=False)
    op.create_index(op.f("ix_relations_to_symbol"), "relations", ["to_symbol"], unique=False)
    op.create_table(
        "symbols",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("symbol", sa.Integer(), nullable=False),
        sa.Column("container", sa.Integer(), nullable=True),
        sa.Column("stable_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(collation="NOCASE"), nullable=False),
        sa.Column("fully_qualified_name", sa.Text(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=True),
        sa.Column("documentation", sa.Text(), nullable=True),
        sa.Column("namespace", sa.Text(), nullable=False),
        sa.Column("containing_type", sa.Text(), nullable=True),
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=True),
        sa.Column("span_start", sa.Integer(), nullable=False),
        sa.Column("span_end", sa.Integer(), nullable=False),
        sa.Column("name_line", sa.Integer(), nullable=False),
        sa.Column("name_column", sa.Integer(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("is_static", sa.Boolean(), nullable=False),
        sa.Column("modifiers", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Text(), nullable=False),
        sa.Column("condition", sa.Text(), nullable=True),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("repeated", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name=op.f("fk_symbols_file_id_files")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_symbols_project_id_projects")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_symbols")),
    )
    op.create_index(op.f("ix_symbols_container"), "symbols", ["container"], unique=False)
    op.create_index(op.f("ix_symbols_file_id"), "symbols", ["file_id"], unique=False)
    op.create_index(
        op.f("ix_symbols_kind_repeated_fully_qualified_name"),
        "symbols",
        ["kind", "repeated", "fully_qualified_name"],
        unique=False,
    )
    op.create_index(op.f("ix_symbols_name"), "symbols", ["name"], unique=False)
    op.create_index(op.f("ix_symbols_stable_id"), "symbols", ["stable_id"], unique=False)
    op.create_index(op.f("ix_symbols_symbol"), "symbols", ["symbol"], unique=False)
    op.create_table(
        "symbol_parts",
        sa.Column("symbol_row", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("span_start", sa.Integer(), nullable=False),
        sa.Column("span_end", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name=op.f("fk_symbol_parts_file_id_files")),
        sa.ForeignKeyConstraint(["symbol_row"], ["symbols.id"], name=op.f("fk_symbol_parts_symbol_row_symbols")),
        sa.PrimaryKeyConstraint("symbol_row", "ordinal", name=op.f("pk_symbol_parts")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_symbol_parts_file_id"), "symbol_parts", ["file_id"], unique=False)

    op.execute(
        "CREATE VIRTUAL TABLE symbols_fts USING fts5("
        "name_tokens, fqname, signature, documentation, "
        "content='', tokenize=\"unicode61 remove_diacritics 2 tokenchars '_'\")"
    )
    op.execute("INSERT INTO symbols_fts (symbols_fts, rank) VALUES ('rank', 'bm25(10.0, 4.0, 2.0, 1.0)')")
    op.execute(
        "CREATE VIRTUAL TABLE files_fts USING fts5("
        "text, content='', columnsize=0, detail=none, tokenize=\"unicode61 remove_diacritics 0 tokenchars '_'\")"
    )
