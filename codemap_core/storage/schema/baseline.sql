-- b0007_concluded_rows

CREATE TABLE files (
	id INTEGER NOT NULL,
	path TEXT NOT NULL,
	sha256 TEXT NOT NULL,
	blob_id TEXT NOT NULL,
	language TEXT NOT NULL,
	line_count INTEGER NOT NULL,
	size INTEGER NOT NULL,
	generated BOOLEAN NOT NULL,
	status TEXT NOT NULL,
	problems TEXT,
	CONSTRAINT pk_files PRIMARY KEY (id)
);

CREATE TABLE info (
	id INTEGER NOT NULL,
	state TEXT NOT NULL,
	codemap_version TEXT NOT NULL,
	fingerprint TEXT NOT NULL,
	repo_id TEXT NOT NULL,
	commit_sha TEXT NOT NULL,
	subtree TEXT NOT NULL,
	solution TEXT NOT NULL,
	created_at TEXT NOT NULL,
	semantic_level TEXT NOT NULL,
	project_diagnostics TEXT NOT NULL,
	project_problems TEXT NOT NULL,
	library_places TEXT DEFAULT '{}' NOT NULL,
	unsettled TEXT DEFAULT '[]' NOT NULL,
	file_count INTEGER NOT NULL,
	symbol_count INTEGER NOT NULL,
	reference_count INTEGER NOT NULL,
	relation_count INTEGER NOT NULL,
	fact_count INTEGER NOT NULL,
	project_count INTEGER NOT NULL,
	CONSTRAINT pk_info PRIMARY KEY (id),
	CONSTRAINT ck_info_single_row CHECK (id = 1)
);

CREATE TABLE library_bases (
	symbol INTEGER NOT NULL,
	ordinal INTEGER NOT NULL,
	base INTEGER NOT NULL,
	CONSTRAINT pk_library_bases PRIMARY KEY (symbol, ordinal)
)
 WITHOUT ROWID;

CREATE TABLE library_symbols (
	id INTEGER NOT NULL,
	kind TEXT,
	name TEXT COLLATE "NOCASE" NOT NULL,
	fully_qualified_name TEXT NOT NULL,
	signature TEXT NOT NULL,
	container INTEGER,
	assembly TEXT NOT NULL,
	version TEXT NOT NULL,
	CONSTRAINT pk_library_symbols PRIMARY KEY (id)
);

CREATE TABLE projects (
	id INTEGER NOT NULL,
	project_path TEXT NOT NULL,
	name TEXT NOT NULL,
	assembly_name TEXT NOT NULL,
	sdk TEXT,
	target_framework TEXT,
	target_frameworks TEXT NOT NULL,
	project_references TEXT NOT NULL,
	packages TEXT NOT NULL,
	usings TEXT NOT NULL,
	defines TEXT NOT NULL,
	settings TEXT NOT NULL,
	CONSTRAINT pk_projects PRIMARY KEY (id)
);

CREATE TABLE solutions (
	id INTEGER NOT NULL,
	path TEXT NOT NULL,
	projects TEXT NOT NULL,
	CONSTRAINT pk_solutions PRIMARY KEY (id)
);

CREATE TABLE strings (
	id INTEGER NOT NULL,
	value TEXT NOT NULL,
	CONSTRAINT pk_strings PRIMARY KEY (id)
);

CREATE TABLE symbol_ids (
	id INTEGER NOT NULL,
	symbol_id TEXT NOT NULL,
	CONSTRAINT pk_symbol_ids PRIMARY KEY (id)
);

CREATE TABLE conclusions (
	file_id INTEGER NOT NULL,
	extractor TEXT NOT NULL,
	digest BLOB NOT NULL,
	data BLOB NOT NULL,
	CONSTRAINT pk_conclusions PRIMARY KEY (file_id, extractor),
	CONSTRAINT fk_conclusions_file_id_files FOREIGN KEY(file_id) REFERENCES files (id)
);

CREATE TABLE document_records (
	id INTEGER NOT NULL,
	file_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	data BLOB NOT NULL,
	CONSTRAINT pk_document_records PRIMARY KEY (id),
	CONSTRAINT fk_document_records_file_id_files FOREIGN KEY(file_id) REFERENCES files (id)
);

CREATE TABLE facts (
	id INTEGER NOT NULL,
	kind TEXT NOT NULL,
	value TEXT NOT NULL,
	detail TEXT NOT NULL,
	symbol INTEGER,
	file_id INTEGER NOT NULL,
	line_start INTEGER NOT NULL,
	line_end INTEGER NOT NULL,
	confidence TEXT NOT NULL,
	project_id INTEGER,
	CONSTRAINT pk_facts PRIMARY KEY (id),
	CONSTRAINT fk_facts_file_id_files FOREIGN KEY(file_id) REFERENCES files (id),
	CONSTRAINT fk_facts_project_id_projects FOREIGN KEY(project_id) REFERENCES projects (id)
);

CREATE TABLE file_projects (
	file_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	CONSTRAINT pk_file_projects PRIMARY KEY (file_id, project_id),
	CONSTRAINT fk_file_projects_file_id_files FOREIGN KEY(file_id) REFERENCES files (id),
	CONSTRAINT fk_file_projects_project_id_projects FOREIGN KEY(project_id) REFERENCES projects (id)
)
 WITHOUT ROWID;

CREATE TABLE file_texts (
	file_id INTEGER NOT NULL,
	text BLOB NOT NULL,
	CONSTRAINT pk_file_texts PRIMARY KEY (file_id),
	CONSTRAINT fk_file_texts_file_id_files FOREIGN KEY(file_id) REFERENCES files (id)
);

