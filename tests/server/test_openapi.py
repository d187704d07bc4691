"""Whatever is sent to the documented API, the answer is a documented one and never a server error."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import settings
from schemathesis.specs.openapi.schemas import OpenApiSchema
from services import free_port, wait_for_port


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("openapi")
    port = free_port()
    words = ["--port", str(port), "--database", f"sqlite:///{folder / 'canasta.db'}", "--no-limits"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([sys.executable, "-m", "canasta.server", *words], stdout=log, stderr=log)
    try:
        wait_for_port(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()


@pytest.fixture(scope="module")
def api(address: str) -> OpenApiSchema:
    return schemathesis.openapi.from_url(f"{address}/api/openapi.json")


schema = schemathesis.pytest.from_fixture("api")


@schema.parametrize()
@settings(max_examples=15)
def test_every_answer_is_a_documented_one(case: schemathesis.Case[Any]) -> None:
    case.call_and_validate()
