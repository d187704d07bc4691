"""A database that is made anew and one that is migrated look the same."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, select, text, update
from sqlalchemy.engine import make_url

from canasta.server.people.accounts import Accounts
from canasta.server.store import schema
from canasta.server.store.databases import PostgresRunner, Runner, SqliteRunner
from canasta.server.store.schema import HEAD, UnknownDatabase, alembic_version, metadata, migrate
from canasta.server.store.store import Unavailable, make_store


def runner_for(url: str) -> Runner:
    parsed = make_url(url)
    return SqliteRunner(parsed) if parsed.drivername == "sqlite" else PostgresRunner(parsed)


def index_in_words(index: Mapping[str, Any]) -> str:
    options = {name: str(value) for name, value in index.get("dialect_options", {}).items()}
    return repr({**index, "dialect_options": options})


def described(connection: Connection) -> dict[str, Any]:
    """Everything that the database says of itself."""
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
    """A database from before the first revision: it has Alembic's note and nothing else."""
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


def with_people(connection: Connection) -> None:
    """A database of revision 0003 with two accounts that look alike, one that does not, and a guest."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "canasta.server.store:migrations")
    command.upgrade(config, "0003")
    people = [
        ("b", "Pau1", "pau1", 2),
        ("a", "Paul", "paul", 1),
        ("c", "Eva", "eva", 3),
        ("d", "Paul", None, 4),
    ]
    for row in people:
        values = dict(zip(("id", "name", "account", "created"), row, strict=True))
        connection.execute(
            text("INSERT INTO players (id, name, account, created) VALUES (:id, :name, :account, :created)"),
            values,
        )


async def test_accounts_from_before_looks_were_noted_keep_their_names(database_url: str) -> None:
    runner = runner_for(database_url)
    await runner.write(with_people)
    await runner.close()
    store = make_store(database_url)
    await store.open()
    looks = [row.look for row in [await store.player(player) for player in "abcd"] if row is not None]
    assert looks == ["paul", None, "eva", None]
    accounts = Accounts(store)
    free = {
        (player, name): await accounts.is_free_for(player, name)
        for player, name in (("a", "Paul"), ("b", "Pau1"), ("b", "Paul"), ("d", "Paul"), ("d", "PauI"))
    }
    younger = await store.player("b")
    assert younger is not None
    assert await accounts.rename(younger, "Pau1") == "Pau1"
    await store.close()
    assert free == {
        ("a", "Paul"): True,
        ("b", "Pau1"): True,
        ("b", "Paul"): False,
        ("d", "Paul"): False,
        ("d", "PauI"): False,
    }


def test_the_head_is_the_newest_revision() -> None:
    config = Config()
    config.set_main_option("script_location", "canasta.server.store:migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


async def test_a_newer_database_is_refused_with_advice(database_url: str) -> None:
    store = make_store(database_url)
    await store.open()
    await store.close()
    runner = runner_for(database_url)
    newer = update(alembic_version).values(version_num="9999")
    await runner.write(lambda connection: connection.execute(newer))
    await runner.close()
    with pytest.raises(UnknownDatabase, match="Update canasta"):
        await make_store(database_url).open()


async def test_tables_of_somebody_else_are_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'other.db'}"
    runner = runner_for(url)
    await runner.write(lambda connection: connection.execute(text("CREATE TABLE players (shirt INTEGER)")))
    await runner.close()
    with pytest.raises(UnknownDatabase, match="Choose another"):
        await make_store(url).open()


async def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="cannot be opened"):
        await make_store(f"sqlite:///{tmp_path}").open()
