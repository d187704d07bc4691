"""Turn alerts for players whose page is closed.

Alerts are encrypted for one browser, sent only to push services, and sent once per turn.
"""

import asyncio
import json
import re
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from server.running_server import AtTable, Person, Running, running
from services import PATIENCE

from canasta.server.accounts import push
from canasta.server.accounts.accounts import hash_of
from canasta.server.accounts.push import contact_of, host_of, is_service_name
from canasta.server.accounts.webpush import VapidKey, base64url_decode, base64url_encode, check_keys, seal
from canasta.server.settings import PUSH_SERVICES, Settings
from canasta.server.store import ConflictError, DatabaseError
from canasta.server.store.players import MOST_PUSHES, Subscription
from canasta.server.store.store import Store

MOZILLA = "https://updates.push.services.mozilla.com/wpush/v2/"


class Browser:
    """The receiving browser, with its keys and its address at a push service."""

    def __init__(self, endpoint: str = MOZILLA + "ada") -> None:
        self.endpoint = endpoint
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._public = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self._auth = bytes(range(16))

    @property
    def subscription(self) -> dict[str, str]:
        return {
            "endpoint": self.endpoint,
            "p256dh": base64url_encode(self._public),
            "auth": base64url_encode(self._auth),
        }

    def read(self, body: bytes) -> Any:
        """Decrypt a notice as a browser does."""
        salt, length, theirs = body[:16], body[20], body[21:86]
        assert (length, int.from_bytes(body[16:20], "big")) == (65, 4096)
        other = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        shared = self._key.exchange(ec.ECDH(), other)
        common = derive(shared, self._auth, b"WebPush: info\0" + self._public + theirs, 32)
        key = derive(common, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derive(common, salt, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, body[86:], None)
        assert plain[-1:] == b"\2"
        return json.loads(plain[:-1])


def derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


class PushService:
    """A stand-in for the real push services that keeps the requests it gets."""

    def __init__(self) -> None:
        self.got: list[httpx.Request] = []
        self.answer = httpx.Response(201)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.got.append(request)
        return self.answer


@asynccontextmanager
async def calling(folder: Path, **changes: Any) -> AsyncIterator[tuple[Running, PushService]]:
    usual: dict[str, Any] = {"push": "mailto:club@example.org", "push_after": 3600.0, "pace": 3600.0}
    async with running(folder, **(usual | changes)) as server:
        service = PushService()
        assert server.services.pusher is not None
        real = server.services.pusher.client
        assert real is not None
        assert (real.follow_redirects, real.trust_env) == (False, False)
        await real.aclose()
        server.services.pusher.client = httpx.AsyncClient(transport=httpx.MockTransport(service))
        yield server, service


async def two_at_a_table(server: Running) -> tuple[Person, Person, str]:
    """Return Ada, who is to move in the first hand, and Ben; nobody is connected."""
    ada, ben = await server.guest("Ada"), await server.guest("Ben")
    table = await ada.open_table(rules="caliente", players=2)
    async with ada.join(table) as first, ben.join(table) as second:
        await second.ask("sit", seat=1)
        await first.ask("start")
        await first.until(lambda state: state.status == "playing")
        turn = server.services.registry._open[table].table.to_act
    return (ada, ben, table) if turn == 0 else (ben, ada, table)


async def all_sent(server: Running, table: str, here: int = 0) -> None:
    """Wait until `here` people are connected, every due alert has been sent, and the queue is empty."""
    live = server.services.registry._open[table]
    async with asyncio.timeout(PATIENCE):
        while len(live._viewers) != here:
            async with live._lock:
                await asyncio.sleep(0)
    if live._turn_alerts._timer is not None:
        live._turn_alerts.stop()
        live._turn_alerts._ring()
    assert server.services.pusher is not None
    await server.services.pusher.sent()


async def take_turn(seat: AtTable) -> None:
    await seat.my_turn()
    while seat.state.you is not None and seat.state.you.turn:
        hints = await seat.hints()
        if hints:
            await seat.move(hints[0].move)


def test_a_notice_is_sealed_as_in_the_standard() -> None:
    """The example of RFC 8291."""
    private = int.from_bytes(base64url_decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    sealed = seal(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
        own=ec.derive_private_key(private, ec.SECP256R1()),
        salt=base64url_decode("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert base64url_encode(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8"
        "wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def claims_of(header: str) -> Any:
    """Return the claims of a sender, after checking the signature with the key in the header."""
    form = re.fullmatch(r"vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)", header)
    assert form is not None
    head, claims, signature, key = form.groups()
    raw = base64url_decode(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), base64url_decode(key))
    point.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    return json.loads(base64url_decode(claims))


def test_a_sender_says_who_it_is_as_in_the_standard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example of RFC 8292, except for its signature, which differs every time."""
    told = (
        "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHA"
        "iOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMu"
        "CGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrA"
        "IxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
    )
    claims = claims_of(told)
    monkeypatch.setattr("time.time", lambda: claims["exp"] - 12 * 3600)
    header = VapidKey(tmp_path / "key.pem").sign(claims["aud"], claims["sub"])
    assert claims_of(header) == claims
    assert header.rpartition(".")[0] == told.rpartition(".")[0]


def test_the_key_is_made_once_and_is_its_owner_s_alone(tmp_path: Path) -> None:
    file = tmp_path / "tables.db.push.pem"
    first = VapidKey(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert VapidKey(file).public == first.public
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize(
    "content", [b"", b"no key", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"]
)
async def test_a_damaged_key_is_told_at_the_start(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t.db.push.pem").write_bytes(content)
    settings = Settings(push="mailto:a@b.de", database=f"sqlite:///{tmp_path / 't.db'}")
    nothing: Any = None
    pusher = push.make_pusher(settings, nothing, nothing)
    assert pusher is not None
    with pytest.raises(DatabaseError, match="it holds no such key"):
        await pusher.open()


def test_without_the_setting_nothing_is_loaded() -> None:
    nothing: Any = None
    assert push.make_pusher(Settings(), nothing, nothing) is None


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:APA91-_x",
        "https://fcm.googleapis.com:443/fcm/send/abc",
        MOZILLA + "gAAA==",
        "https://web.push.apple.com/QABC",
        "https://wns2-par02p.notify.windows.com/w/?token=BQY%2b%3d",
    ],
)
def test_push_services_of_browsers_are_known(endpoint: str) -> None:
    assert host_of(endpoint, PUSH_SERVICES)


REFUSED = [
    "",
    "http://fcm.googleapis.com/x",
    "https://fcm.googleapis.com",
    "https://fcm.googleapis.com:8443/x",
    "https://fcm.googleapis.com:443443/x",
    "https://me@fcm.googleapis.com/x",
    "https://fcm.googleapis.com@127.0.0.1/x",
    "https://fcm.googleapis.com.example.org/x",
    "https://evilnotify.windows.com/x",
    "https://notify.windows.com/x",
    "https://FCM.googleapis.com/x",
    "https://fcm.googleapis.com./x",
    "https://127.0.0.1/x",
    "https://2130706433/x",
    "https://[::1]/x",
    "https://localhost/x",
    "https://example.org/x",
    "https://fcm.googleapis.com\\@example.org/x",
    "https://fcm.googleapis.com/x#y",
    "https://fcm.googleapis.com/x y",
    "https://fcm.googleapis.com/x\r\nhost: example.org",
    "https://fcm.googleapis.com/ä",
    "https://fcm.googleapis.com/" + "x" * 1000,
    "file:///etc/passwd",
    " https://fcm.googleapis.com/x",
]


@pytest.mark.parametrize("endpoint", REFUSED)
def test_no_other_address_is_called(endpoint: str) -> None:
    assert host_of(endpoint, PUSH_SERVICES) == ""


@pytest.mark.parametrize(
    "name",
    ["127.0.0.1", "localhost", "printer", "nas.local", "db.internal", "::1", "*", "*.org", "a.b:443", ""],
)
def test_no_number_and_no_local_name_is_a_push_service(name: str) -> None:
    assert not is_service_name(name)
    assert host_of(f"https://{name}/x", [name]) == ""


@pytest.mark.parametrize(
    ("text", "contact"),
    [
        ("club@example.org", "mailto:club@example.org"),
        ("mailto:club@example.org", "mailto:club@example.org"),
        ("https://example.org/about", "https://example.org/about"),
        ("http://example.org", None),
        ("club", None),
        ("a b@example.org", None),
    ],
)
def test_a_contact_is_an_address_of_mail_or_of_a_page(text: str, contact: str | None) -> None:
    assert contact_of(text) == contact


async def test_who_is_away_is_told_of_the_turn_once(tmp_path: Path, database_url: str) -> None:
    async with calling(tmp_path, database=database_url) as (server, service):
        ada, ben, table = await two_at_a_table(server)
        phone = Browser()
        answer = await ada.rest.post("/api/push", json=phone.subscription, headers={"accept-language": "de"})
        assert answer.status_code == 204
        # She disconnects twice while it is her turn.
        for _ in range(2):
            async with ada.join(table):
                pass
            await all_sent(server, table)
        request = service.got.pop()
        assert service.got == []
        assert str(request.url) == phone.endpoint
        assert phone.read(request.content) == {"table": table, "text": "Dein Zug"}
        # Nobody on the way learns which table it is: the table's address is also its key.
        assert table not in f"{request.url} {request.headers}"
        assert re.fullmatch(r"[\w-]{1,32}", request.headers["topic"])
        assert request.headers["content-encoding"] == "aes128gcm"
        offered = (await ben.rest.get("/api/push")).json()["key"]
        assert request.headers["authorization"].endswith(f", k={offered}")
        # She moves and disconnects, and then it's her turn again.
        async with ben.join(table) as other:
            async with ada.join(table) as seat:
                await take_turn(seat)
            await take_turn(other)
            await all_sent(server, table, here=1)
            assert [phone.read(request.content)["table"] for request in service.got] == [table]


async def test_nobody_is_called_who_is_here_or_wants_nothing(tmp_path: Path) -> None:
    async with calling(tmp_path) as (server, service):
        ada, ben, table = await two_at_a_table(server)
        await ada.rest.post("/api/push", json=Browser().subscription)
        elsewhere = await ada.open_table(rules="caliente", players=2)
        async with ada.join(elsewhere):
            async with ada.join(table):
                pass
            await all_sent(server, table)
        async with ben.join(table), ada.join(table) as seat:
            await take_turn(seat)
            await all_sent(server, table, here=2)
        async with ben.join(table):  # it's his turn now, and he has no subscription
            pass
        await all_sent(server, table)
        assert service.got == []


async def test_alone_with_computer_players_nobody_is_called(tmp_path: Path) -> None:
    async with calling(tmp_path) as (server, service):
        ada = await server.guest("Ada")
        await ada.rest.post("/api/push", json=Browser().subscription)
        table = await ada.open_table(rules="caliente", players=2, start=True)
        async with ada.join(table):
            pass
        await all_sent(server, table)
        assert service.got == []


@pytest.mark.parametrize(("status", "left"), [(404, 0), (410, 0), (301, 1), (429, 1), (500, 1)])
async def test_a_subscription_that_is_gone_is_forgotten(tmp_path: Path, status: int, left: int) -> None:
    async with calling(tmp_path) as (server, service):
        service.answer = httpx.Response(status, headers={"location": "https://127.0.0.1/"})
        ada = await server.guest("Ada")
        await ada.rest.post("/api/push", json=Browser().subscription)
        pusher = server.services.pusher
        assert pusher is not None
        player = await server.services.sessions.player(ada.rest.cookies["canasta_session"])
        assert player is not None
        pusher.notify(player.id, "abc", 1)
        await pusher.sent()
        assert len(service.got) == 1
        assert len((await ada.rest.get("/api/me/export")).json()["notices"]) == left


async def test_a_push_service_that_fails_and_a_full_row_trouble_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with calling(tmp_path) as (server, _):
        pusher = server.services.pusher
        assert pusher is not None

        def broken(request: httpx.Request) -> httpx.Response:
            raise httpx.ConnectError("no way there", request=request)

        pusher.client = httpx.AsyncClient(transport=httpx.MockTransport(broken))
        ada = await server.guest("Ada")
        await ada.rest.post("/api/push", json=Browser().subscription)
        player = await server.services.sessions.player(ada.rest.cookies["canasta_session"])
        assert player is not None
        for turn in range(push.MOST_WAITING + 50):
            pusher.notify(player.id, "abc", turn)
        assert pusher._row.qsize() == push.MOST_WAITING
        monkeypatch.setattr(server.services.store, "pushes_to_tell", no_database)
        await pusher.sent()
        assert len((await ada.rest.get("/api/me/export")).json()["notices"]) == 1


async def no_database(player: str, turn: str) -> list[Subscription]:
    raise DatabaseError("The database is away.")


async def test_no_answer_is_waited_for_long_and_no_long_answer_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "_REQUEST_TIMEOUT_S", 0.01)
    async with calling(tmp_path) as (server, _):
        pusher = server.services.pusher
        assert pusher is not None
        asked: list[str] = []

        async def without_end() -> AsyncIterator[bytes]:
            asked.append("read")
            yield b"more"
            raise AssertionError("nobody wants it")

        async def answer(request: httpx.Request) -> httpx.Response:
            asked.append(request.url.path[-1])
            if request.url.path.endswith("slow"):
                await asyncio.Event().wait()
            return httpx.Response(201, content=without_end())

        pusher.client = httpx.AsyncClient(transport=httpx.MockTransport(answer))
        for end in ("slow", "long"):
            one = await server.guest(end)
            await one.rest.post("/api/push", json=Browser(MOZILLA + end).subscription)
            player = await server.services.sessions.player(one.rest.cookies["canasta_session"])
            assert player is not None
            pusher.notify(player.id, "abc", 1)
        async with asyncio.timeout(PATIENCE):
            await pusher.sent()
        assert sorted(asked) == ["g", "w"]


async def test_what_is_no_subscription_is_refused(tmp_path: Path) -> None:
    async with calling(tmp_path) as (server, _):
        ada, good = await server.guest("Ada"), Browser().subscription
        stranger = Person(server, "")
        assert (await stranger.rest.post("/api/push", json=good)).status_code == 401
        assert (await stranger.rest.delete("/api/push")).status_code == 401
        off_curve = base64url_encode(b"\4" + bytes(63) + b"\1")
        bad: list[dict[str, Any]] = [
            *({"endpoint": endpoint} for endpoint in ("https://127.0.0.1/x", "https://example.org/x", "")),
            *({"p256dh": key} for key in ("", "!", "ä", off_curve, good["p256dh"][:40], 7)),
            *({"auth": key} for key in ("", "AAAA", "ä", None)),
        ]
        answers = [await ada.rest.post("/api/push", json=good | change) for change in bad]
        assert {answer.status_code for answer in answers} == {400}
        assert (await ada.rest.get("/api/me/export")).json()["notices"] == []


async def test_a_subscription_ends_with_its_session_and_its_owner(tmp_path: Path, database_url: str) -> None:
    async with calling(tmp_path, database=database_url) as (server, _):
        ada = await server.guest("Ada")

        async def notices(person: Person) -> list[str]:
            listed: list[str] = (await person.rest.get("/api/me/export")).json()["notices"]
            return listed

        browsers = {name: Browser(MOZILLA + name) for name in ("a", "b", "phone")}

        async def subscribe(person: Person, name: str) -> None:
            browser = browsers[name]
            assert (await person.rest.post("/api/push", json=browser.subscription)).status_code == 204

        await subscribe(ada, "a")
        await subscribe(ada, "b")
        assert await notices(ada) == [MOZILLA + "b"]
        assert (await ada.rest.delete("/api/push")).status_code == 204
        assert await notices(ada) == []
        login = {"name": "Ada", "password": "correct horse"}
        await ada.rest.post("/api/accounts", json=login)
        await subscribe(ada, "a")
        phone = Person(server, "Ada")
        await phone.rest.post("/api/login", json=login)
        await subscribe(phone, "phone")
        assert sorted(await notices(ada)) == [MOZILLA + "a", MOZILLA + "phone"]
        await phone.rest.post("/api/logout")
        assert await notices(ada) == [MOZILLA + "a"]
        # The same browser, used by somebody else.
        ben = await server.guest("Ben")
        await subscribe(ben, "a")
        assert (await notices(ada), await notices(ben)) == ([], [MOZILLA + "a"])
        player = await server.services.sessions.player(ben.rest.cookies["canasta_session"])
        assert player is not None
        assert (await ben.rest.post("/api/me/delete", json={})).status_code == 204
        assert await server.services.store.pushes_of(player.id) == []


async def test_who_knows_the_url_of_an_endpoint_gains_nothing(store: Store) -> None:
    """An attacker can neither take the owner's place nor lock the owner out by coming first."""
    for player in ("ada", "eve", "phone"):
        await store.add_player(player, player)
        await store.add_session(hash_of(player), player, 60.0)
    mine = Subscription("https://e/ada", "p", "secret", "en")
    theirs = mine._replace(auth="guess")
    await store.keep_push("eve", hash_of("eve"), theirs)
    await store.keep_push("ada", hash_of("ada"), mine)
    assert (await store.pushes_of("ada"), await store.pushes_of("eve")) == ([mine], [theirs])
    await store.keep_push("eve", hash_of("eve"), theirs)
    await store.drop_push(hash_of("eve"))
    assert await store.pushes_of("ada") == [mine]
    # The owner may renew the keys, and another player in the same browser knows its secret.
    renewed = mine._replace(auth="new secret")
    await store.keep_push("ada", hash_of("ada"), renewed)
    await store.add_session(hash_of("ada again"), "ada", 60.0)
    await store.keep_push("ada", hash_of("ada again"), mine)
    assert await store.pushes_of("ada") == [mine]
    await store.keep_push("phone", hash_of("phone"), mine)
    assert (await store.pushes_of("ada"), await store.pushes_of("phone")) == ([], [mine])


async def test_a_stranger_learns_nothing_from_naming_somebody_s_endpoint(tmp_path: Path) -> None:
    async with calling(tmp_path) as (server, _):
        ada, eve, mallory = [await server.guest(name) for name in ("Ada", "Eve", "Mallory")]
        browser = Browser().subscription
        guess = {"auth": base64url_encode(bytes(16))}
        before = await mallory.rest.post("/api/push", json=browser | guess)
        assert (await ada.rest.post("/api/push", json=browser)).status_code == 204
        after = await eve.rest.post("/api/push", json=browser | guess | {"auth": base64url_encode(b"x" * 16)})
        assert (before.status_code, before.content) == (after.status_code, after.content) == (204, b"")
        assert (await ada.rest.get("/api/me/export")).json()["notices"] == [browser["endpoint"]]


async def test_the_newest_of_one_person_are_kept_and_told_once_by_all_processes(store: Store) -> None:
    await store.add_player("ada", "Ada")
    for number in range(MOST_PUSHES + 2):
        session = hash_of(str(number))
        await store.add_session(session, "ada", -1.0 if number == 3 else 60.0)
        await store.keep_push("ada", session, Subscription(f"https://e/{number}", "p", "a", "en"))
    kept = [f"https://e/{number}" for number in range(2, MOST_PUSHES + 2)]
    assert sorted(each.endpoint for each in await store.pushes_of("ada")) == kept
    told = [each.endpoint for each in await store.pushes_to_tell("ada", "table 1")]
    assert sorted(told) == [endpoint for endpoint in kept if not endpoint.endswith("3")]
    assert await store.pushes_to_tell("ada", "table 1") == []
    assert len(await store.pushes_to_tell("ada", "table 2")) == MOST_PUSHES - 1
    with pytest.raises(ConflictError):
        await store.keep_push("ada", hash_of("ended"), Subscription("https://e/0", "p", "a", "en"))


async def test_a_server_without_the_setting_offers_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        assert (await ada.rest.get("/api/push")).json() == {"key": ""}
        answer = await ada.rest.post("/api/push", json=Browser().subscription)
        assert (answer.status_code, answer.json()["reason"]) == (404, "NO_PUSH")
    assert not push.key_file(Settings(database=f"sqlite:///{tmp_path / 'tables.db'}")).exists()


def test_keys_of_a_browser_are_known() -> None:
    good = Browser().subscription
    check_keys(good["p256dh"] + "=", good["auth"] + "==")
    assert base64url_decode(good["auth"]) == bytes(range(16))
