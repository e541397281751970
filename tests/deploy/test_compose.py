"""deploy/compose.yaml is read by compose-go, the loader of `docker compose`: schema, variables and references hold."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

COMPOSE = Path(__file__).parents[2] / "deploy/compose.yaml"
VALUES = {"ARENA_HOST": "arena.example.org", "ARENA_DB_PASSWORD": "a $ecret"}

pytestmark = pytest.mark.toolchain


@pytest.fixture(scope="module")
def loader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not installed, in which the loader of docker compose is written")
    program = tmp_path_factory.mktemp("compose") / "compose"
    done = subprocess.run(
        [go, "build", "-o", str(program), "."],
        cwd=Path(__file__).parent / "compose",
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0 and "proxy" in done.stderr:
        pytest.skip(f"the loader of docker compose cannot be had here: {done.stderr.strip()[-200:]}")
    assert done.returncode == 0, done.stderr
    return program


def load(loader: Path, file: Path, values: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([loader, file], env=os.environ | values, capture_output=True, text=True, check=False)


def test_the_composition_is_valid_and_its_parts_refer_to_each_other(loader: Path) -> None:
    done = load(loader, COMPOSE, VALUES)
    assert (done.returncode, done.stderr) == (0, "")
    project = json.loads(done.stdout)
    assert set(project["services"]) == {"db", "arena", "proxy"}
    arena = project["services"]["arena"]
    assert arena["environment"]["PGPASSWORD"] == project["services"]["db"]["environment"]["POSTGRES_PASSWORD"]
    assert arena["environment"]["PGPASSWORD"] == VALUES["ARENA_DB_PASSWORD"]
    assert f"https://{VALUES['ARENA_HOST']}" in arena["command"]
    assert Path(arena["build"]["context"], arena["build"]["dockerfile"]).is_file()
    (caddyfile,) = (mount for mount in project["services"]["proxy"]["volumes"] if mount["type"] == "bind")
    assert Path(caddyfile["source"]).is_file()
    assert arena["init"] is arena["read_only"] is project["networks"]["back"]["internal"] is True


@pytest.mark.parametrize("name", VALUES)
def test_a_missing_value_is_named_with_where_to_set_it(name: str, loader: Path) -> None:
    done = load(loader, COMPOSE, {other: value for other, value in VALUES.items() if other != name})
    assert done.returncode == 1
    assert f"required variable {name} is missing a value: set it in .env" in done.stderr


@pytest.mark.parametrize(
    ("there", "wrong", "error"),
    [
        ("cap_drop:", "cap_dorp:", "cap_dorp"),
        ("networks: [back]", "networks: [bakc]", "bakc"),
        ("- database:/var", "- databse:/var", "databse"),
        ("      db:\n        condition", "      dv:\n        condition", "dv"),
    ],
)
def test_mistakes_are_noticed(there: str, wrong: str, error: str, loader: Path, tmp_path: Path) -> None:
    text = COMPOSE.read_text()
    assert there in text
    file = tmp_path / "compose.yaml"
    file.write_text(text.replace(there, wrong))
    done = load(loader, file, VALUES)
    assert done.returncode == 1
    assert error in done.stderr
