"""Access: allowed origins, limits, headers, cookies, pages, and shutting the server down."""

import asyncio
import contextlib
import gzip
import json
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from server.running_server import Person, running
from services import PATIENCE, free_port
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from canasta.server.accounts.rate_limits import SITE_SHARE, Bucket, Buckets
from canasta.server.addresses import address_of, home_of, is_own_name
from canasta.server.http.app import CONTENT_SECURITY_POLICY
from canasta.server.http.static_files import Pages
from canasta.server.run import table_label
from canasta.server.services import token_of
from canasta.server.settings import Limits
from canasta.table.wire import Done


async def test_every_answer_carries_the_security_headers(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        answer = await ada.rest.get("/api/health")
        assert "strict-transport-security" not in answer.headers
        for path in ("/", "/t/anything", "/api/me", "/api/nothing", "/nothing", "/api/openapi.json"):
            answer = await ada.rest.get(path)
            assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY, path
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "same-origin"
            assert "permissions-policy" in answer.headers
            assert answer.headers["cross-origin-opener-policy"] == "same-origin"
            assert "server" not in answer.headers
        assert "unsafe" not in CONTENT_SECURITY_POLICY
        # A proxy on the same machine reports that the outer connection is encrypted.
        answer = await ada.rest.post("/api/guests", json={}, headers={"x-forwarded-proto": "https"})
        assert "strict-transport-security" in answer.headers
        guest = Person(server, "")
        answer = await guest.rest.post("/api/guests", json={}, headers={"x-forwarded-proto": "https"})
        assert "Secure" in answer.headers["set-cookie"]


async def test_the_cookie_is_kept_from_scripts_and_only_its_hash_is_stored(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        answer = await Person(server, "").rest.post("/api/guests", json={})
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        token = answer.cookies["canasta_session"]
        assert len(token) >= 43
    stored = _content_of(tmp_path)
    assert token.encode() not in stored
    assert b"Guest" in stored
    async with running(tmp_path, secure_cookies=True) as server:
        answer = await Person(server, "").rest.post("/api/guests", json={})
        assert "Secure" in answer.headers["set-cookie"]


def _content_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


def test_a_strange_cookie_is_no_cookie() -> None:
    def token(header: str) -> str:
        return token_of({"headers": [(b"cookie", header.encode("latin-1"))]})

    assert token("a=b; canasta_session=abc; c=d") == "abc"
    # Other programs on localhost share the cookie jar.
    for other in ('x={"a": 1, "b": [2]}', 'x="half', "x=\\012,{", "{}", "a b=c", "x=1,2"):
        assert token(f"{other}; canasta_session=abc") == token(f"canasta_session=abc; {other}") == "abc", (
            other
        )
    assert token("not_canasta_session=abc; canasta_session_2=abc") == ""
    for strange in (
        "",
        "canasta_session",
        "canasta_session=",
        "x=canasta_session",
        "canasta_session=\xff;;=,",
    ):
        assert token(strange) in ("", "\xff"), strange


async def test_other_sites_cannot_use_the_table(tmp_path: Path) -> None:
    async with running(tmp_path, origins=("cards.example.org",)) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table()
        own, friend, foreign = f"http://{server.host}", "https://cards.example.org", "https://evil.example"
        for origin, status in ((own, 200), (friend, 200), (foreign, 403), ("null", 403), ("http://[", 403)):
            answer = await ada.rest.patch("/api/me", json={"name": "Ada"}, headers={"origin": origin})
            assert answer.status_code == status, origin
            if status == 403:
                assert answer.json()["detail"]
                with pytest.raises(InvalidStatus) as refused:
                    async with ada.join(table, origin=origin):
                        pass
                assert refused.value.response.status_code == 403
            else:
                async with ada.join(table, origin=origin) as seat:
                    assert isinstance(await seat.ask("ping"), Done)
        foreign_form = {"sec-fetch-site": "cross-site"}
        assert (await ada.rest.post("/api/logout", headers=foreign_form)).status_code == 403
        assert (await ada.rest.get("/api/me")).status_code == 200


async def test_another_site_cannot_lend_this_machine_its_name(tmp_path: Path) -> None:
    """DNS rebinding: a foreign page could point its name at this machine and so become same-origin."""
    async with running(tmp_path, origins=("cards.example.org",)) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table()
        port = server.host.partition(":")[2]
        foreign = {"host": f"evil.example:{port}", "origin": f"http://evil.example:{port}"}
        for path in ("/", "/api/me", "/api/health"):
            answer = await ada.rest.get(path, headers=foreign)
            assert answer.status_code == 421, path
            assert answer.json()["detail"].startswith("This server doesn’t go by that name.")
        with socket.create_connection(("127.0.0.1", int(port))) as line:
            cookie = ada.headers()["cookie"]
            wanted = f"GET /ws/tables/{table} HTTP/1.1\r\nHost: evil.example\r\nCookie: {cookie}\r\n"
            wanted += "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            wanted += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            line.sendall(wanted.encode())
            line.settimeout(PATIENCE)
            assert (await asyncio.to_thread(line.recv, 100)).startswith(b"HTTP/1.1 421")
        for name in ("localhost", f"localhost:{port}", "[::1]", "cards.example.org"):
            assert (await ada.rest.get("/api/me", headers={"host": name})).status_code == 200, name


@pytest.mark.parametrize(
    ("called", "bound", "expected"),
    [
        ("table.localhost:80", "127.0.0.1", True),
        ("LOCALHOST", "localhost", True),
        ("127.0.0.1.evil.example", "127.0.0.1", False),
        ("localhost.evil.example", "::1", False),
        ("localhost@evil.example", "127.0.0.1", False),
        ("[", "127.0.0.1", False),
        ("192.0.2.1", "127.0.0.1", False),
        ("cards.example.org:8443", "127.0.0.1", True),
        ("", "127.0.0.1", True),
        # If others can reach the server, it can't know which name they use.
        ("attic.lan:8000", "0.0.0.0", True),  # noqa: S104 - not listened on
        ("192.0.2.1", "192.0.2.1", True),
    ],
)
def test_names_of_the_server(called: str, bound: str, *, expected: bool) -> None:
    assert is_own_name(called, bound, ("cards.example.org",)) is expected


async def test_limits_by_address(tmp_path: Path) -> None:
    limits = Limits(guests=(3.0, 0.001), sockets=(2.0, 0.001), tables=(1.0, 0.001), tables_from=(2.0, 0.001))
    async with running(tmp_path, limits=limits) as server:
        people = [Person(server, "") for _ in range(4)]
        answers = [await person.rest.post("/api/guests", json={}) for person in people]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert answers[3].json() == {
            "status_code": 429,
            "detail": "Too many attempts from your address. Wait a minute and try again.",
            "extra": None,
            "reason": "MANY_ATTEMPTS",
            "facts": {},
        }
        table = await people[0].open_table()
        assert (await people[0].rest.post("/api/tables", json={})).status_code == 429
        await people[1].open_table()
        many = await people[2].rest.post("/api/tables", json={})
        assert many.status_code == 429
        assert many.json()["detail"].startswith("Your address has opened a lot of tables.")
        async with people[0].join(table), people[1].join(table):
            with pytest.raises(InvalidStatus):
                async with people[2].join(table):
                    pass
    async with running(tmp_path, limits=Limits(requests=(5.0, 0.001))) as server:
        guest = Person(server, "")
        answers = [await guest.rest.get("/api/games") for _ in range(6)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429]
        assert "retry-after" in answers[-1].headers
        assert (await guest.rest.get("/api/health")).status_code == 200


def test_a_bucket_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    bucket = Bucket((2.0, 1.0))
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    now += 1.0
    assert [bucket.take() for _ in range(2)] == [True, False]
    now += 10.0
    assert bucket.is_full
    buckets = Buckets((1.0, 1.0))
    assert [buckets.take(key) for key in ("a", "b", "a")] == [True, True, False]


async def _read_on(connection: ClientConnection) -> None:
    while True:
        await asyncio.wait_for(connection.recv(), PATIENCE)


def test_a_household_is_one_address() -> None:
    def address(host: str) -> str:
        return address_of({"client": (host, 1234)})

    assert address("192.0.2.7") == "192.0.2.7"
    assert address("2001:db8:1:2:3::4") == address("2001:db8:1:2:ffff::1")
    assert address("2001:db8:1:2::4") != address("2001:db8:1:3::4")
    assert address("::ffff:192.0.2.7") == "192.0.2.7"
    assert home_of({"client": ("::ffff:127.0.0.1", 1234)}) == ""
    assert home_of({"client": ("::ffff:192.0.2.7", 1234)}) == "192.0.2.7"
    assert is_own_name("[::ffff:127.0.0.1]:8000", "127.0.0.1", ())
    assert address("fe80::1%eth0") == address("fe80::2%eth0")
    assert address_of({"client": None}) == "?"


def test_a_site_of_many_networks_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    buckets = Buckets((2.0, 1.0))
    networks = [address_of({"client": (f"2001:db8:1:{number:x}::1", 1)}) for number in range(100)]
    for name in ("", " ada"):  # one limit for the address, and one for each account from it
        taken = [buckets.take(network + name) for network in networks]
        assert taken == [True] * 2 * SITE_SHARE + [False] * (100 - 2 * SITE_SHARE)
    assert buckets.take(address_of({"client": ("2001:db8:2::1", 1)}))


async def test_the_networks_of_one_site_share_what_guests_and_accounts_may_do(tmp_path: Path) -> None:
    """An IPv6 /48 has 65,536 networks: together they get only a few times as much as one."""
    limits = Limits(guests=(2.0, 1e-9), logins=(1.0, 1e-9), strangers=(1000.0, 1.0), names=(1000.0, 1.0))
    networks = [f"2001:db8:1:{number:x}::1" for number in range(2 * SITE_SHARE)]
    guest_share = 2 * SITE_SHARE

    async with running(tmp_path, limits=limits) as server:

        async def codes(path: str, body: dict[str, Any], times: int = 1) -> list[int]:
            """Return the status codes of a call by a newcomer from each network."""
            found = []
            for network in networks * times:
                newcomer = Person(server, "", network)
                found.append((await newcomer.rest.post(path, json=body)).status_code)
            return found

        new = await codes("/api/guests", {}, times=2)
        assert (new.count(200), new[-1]) == (guest_share, 429)
        wrong = {"name": "Ada", "password": "wrong horse"}
        assert set(await codes("/api/login", wrong)) == {429}
        assert (
            await Person(server, "", "2001:db8:2::1").rest.post("/api/guests", json={})
        ).status_code == 200
    (tmp_path / "second").mkdir()
    async with running(tmp_path / "second", limits=replace(limits, guests=(1000.0, 1.0))) as server:
        guesses = await codes("/api/login", wrong, times=2)
        assert (guesses.count(401), guesses[-1]) == (SITE_SHARE, 429)


async def test_the_networks_of_one_site_share_open_connections(tmp_path: Path) -> None:
    limits = Limits(sockets_open=1, sockets=(1000.0, 1.0))
    async with running(tmp_path, limits=limits, pace=3600.0) as server, contextlib.AsyncExitStack() as stack:
        table = await (await server.guest("Ada")).open_table()
        for number in range(SITE_SHARE):
            person = Person(server, "", f"2001:db8:1:{number:x}::1")
            await stack.enter_async_context(person.join(table))
        with pytest.raises(InvalidStatus) as refused:
            await stack.enter_async_context(Person(server, "", "2001:db8:1:ff::1").join(table))
        assert refused.value.response.status_code == 429
        await stack.enter_async_context(Person(server, "", "2001:db8:2:1::1").join(table))


async def test_large_requests_and_messages(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        answer = await ada.rest.post("/api/tables", content=b'{"rules":"' + b"x" * 70_000 + b'"}')
        assert answer.status_code == 413
        for opening in (b"[", b'{"name":'):
            deep = await ada.rest.post(
                "/api/guests", content=opening * 7_000, headers={"content-type": "application/json"}
            )
            assert deep.status_code == 400
            assert deep.json()["detail"].startswith("The request is nested too deeply.")
        table = await ada.open_table()
        async with ada.join(table) as seat:
            await seat.socket.send("x" * 100_000)
            with pytest.raises(ConnectionClosed):
                await _read_on(seat.socket)
        async with ada.join(table) as seat:
            assert isinstance(await seat.ask("ping"), Done)


# -- pages ---------------------------------------------------------------------------------------------------


async def _get(pages: Pages, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    await pages.serve({"path": path, "method": "GET", "headers": raw}, send)
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, sent[1]["body"]


async def test_pages_are_served_with_etags_and_compressed(tmp_path: Path) -> None:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>" + " " * 2000)
    (folder / "assets" / "texts-refusals-de.js").write_text("let a = 1;\n" * 200)
    (folder / "manifest.webmanifest").write_text("{}")
    (tmp_path / "secret.txt").write_text("secret")
    pages = Pages(folder)
    for path in ("/", "/new", "/t/abc", "/rules", "/rules/caliente", "/advice", "/advice/freeze"):
        status, headers, body = await _get(pages, path)
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert headers["cache-control"] == "no-cache"
        assert body.startswith(b"<!doctype html>")
    status, headers, body = await _get(pages, "/assets/texts-refusals-de.js", accept_encoding="gzip, br")
    assert headers["content-encoding"] == "gzip"
    assert headers["cache-control"] == "no-cache"
    assert gzip.decompress(body).startswith(b"let a")
    status, headers, body = await _get(pages, "/", if_none_match=(await _get(pages, "/"))[1]["etag"])
    assert (status, body) == (304, b"")
    (folder / "index.html").write_text("changed")
    assert (await _get(pages, "/"))[2] == b"changed"
    status, headers, _ = await _get(pages, "/manifest.webmanifest", accept_encoding="gzip")
    assert headers["content-type"].startswith("application/manifest+json")
    assert "content-encoding" not in headers
    for path in (
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/assets",
        "/none.js",
        "/new/none",
        "/t",
        "/rules/caliente/none",
        "/a\0b",
        "/" + "x" * 9000,
    ):
        assert (await _get(pages, path))[0] == 404, path


# -- shutting down -------------------------------------------------------------------------------------------


def test_a_server_that_is_told_to_stop_says_goodbye_and_loses_nothing(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "canasta", "serve", "--port", str(port), "--pace", "0"]
    command += ["--database", f"sqlite:///{tmp_path / 'tables.db'}", "--away-after", "60"]

    async def be_rude(address: str, table: str) -> None:
        """Check that a stranger's input can't fill the log."""
        with pytest.raises(InvalidStatus):
            await connect(
                f"ws://{address}/ws/tables/{table}",
                origin=Origin("https://evil.example"),
                open_timeout=PATIENCE,
            )
        async with connect(f"ws://{address}/ws/tables/{table}", open_timeout=PATIENCE) as line:
            await line.send(b"\xff\xfe", text=True)
            with pytest.raises(ConnectionClosed):
                await _read_on(line)
        with socket.create_connection(("127.0.0.1", port)) as raw:
            raw.sendall(b"no request at all\r\n\r\n")
            raw.settimeout(PATIENCE)
            assert (await asyncio.to_thread(raw.recv, 100)).startswith(b"HTTP/1.1 400")

    async def visit() -> tuple[int, str]:
        address = f"127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=f"http://{address}", timeout=PATIENCE) as rest:
            await rest.post("/api/guests", json={"name": "Ada"})
            table = (await rest.post("/api/tables", json={"start": True})).json()["id"]
            cookie = {"cookie": f"canasta_session={rest.cookies['canasta_session']}"}
        async with connect(
            f"ws://{address}/ws/tables/{table}", additional_headers=cookie, open_timeout=PATIENCE
        ) as seat:
            await seat.recv()
            await be_rude(address, table)
            server.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                await _read_on(seat)
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code, table

    with subprocess.Popen(command, stderr=subprocess.PIPE) as server:
        try:
            for _ in range(int(10 * PATIENCE)):
                try:
                    httpx.get(f"http://127.0.0.1:{port}/api/health")
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            code, table = asyncio.run(visit())
            assert code == 1012
            assert server.wait(PATIENCE) in (0, -signal.SIGTERM)
        finally:
            server.kill()
        assert server.stderr is not None
        told, *logged = server.stderr.read().splitlines()
    assert told.startswith(b"Tables are at http://127.0.0.1:")
    lines = [json.loads(line) for line in logged]
    assert {"table_opened", "request"} <= {line["event"] for line in lines}
    assert not [line for line in lines if line["event"] == "uvicorn" or "exception" in line]
    assert any(line.get("table") == table_label(table) for line in lines)
    assert all("canasta_session" not in str(line) for line in lines)


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "canasta", "serve", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder, and no database")
    ended = _run("--port", str(free_port()), "--database", f"sqlite:///{tmp_path}/file")
    assert ended.returncode != 0
    lines = [json.loads(line) for line in ended.stderr.splitlines()]
    assert [line["event"] for line in lines] == ["not_started"], ended.stderr
    assert lines[0]["problem"].startswith("The database cannot be opened")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = _run("--port", str(taken.getsockname()[1]), "--database", f"sqlite:///{tmp_path}/t.db")
    assert ended.returncode != 0
    assert "address already in use" in ended.stderr
    assert "Traceback" not in ended.stderr
