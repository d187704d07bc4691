"""What must survive: logs of tables, people, the schema and its migrations.

SQLite by default, PostgreSQL by URL; nothing here knows the rules.
"""
