"""The REST calls."""

import threading
from collections import defaultdict
from pathlib import Path

import pytest
from server.running_server import Person, running

from canasta.notation.record import Record
from canasta.rules import preset_names, resolve_ruleset
from canasta.rules.clauses import CLAUSES
from canasta.rules.rules_file import RulesFile


async def test_guests_and_accounts(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        guest = Person(server, "")
        assert (await guest.rest.get("/api/me")).status_code == 401
        assert (await guest.rest.post("/api/tables", json={})).status_code == 401
        answer = await guest.rest.post("/api/guests", json={})
        assert answer.json() == {"name": "Guest", "account": False, "guest": True}
        # The second request gives the same guest: only the name changes.
        answer = await guest.rest.post("/api/guests", json={"name": "  Ada "})
        assert answer.json()["name"] == "Ada"
        assert (
            answer.headers["set-cookie"].split(";")[0]
            == f"canasta_session={guest.rest.cookies['canasta_session']}"
        )
        assert (await guest.rest.patch("/api/me", json={"name": "Ada Pi"})).json()["name"] == "Ada Pi"
        for name in ("", "   ", "x" * 25, "a\u0000b"):
            answer = await guest.rest.patch("/api/me", json={"name": name})
            assert answer.status_code == 400, name
            assert answer.json()["detail"].startswith("A name ")
        short = await guest.rest.post("/api/accounts", json={"name": "Ada Pi", "password": "short"})
        assert short.status_code == 400
        right = {"name": "Ada Pi", "password": "correct horse"}
        answer = await guest.rest.post("/api/accounts", json=right)
        assert answer.json() == {"name": "Ada Pi", "account": True, "guest": False}
        assert (await guest.rest.get("/api/me")).json()["account"]

        other = await server.guest("Ben")
        taken = await other.rest.post("/api/accounts", json={"name": "ADA PI", "password": "another one"})
        assert taken.status_code == 409
        wrong = await other.rest.post("/api/login", json={"name": "Ada Pi", "password": "wrong horse"})
        unknown = await other.rest.post("/api/login", json={"name": "Nobody", "password": "wrong horse"})
        assert (wrong.status_code, unknown.status_code) == (401, 401)
        assert wrong.json()["detail"] == unknown.json()["detail"]
        before = other.rest.cookies["canasta_session"]
        answer = await other.rest.post("/api/login", json=right | {"name": "ada pi"})
        assert answer.json()["name"] == "Ada Pi"
        assert other.rest.cookies["canasta_session"] != before
        assert (await other.rest.post("/api/logout")).status_code == 204
        assert (await other.rest.get("/api/me")).status_code == 401
        assert (await guest.rest.get("/api/me")).status_code == 200


async def test_an_account_has_its_seat_on_every_device(tmp_path: Path) -> None:
    async with running(tmp_path, pace=3600.0) as server:
        desk = await server.guest("Ada")
        credentials = {"name": "Ada", "password": "correct horse"}
        await desk.rest.post("/api/accounts", json=credentials)
        table = await desk.open_table(start=True)
        phone = Person(server, "")
        await phone.rest.post("/api/login", json=credentials)
        async with desk.join(table) as one, phone.join(table) as two:
            assert one.state.you is not None
            assert two.state.you is not None
            assert one.state.you.cards == two.state.you.cards


async def test_games_options_and_rules(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        rest = Person(server, "").rest
        small = await rest.get("/api/games", headers={"accept-encoding": "gzip"})
        plain = await rest.get("/api/games", headers={"accept-encoding": "identity"})
        assert small.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in plain.headers
        assert int(small.headers["content-length"]) < int(plain.headers["content-length"]) / 3
        assert {answer.headers["vary"] for answer in (small, plain)} == {"Accept-Encoding"}
        games = small.json()
        assert plain.json() == games
        assert [game["name"] for game in games] == list(preset_names())
        assert all(game["summary"] and game["booklet"] for game in games)
        for game in games:
            for players in game["players"]:
                answer = await rest.get(f"/api/games/{game['name']}", params={"players": players})
                assert answer.status_code == 200
                form = answer.json()
                wanted = {option["name"]: option["value"] for option in form["options"]}
                assert {"hand_size", "melds.canasta_size"} <= set(wanted)
                assert "deal.hand_size" not in wanted
                for option in form["options"]:
                    assert option["label"]
                    assert option["kind"] in ("yes or no", "number", "choice", "list of numbers")
                sheet = (
                    await rest.get(f"/api/games/{game['name']}/rules", params={"players": players})
                ).json()
                clauses = {line["clause"] for section in sheet["sections"] for line in section["lines"]}
                assert clauses - {""} <= set(CLAUSES)
        form = (await rest.get("/api/games/bolivia")).json()
        assert form["differences_from"]["title"] == "Canasta Caliente"
        assert form["differences_from"]["rows"]
        assert (
            (await rest.get("/api/games/caliente")).json()["differences_from"]["title"].endswith("(Jaques)")
        )
        for path, status in (
            ("/api/games/poker", 404),
            ("/api/games/poker/rules", 404),
            ("/api/games/caliente?players=9", 400),
            ("/api/games/caliente?players=many", 400),
            ("/api/games/two-player?players=4", 400),
            ("/api/clauses/NONE-1", 404),
            ("/api/nothing", 404),
        ):
            answer = await rest.get(path)
            assert answer.status_code == status, path
            assert answer.json()["status_code"] == status
            assert answer.json()["detail"]
        clause = (await rest.get("/api/clauses/MELD-2")).json()
        assert clause["id"] == "MELD-2"
        assert clause["readings"]


async def test_a_preview_names_every_defect(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        rest = Person(server, "").rest
        options = {"hand_size": 13, "put_back": True}
        answer = await rest.post("/api/games/caliente/preview", json={"players": 4, "options": options})
        good = answer.json()
        assert good["ok"]
        assert {row["label"] for row in good["differences"]} >= {"cards dealt", "the pile may be put back"}
        assert len(good["house_rules"]) == 2
        bad = {"hand_size": 1000, "put_back": "maybe", "putback": True}
        answer = await rest.post("/api/games/caliente/preview", json={"players": 4, "options": bad})
        assert not answer.json()["ok"]
        defects = {row["option"]: row for row in answer.json()["defects"]}
        assert set(defects) == set(bad)
        assert "put_back" in defects["putback"]["remedy"]
        ada = await server.guest("Ada")
        answer = await ada.rest.post("/api/tables", json={"options": bad})
        assert answer.status_code == 400
        assert len(answer.json()["extra"]["defects"]) == 3
        assert (await ada.rest.post("/api/tables", json={"bots": "expret"})).status_code == 400
        assert (await ada.rest.post("/api/tables", json={"clock": -1})).status_code == 400
        assert (await ada.rest.post("/api/tables", json={"unknown": 1})).status_code == 400
        assert (await ada.rest.post("/api/tables", content=b"{")).status_code == 400


async def test_tables_by_rest(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        options = {"target": 1000}
        table = await ada.open_table(rules="two-player", public=True, start=True, options=options)
        row = (await ada.rest.get(f"/api/tables/{table}")).json()
        assert row["seats"] == ["Ada", "Celia"]
        assert (row["status"], row["hand"], row["free"]) == ("playing", 1, 1)
        sheet = (await ada.rest.get(f"/api/tables/{table}/rules")).json()
        assert any("1000" in line["text"] for section in sheet["sections"] for line in section["lines"])
        record = await ada.rest.get(f"/api/tables/{table}/record")
        assert record.headers["content-type"].startswith("text/plain")
        assert "option match.target: 1000" in record.text
        assert "fair" not in record.text
        scores = (await ada.rest.get(f"/api/tables/{table}/scores")).json()
        assert scores == {"history": [], "sheets": []}
        health = (await ada.rest.get("/api/health")).json()
        assert health["status"] == "ok"
        assert health["tables"] == 1
        private = await ada.open_table(public=False)
        assert [row["id"] for row in (await ada.rest.get("/api/tables")).json()] == [table]
        assert (await ada.rest.get(f"/api/tables/{private}")).status_code == 200
        for path in ("nosuchtable222", "x", "%00", "%F0%9F%82%A1"):
            for part in ("", "/rules", "/record", "/scores"):
                assert (await ada.rest.get(f"/api/tables/{path}{part}")).status_code == 404


async def test_the_lobby_lists_what_is_not_over(tmp_path: Path) -> None:
    """Finished tables don't push the others out, however many there are."""
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        waiting = await ada.open_table(public=True)
        playing = await ada.open_table(public=True, start=True)
        for _ in range(61):
            await server.services.store.set_status(await ada.open_table(public=True), "over")
        rows = (await ada.rest.get("/api/tables")).json()
        assert [(row["id"], row["status"]) for row in rows] == [(waiting, "waiting"), (playing, "playing")]


async def test_what_is_refused_is_refused_in_sentences(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        wrong = {"clock": "soon"}
        answers = [
            (await ada.rest.get("/api/nothing"), 404, "There’s nothing at this address."),
            (await ada.rest.get("/api/openapi.json/x"), 404, "There’s nothing at this address."),
            (await ada.rest.delete("/api/me"), 405, "This address doesn’t accept that kind of request."),
            (await ada.rest.post("/api/guests", content=b"x" * 70_000), 413, "The request is too large."),
            (await ada.rest.get("/api/games/caliente?players=abc"), 400, "players: Expected `int"),
            (await ada.rest.post("/api/tables", json=wrong), 400, "clock: Expected `int | null`, got `str`."),
            (await ada.rest.post("/api/tables", content=b"{"), 400, "The request doesn’t match"),
            (
                await ada.rest.post("/api/tables", content=b'{"clock": 1e999}'),
                400,
                "The request doesn’t match",
            ),
            (await ada.rest.get("/api/tables/nosuchtable222"), 404, "This table doesn’t exist."),
        ]
        for answer, status, words in answers:
            assert answer.status_code == status, answer.text
            assert answer.json()["status_code"] == status
            assert words in answer.json()["detail"]
            assert answer.json().get("reason"), answer.text


async def test_bodies_that_are_not_valid_json_are_malformed(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        paths = (await ada.rest.get("/api/openapi.json")).json()["paths"]
        routes = [
            (method, path.format_map(defaultdict(lambda: "x")))
            for path, methods in paths.items()
            for method, about in methods.items()
            if "requestBody" in about
        ]
        assert len(routes) > 15
        bodies = (b'{"name":"\xff"}', b'{"\xff":1}', b'{"name":"\\ud800"}', b'{"name":NaN}', b"9" * 5000)
        for method, path in routes:
            for body in bodies:
                answer = await ada.rest.request(method, path, content=body)
                assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED"), (path, body)


CLUB = """title = "Tuesday club"
base = "hand-and-foot"
default_players = 4

[deal]
hand_size = 9

[going_out]
canastas = 1
wild = 0

[match]
target = 3000
rounds = 0
"""


async def test_rules_are_told_in_the_language_that_is_asked_for(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        ada = Person(server, "Ada")
        await ada.come_in()
        rest = ada.rest
        table = await ada.open_table(rules="jaques", options={"target": 3000})
        for path in ("/api/games/jaques/rules", f"/api/tables/{table}/rules"):
            german = await rest.get(path, params={"lang": "de-AT"})
            assert german.json()["language"] == "de"
            assert german.json()["title"] == "Klassisches Canasta (Jaques)"
            assert german.json()["sections"][0]["title"] == "Die Karten"
            assert german.headers["vary"] == "Accept-Language"
            french = (await rest.get(path, headers={"accept-language": "ja, fr-CH;q=0.9, en;q=0.8"})).json()
            assert (french["language"], french["sections"][0]["title"]) == ("fr", "Les cartes")
            english = (await rest.get(path, headers={"accept-language": "tlh;q=x, *"})).json()
            assert english["language"] == "en"
        sheet = (await rest.get(f"/api/tables/{table}/rules", params={"lang": "de"})).json()
        assert sheet["house_rules"] == ["Punkte zum Ende der Partie: 3000"]
        form = (await rest.get("/api/games/caliente", params={"lang": "es"})).json()
        assert form["options"][0]["label"] == "cartas Caliente"
        assert form["differences_from"]["rows"][0]["label"] != "Caliente names"
        wanted = {"players": 4, "options": {"pile.put_back": True}}
        preview = (await rest.post("/api/games/caliente/preview", params={"lang": "it"}, json=wanted)).json()
        assert preview["house_rules"] == ["il pozzo si può rimettere giù: sì"]
        clause = (await rest.get("/api/clauses/PILE-12", params={"lang": "pt"})).json()
        assert clause["title"] == "devolver o lixo"
        assert clause["readings"][0].startswith("O lixo")
        unknown = await rest.get("/api/clauses/PILE-12", params={"lang": "tlh"})
        assert unknown.status_code == 400
        assert "Deutsch" in unknown.json()["detail"]


async def test_a_file_of_house_rules_goes_up_and_down(tmp_path: Path) -> None:
    """An uploaded file gives the same rules as the local one, and a downloaded file can be uploaded again."""
    file = RulesFile(CLUB.encode(), "club.toml")
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        read = (await ada.rest.post("/api/rules-file", json={"text": CLUB})).json()
        assert (read["ok"], read["rules"], read["title"], read["players"]) == (
            True,
            "hand-and-foot",
            "Tuesday club",
            4,
        )
        form = (await ada.rest.get("/api/games/hand-and-foot")).json()
        assert set(read["options"]) <= {option["name"] for option in form["options"]}
        assert resolve_ruleset("hand-and-foot", 4, read["options"]) == file.ruleset()
        wanted = {"players": 4, "options": read["options"]}
        written = (await ada.rest.post("/api/games/hand-and-foot/file", json=wanted)).json()["text"]
        assert RulesFile(written.encode(), "again.toml").ruleset() == file.ruleset()
        table = await ada.open_table(rules=read["rules"], **wanted)
        record = await ada.rest.get(f"/api/tables/{table}")
        assert record.json()["title"] == "Hand & Foot"


async def test_a_server_offers_house_rules_of_its_own(tmp_path: Path) -> None:
    async with running(tmp_path, house_rules=(RulesFile(CLUB.encode(), "club.toml"),)) as server:
        (club,) = (await Person(server, "").rest.get("/api/house-rules")).json()
        assert (club["rules"], club["title"], club["players"]) == ("hand-and-foot", "Tuesday club", 4)
        assert resolve_ruleset(club["rules"], club["players"], club["options"]).deal.hand_size == 9


async def test_a_file_that_is_no_game_is_told_line_by_line(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        rest = Person(server, "").rest
        bad = 'base = "jaques"\n[deal]\nhand_size = 0\n[pile]\nput_bak = true\n'
        answer = (await rest.post("/api/rules-file", json={"text": bad})).json()
        assert not answer["ok"]
        assert [(row["line"], row["option"]) for row in answer["defects"]] == [
            (3, "deal.hand_size"),
            (5, "pile.put_bak"),
        ]
        answer = (await rest.post("/api/rules-file", json={"text": "base = jaques"})).json()
        assert (answer["defects"][0]["line"], answer["defects"][0]["problem"]) == (1, "can’t be read")
        german = {"accept-language": "de"}
        answer = (await rest.post("/api/rules-file", json={"text": bad}, headers=german)).json()
        assert answer["defects"][0] == {
            "option": "deal.hand_size",
            "line": 3,
            "code": "MUST_BE_NUMBER",
            "facts": {"low": 1, "high": 30},
            "problem": "muss eine ganze Zahl von 1 bis 30 sein",
            "remedy": "",
        }
        wanted = {"players": 4, "options": {"going_out.sequence": 1}}
        preview = (await rest.post("/api/games/jaques/preview", params={"lang": "de"}, json=wanted)).json()
        assert preview["defects"][0]["remedy"] == (
            "setze „Sequenzen: ja“ oder „Sambas zum Ausmachen: keine nötig“"
        )
        too_long = await rest.post("/api/rules-file", json={"text": "#" * 40_000})
        assert too_long.status_code == 400
        wanted = {"options": {"hand_size": 0}}
        assert (await rest.post("/api/games/jaques/file", json=wanted)).status_code == 400
        assert (await rest.post("/api/games/..%2Fx.toml/file", json={})).status_code == 404


async def test_a_record_is_written_beside_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tables don't wait while the record of a long game is written."""
    threads: list[threading.Thread] = []
    usual = Record.text

    def text(record: Record) -> str:
        threads.append(threading.current_thread())
        return usual(record)

    monkeypatch.setattr(Record, "text", text)
    async with running(tmp_path) as server:
        ada = await server.guest("Ada")
        answer = await ada.rest.get(f"/api/tables/{await ada.open_table(start=True)}/record")
        assert answer.text.startswith("format: canasta")
    assert threads
    assert threading.main_thread() not in threads


async def test_mistakes_are_told_in_the_language_of_the_request(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        rest = Person(server, "").rest
        german = {"accept-language": "de-AT, en;q=0.5"}
        answer = await rest.get("/api/tables/none", headers=german)
        assert answer.json() == {
            "status_code": 404,
            "detail": "Diesen Tisch gibt es nicht. Prüfe den Link, oder eröffne einen neuen Tisch.",
            "extra": None,
            "reason": "NO_SUCH_TABLE",
            "facts": {},
        }
        assert "accept-language" in answer.headers["vary"].lower()
        answer = await rest.post("/api/guests", json={"name": "x" * 30}, headers=german)
        assert answer.json()["detail"] == "Ein Name hat höchstens 24 Zeichen."
        assert answer.json()["facts"] == {"most": 24}
        answer = await rest.post("/api/guests", json={"name": "\x1b"})
        assert answer.json()["detail"] == "A name can have only letters, digits and printable characters."
        answer = await rest.post("/api/guests", json={"names": 3}, headers=german)
        assert answer.json()["detail"].startswith("Etwas in der Anfrage ist nicht so, wie ")
        answer = await rest.post(
            "/api/guests", json={}, headers={**german, "origin": "https://elsewhere.example"}
        )
        assert answer.json()["detail"].startswith("Diese Anfrage kam von einer anderen Seite.")
