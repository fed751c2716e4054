import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

DOCKER = Path(__file__).resolve().parents[2] / "docker"
FILE = DOCKER / "compose.yaml"


def validate(file: Path) -> subprocess.CompletedProcess[str]:
    """Against the Compose specification's own schema, which the checker carries."""
    checker = Path(sys.executable).with_name("check-jsonschema")
    return subprocess.run(
        [checker, "--builtin-schema", "vendor.compose-spec", file],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    compose: dict[str, dict[str, Any]] = yaml.safe_load(FILE.read_text())
    return compose["services"]


def test_file_follows_the_compose_specification() -> None:
    done = validate(FILE)
    assert done.returncode == 0, done.stdout + done.stderr


def test_schema_would_find_a_wrong_key(tmp_path: Path) -> None:
    bad = tmp_path / "compose.yaml"
    bad.write_text(FILE.read_text().replace("healthcheck:", "helthcheck:"))
    assert validate(bad).returncode == 1


def test_ports_are_bound_to_loopback(services: dict[str, Any]) -> None:
    assert [port for port in services["neo4j"]["ports"] if not port.startswith("127.0.0.1:")] == []
    assert "ports" not in services["medkg"]


def test_no_password_stands_in_the_file(services: dict[str, Any]) -> None:
    variable = r"\$\{NEO4J_PASSWORD:\?.+\}"
    assert re.fullmatch(f"neo4j/{variable}", services["neo4j"]["environment"]["NEO4J_AUTH"])
    assert re.fullmatch(variable, services["medkg"]["environment"]["NEO4J_PASSWORD"])


def test_medkg_waits_for_a_healthy_server_that_keeps_its_data(services: dict[str, Any]) -> None:
    assert services["medkg"]["depends_on"] == {"neo4j": {"condition": "service_healthy"}}
    assert services["neo4j"]["healthcheck"]["test"][0] == "CMD"
    assert services["neo4j"]["volumes"] == ["neo4j:/data"]


def test_every_variable_is_in_the_example() -> None:
    used = set(re.findall(r"\$\{(\w+)", FILE.read_text()))
    assert used == set(
        re.findall(r"^(?:# )?(\w+)=", (DOCKER / "env.example").read_text(), re.MULTILINE)
    )


def test_compose_itself_reads_it(tmp_path: Path) -> None:
    if (
        not shutil.which("docker")
        or subprocess.run(
            ["docker", "compose", "version"], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("this machine has no docker compose")
    environment = tmp_path / "env"
    environment.write_text("NEO4J_PASSWORD=long-enough\n")
    subprocess.run(
        ["docker", "compose", "--env-file", environment, "-f", FILE, "config", "--quiet"],
        check=True,
    )