CREATE TABLE refs (
	id INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	from_symbol INTEGER,
	to_symbol INTEGER,
	constructor INTEGER,
	to_name INTEGER NOT NULL,
	to_container_hint INTEGER,
	file_id INTEGER NOT NULL,
	line INTEGER NOT NULL,
	"column" INTEGER NOT NULL,
	line_span INTEGER NOT NULL,
	state INTEGER NOT NULL,
	external BOOLEAN NOT NULL,
	is_virtual BOOLEAN DEFAULT 0 NOT NULL,
	confidence INTEGER NOT NULL,
	reason INTEGER,
	condition INTEGER,
	role INTEGER,
	project_id INTEGER,
	CONSTRAINT pk_refs PRIMARY KEY (id),
	CONSTRAINT fk_refs_file_id_files FOREIGN KEY(file_id) REFERENCES files (id),
	CONSTRAINT fk_refs_project_id_projects FOREIGN KEY(project_id) REFERENCES projects (id)
);

CREATE TABLE relations (
	id INTEGER NOT NULL,
	kind TEXT NOT NULL,
	from_symbol INTEGER NOT NULL,
	to_symbol INTEGER NOT NULL,
	external BOOLEAN NOT NULL,
	display_name TEXT NOT NULL,
	file_id INTEGER NOT NULL,
	condition INTEGER,
	project_id INTEGER,
	CONSTRAINT pk_relations PRIMARY KEY (id),
	CONSTRAINT fk_relations_file_id_files FOREIGN KEY(file_id) REFERENCES files (id),
	CONSTRAINT fk_relations_project_id_projects FOREIGN KEY(project_id) REFERENCES projects (id)
);

CREATE TABLE symbols (
	id INTEGER NOT NULL,
	symbol INTEGER NOT NULL,
	container INTEGER,
	stable_id TEXT NOT NULL,
	kind TEXT NOT NULL,
	name TEXT COLLATE "NOCASE" NOT NULL,
	fully_qualified_name TEXT NOT NULL,
	signature TEXT NOT NULL,
	summary TEXT,
	documentation TEXT,
	namespace TEXT NOT NULL,
	containing_type TEXT,
	file_id INTEGER NOT NULL,
	project_id INTEGER,
	span_start INTEGER NOT NULL,
	span_end INTEGER NOT NULL,
	name_line INTEGER NOT NULL,
	name_column INTEGER NOT NULL,
	visibility TEXT NOT NULL,
	is_static BOOLEAN NOT NULL,
	modifiers TEXT NOT NULL,
	confidence TEXT NOT NULL,
	condition TEXT,
	content_hash TEXT NOT NULL,
	repeated BOOLEAN NOT NULL,
	CONSTRAINT pk_symbols PRIMARY KEY (id),
	CONSTRAINT fk_symbols_file_id_files FOREIGN KEY(file_id) REFERENCES files (id),
	CONSTRAINT fk_symbols_project_id_projects FOREIGN KEY(project_id) REFERENCES projects (id)
);

CREATE TABLE symbol_parts (
	symbol_row INTEGER NOT NULL,
	ordinal INTEGER NOT NULL,
	file_id INTEGER NOT NULL,
	span_start INTEGER NOT NULL,
	span_end INTEGER NOT NULL,
	CONSTRAINT pk_symbol_parts PRIMARY KEY (symbol_row, ordinal),
	CONSTRAINT fk_symbol_parts_symbol_row_symbols FOREIGN KEY(symbol_row) REFERENCES symbols (id),
	CONSTRAINT fk_symbol_parts_file_id_files FOREIGN KEY(file_id) REFERENCES files (id)
)
 WITHOUT ROWID;

CREATE TABLE baseline_schema_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT baseline_schema_version_pkc PRIMARY KEY (version_num));

CREATE UNIQUE INDEX ix_files_path ON files (path);

CREATE INDEX ix_library_symbols_name ON library_symbols (name);

CREATE UNIQUE INDEX ix_projects_project_path ON projects (project_path);

CREATE UNIQUE INDEX ix_solutions_path ON solutions (path);

CREATE UNIQUE INDEX ix_strings_value ON strings (value);

CREATE UNIQUE INDEX ix_symbol_ids_symbol_id ON symbol_ids (symbol_id);

CREATE INDEX ix_document_records_file_id ON document_records (file_id);

CREATE INDEX ix_facts_file_id ON facts (file_id);

CREATE INDEX ix_facts_kind_value ON facts (kind, value);

CREATE INDEX ix_facts_symbol ON facts (symbol);

CREATE INDEX ix_file_projects_project_id ON file_projects (project_id);

CREATE INDEX ix_refs_constructor ON refs (constructor) WHERE constructor IS NOT NULL;

CREATE INDEX ix_refs_file_id ON refs (file_id);

CREATE INDEX ix_refs_from_symbol_kind ON refs (from_symbol, kind);

CREATE INDEX ix_refs_to_name ON refs (to_name) WHERE to_symbol IS NULL;

CREATE INDEX ix_refs_to_symbol_kind ON refs (to_symbol, kind);

CREATE INDEX ix_relations_file_id ON relations (file_id);

CREATE INDEX ix_relations_from_symbol ON relations (from_symbol);

CREATE INDEX ix_relations_to_symbol ON relations (to_symbol);

CREATE INDEX ix_symbols_container ON symbols (container);

CREATE INDEX ix_symbols_file_id ON symbols (file_id);

CREATE INDEX ix_symbols_kind_repeated_fully_qualified_name ON symbols (kind, repeated, fully_qualified_name);

CREATE INDEX ix_symbols_name ON symbols (name);

CREATE INDEX ix_symbols_stable_id ON symbols (stable_id);

CREATE INDEX ix_symbols_symbol ON symbols (symbol);

CREATE INDEX ix_symbol_parts_file_id ON symbol_parts (file_id);

