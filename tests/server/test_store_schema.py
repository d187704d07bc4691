"""A newly created database and a migrated one have the same schema."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Dialect, inspect, select, text, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.engine import make_url
from sqlalchemy.schema import CreateIndex, CreateTable, DDLElement

from canasta.server.store import DatabaseError, schema
from canasta.server.store.backends import PostgresRunner, Runner, SqliteRunner
from canasta.server.store.schema import HEAD, alembic_version, metadata, migrate
from canasta.server.store.store import make_store


def runner_for(url: str) -> Runner:
    parsed = make_url(url)
    return SqliteRunner(parsed) if parsed.drivername == "sqlite" else PostgresRunner(parsed)


def index_in_words(index: Mapping[str, Any]) -> str:
    options = {name: str(value) for name, value in index.get("dialect_options", {}).items()}
    return repr({**index, "dialect_options": options})


def described(connection: Connection) -> dict[str, Any]:
    """Return the complete schema as the database reports it."""
    inspector = inspect(connection)
    tables = inspector.get_table_names()
    form: dict[str, Any] = {
        table: {
            "columns": [{**column, "type": repr(column["type"])} for column in inspector.get_columns(table)],
            "key": inspector.get_pk_constraint(table)["constrained_columns"],
            "indexes": sorted(map(index_in_words, inspector.get_indexes(table))),
            "unique": sorted(map(repr, inspector.get_unique_constraints(table))),
            "foreign": sorted(map(repr, inspector.get_foreign_keys(table))),
        }
        for table in tables
    }
    if connection.dialect.name == "sqlite":
        form["without rowid"] = (
            connection.execute(text("SELECT name FROM pragma_table_list WHERE wr = 1 ORDER BY name"))
            .scalars()
            .all()
        )
    return form


def migrated(connection: Connection) -> dict[str, Any]:
    migrate(connection)
    return described(connection)


def differences(connection: Connection) -> list[Any]:
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


async def test_made_anew_and_migrated_are_the_same(database_url: str) -> None:
    runner = runner_for(database_url)
    by_migrations = await runner.write(migrated)
    assert by_migrations["log"]["key"] == ["table_id", "seq"]
    assert await runner.read(differences) == []
    await runner.write(emptied)
    await runner.write(schema.bring_up_to_date)
    made_anew = await runner.read(described)
    await runner.close()
    assert made_anew == by_migrations


def emptied(connection: Connection) -> None:
    metadata.drop_all(connection)
    alembic_version.drop(connection)
    assert inspect(connection).get_table_names() == []


async def test_an_older_database_is_migrated_when_it_is_opened(database_url: str) -> None:
    """A database from before the first revision has Alembic's version table and nothing else."""
    runner = runner_for(database_url)
    await runner.write(alembic_version.create)
    await runner.close()
    store = make_store(database_url)
    await store.open()
    await store.create_table("t", public=True, payload=b"0")
    await store.close()
    runner = runner_for(database_url)
    stands = await runner.read(lambda connection: connection.execute(select(alembic_version)).scalars().all())
    await runner.close()
    assert stands == [HEAD]


SCHEMA = Path(__file__).resolve().parents[1] / "golden" / "schema.sql"


def written_out() -> str:
    """Return the schema as statements for PostgreSQL."""
    dialect: Dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    statements: list[str] = [f"-- Revision {HEAD}"]
    for table in metadata.sorted_tables:
        indexes = sorted(table.indexes, key=lambda index: str(index.name))
        elements: list[DDLElement] = [CreateTable(table), *map(CreateIndex, indexes)]
        statements += [f"{str(each.compile(dialect=dialect)).strip()};" for each in elements]
    text = "\n\n".join(statements).replace("\t", "  ")
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def test_the_schema_changes_only_with_a_new_revision() -> None:
    """After a change of the schema, add a revision, and write `written_out()` to the file."""
    assert SCHEMA.read_text(encoding="utf-8") == written_out()


def test_the_head_is_the_newest_revision() -> None:
    config = Config()
    config.set_main_option("script_location", "canasta.server.store:migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


@pytest.mark.parametrize("revision", ["9999", "0010"], ids=["newer", "before 0.1.0"])
async def test_another_database_is_refused_and_left_alone(database_url: str, revision: str) -> None:
    store = make_store(database_url)
    await store.open()
    await store.add_player("p", "Ada")
    await store.close()
    runner = runner_for(database_url)
    other = update(alembic_version).values(version_num=revision)
    await runner.write(lambda connection: connection.execute(other))
    with pytest.raises(DatabaseError, match=r"before 0\.1\.0\. Update canasta"):
        await make_store(database_url).open()
    names = select(metadata.tables["players"].c.name)
    assert await runner.read(lambda connection: connection.execute(names).scalars().all()) == ["Ada"]
    await runner.close()


async def test_tables_of_somebody_else_are_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'other.db'}"
    runner = runner_for(url)
    await runner.write(lambda connection: connection.execute(text("CREATE TABLE players (shirt INTEGER)")))
    await runner.close()
    with pytest.raises(DatabaseError, match="Choose another"):
        await make_store(url).open()


async def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="cannot be opened"):
        await make_store(f"sqlite:///{tmp_path}").open()
