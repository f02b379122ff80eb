"""Tables of databases: EF Core models, attributes, migrations, and the SQL that code holds."""
