"""Whatever is sent to the documented API, the response is documented and never a server error."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from services import free_port, wait_for_port

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
Operation = APIOperation[Any, Any, Any, Any]

EVENING = Path(__file__).resolve().parents[2] / "examples" / "evening.canasta"
EXAMPLES = {GenerationMode.POSITIVE: 6, GenerationMode.NEGATIVE: 4}
"""Examples per operation and test; invalid ones are slow to generate."""


class Api(NamedTuple):
    address: str
    operations: list[Operation]
    cookies: dict[str, str]
    """The cookies of a guest."""
    real: dict[str, str]
    """Path values that name something that exists."""


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    folder: Path = tmp_path_factory.mktemp("openapi")
    port = free_port()
    words = ["--port", str(port), "--database", f"sqlite:///{folder / 'canasta.db'}", "--no-limits"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([sys.executable, "-m", "canasta", "serve", *words], stdout=log, stderr=log)
    try:
        wait_for_port(port)
        address = f"http://127.0.0.1:{port}"
        schema = schemathesis.openapi.from_url(f"{address}/api/openapi.json")
        operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
        with httpx.Client(base_url=address, headers={"Origin": address}, timeout=300) as guest:
            guest.post("/api/guests", json={"name": "Guest"}).raise_for_status()
            wish = {"rules": "caliente", "players": 4, "public": True, "start": True}
            table = guest.post("/api/tables", json=wish).raise_for_status().json()["id"]
            record = {"text": EVENING.read_text(encoding="utf-8")}
            game = guest.post("/api/me/games", json=record).raise_for_status().json()["id"]
            review = guest.post(f"/api/me/games/{game}/review").raise_for_status().json()["id"]
            names = {"table": table, "game": game, "review": review}
            yield Api(
                address,
                operations,
                dict(guest.cookies),
                {
                    **names,
                    "name": "samba",
                    "session": "0" * 16,
                    "clause": "PILE-1",
                    "puzzle": "17a9640d",
                    "day": guest.get("/api/days").raise_for_status().json()["today"],
                },
            )
    finally:
        server.kill()
        server.wait()


def test_the_whole_api_is_documented(api: Api) -> None:
    documented = {operation.label for operation in api.operations}
    assert {
        "GET /api/health",
        "GET /api/me",
        "POST /api/guests",
        "GET /api/games",
        "GET /api/tables",
        "POST /api/tables",
        "POST /api/login",
    } <= documented
    assert len(documented) >= 18


@pytest.mark.parametrize(
    ("who", "mode"),
    [
        ("nobody", GenerationMode.POSITIVE),
        # A guest's invalid requests take the same path and get further.
        pytest.param("nobody", GenerationMode.NEGATIVE, marks=pytest.mark.long),
        ("guest", GenerationMode.POSITIVE),
        ("guest", GenerationMode.NEGATIVE),
    ],
)
def test_every_answer_is_a_documented_one(api: Api, who: str, mode: GenerationMode) -> None:
    if who == "nobody":
        tried = sum(try_out(api, operation, mode) for operation in api.operations)
    else:
        tried = sum(
            try_out(api, operation, mode, api.cookies, real_path(api, operation))
            for operation in api.operations
            # The guest is still needed for the other operations.
            if operation.label not in ("POST /api/logout", "POST /api/me/delete")
        )
    # The remaining operations have nothing to vary or nothing that could be invalid.
    assert tried >= 4 * sum(bool(list(operation.body)) for operation in api.operations)


def real_path(api: Api, operation: Operation) -> dict[str, str]:
    """Return existing names for the path of an operation."""
    return {parameter.name: api.real[parameter.name] for parameter in operation.path_parameters}


def try_out(
    api: Api,
    operation: Operation,
    mode: GenerationMode,
    cookies: dict[str, str] | None = None,
    path: dict[str, str] | None = None,
) -> int:
    """Return the number of correctly answered requests; fail at the first incorrect one."""
    answered = 0
    strategy = operation.as_strategy(mode, path_parameters=path or None)

    @settings(max_examples=EXAMPLES[mode], suppress_health_check=list(HealthCheck))
    @given(strategy)
    def call(case: schemathesis.Case[Any]) -> None:
        nonlocal answered
        headers = {"Origin": api.address}
        case.call_and_validate(checks=CHECKS, headers=headers, cookies=cookies or {}, timeout=300)
        answered += 1

    try:
        call()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE, f"{operation.label} cannot be called at all"
    return answered
