"""Server logs report events but never the name of a table, which is the link to it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from services import PATIENCE, free_port, wait_for_port

from canasta.server.http.app import path_to_log
from canasta.server.run import hide_table_names, table_label


@pytest.mark.parametrize(
    ("path", "template", "logged"),
    [
        ("/api/tables/r3hd9gnmpjbwcc/orders", "/api/tables/{table}/orders", "/api/tables/{table}/orders"),
        ("/api/me/sessions/0123456789abcdef", "", "/api/…"),
        ("/api/r3hd9gnmpjbwcc", "", "/api/…"),
        ("/api/health", "/api/health", "/api/health"),
    ],
)
def test_a_path_is_logged_as_its_route(path: str, template: str, logged: str) -> None:
    assert path_to_log({"path": path, "path_template": template}) == logged


def test_a_table_is_logged_by_its_label() -> None:
    event = {"event": "table_status", "table": "r3hd9gnmpjbwcc"}
    assert hide_table_names(None, "info", event)["table"] == table_label("r3hd9gnmpjbwcc") != "r3hd9gnmpjbwcc"


def test_no_name_of_a_table_is_in_the_log_of_a_server(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-P", "-m", "canasta", "serve", "--port", str(port)]
    command += ["--database", f"sqlite:///{tmp_path / 'tables.db'}"]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            command, stderr=log, stdout=subprocess.DEVNULL, env=os.environ | {"HOME": str(tmp_path)}
        )
        try:
            wait_for_port(port)
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as rest:
                rest.post("/api/guests", json={"name": "Ada"})
                table = rest.post("/api/tables", json={"start": True}).json()["id"]
                for part in ("", "/record", "/scores", "/nothing", "/../nothing"):
                    rest.get(f"/api/tables/{table}{part}")
                rest.get(f"/api/{table}")
                rest.get(f"/t/{table}")
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
    text = (tmp_path / "log").read_text()
    lines = [json.loads(line) for line in text.splitlines()[1:]]
    assert {line["path"] for line in lines if line["event"] == "request"} >= {
        "/api/tables/{table}/record",
        "/api/guests",
    }
    assert any(line.get("table") == table_label(table) for line in lines)
    assert [line for line in lines if table in str(line)] == []
