"""Real PostgreSQL and Redis servers for the tests, each with its own folder and port."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from services import PATIENCE, RedisServer, free_port
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from canasta.server.accounts import accounts
from canasta.server.store.store import Store, make_store


@pytest.fixture(scope="session", autouse=True)
def usual_hasher() -> Iterator[PasswordHasher]:
    """Make password hashing fast for the test, since it's slow on purpose; yield the usual hasher."""
    usual = accounts._hasher
    accounts._hasher = PasswordHasher(time_cost=1, memory_cost=16, parallelism=1)
    yield usual
    accounts._hasher = usual


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Yield the address of a PostgreSQL server, without a database name."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    initdb = shutil.which("initdb") or (str(programs[-1]) if programs else None)
    if initdb is None:
        pytest.skip("PostgreSQL is not installed")
    pytest.importorskip("asyncpg", reason="asyncpg is not installed")
    programs_of = Path(initdb).parent
    folder = Path(tempfile.mkdtemp(prefix="canasta-postgres-"))
    account: dict[str, Any] = {}
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root.
        try:
            user = pwd.getpwnam("postgres")
        except KeyError:
            shutil.rmtree(folder)
            pytest.skip("there is no user postgres to run PostgreSQL")
        os.chown(folder, user.pw_uid, user.pw_gid)
        account = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    data, port = folder / "data", free_port()
    options = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c fsync=off -c max_connections=40"
    control = [str(programs_of / "pg_ctl"), "-D", str(data), "-s", "-w", "-t", str(int(PATIENCE))]

    def run(*command: str, check: bool = True) -> None:
        # Don't capture the output: the server inherits the pipe, and reading it would wait until the server
        # ends.
        quiet = subprocess.DEVNULL
        subprocess.run(command, check=check, cwd=folder, stdout=quiet, stderr=quiet, **account)

    try:
        run(initdb, "-D", str(data), "-U", "canasta", "-A", "trust", "-N", "-E", "UTF8")
        run(*control, "-o", options, "-l", str(folder / "log"), "start")
        yield f"postgresql://canasta@127.0.0.1:{port}"
    finally:
        run(*control, "-m", "immediate", "stop", check=False)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        pytest.skip("Redis is not installed")
    pytest.importorskip("redis", reason="redis-py is not installed")
    server = RedisServer(program, tmp_path)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(params=["sqlite", "postgres"])
async def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """Yield the address of an empty database, of either kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'canasta.db'}"
        return
    server: str = request.getfixturevalue("postgres")
    name = f"test_{os.getpid()}_{time.monotonic_ns()}"
    engine = create_async_engine(
        f"{server.replace('postgresql', 'postgresql+asyncpg')}/postgres", isolation_level="AUTOCOMMIT"
    )
    async with engine.connect() as connection:
        await connection.execute(text(f"CREATE DATABASE {name}"))
        yield f"{server}/{name}"
        await connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    await engine.dispose()


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    opened = make_store(database_url)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture(autouse=True)
async def houses_are_closed() -> AsyncIterator[None]:
    """Close every registry that a test created itself, however the test ends."""
    yield
    from server.test_commands import OPENED  # noqa: PLC0415 - only once its asserts are written anew

    while OPENED:
        await OPENED.pop().close()
