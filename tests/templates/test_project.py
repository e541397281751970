from pathlib import Path

import pytest

from arena.submissions.errors import BadName
from arena.submissions.manifest import read_manifest
from arena.templates import project
from arena.templates.project import ProjectError, languages, make, protos_folder
from referee.engine.registry import game, names


@pytest.mark.parametrize("name", names())
def test_a_python_project_for_every_game(tmp_path: Path, name: str) -> None:
    made = make(tmp_path / "my-Owl_2", "python", game(name))
    assert (made.name, made.game, made.manifest.games) == ("my-owl-2", name, (name,))
    files = {path.name: path.read_text() for path in made.folder.iterdir()}
    assert set(files) == {"README.md", "bot.toml", "main.py", "pyproject.toml", "test_main.py"}
    assert "class MyOwl2(Bot[" in files["main.py"]
    assert not any("$" in text for text in files.values())
    for path in ("main.py", "test_main.py"):
        compile(files[path], path, "exec")


def test_nothing_is_overwritten_and_nothing_left_half_made(tmp_path: Path) -> None:
    (tmp_path / "owl").mkdir()
    with pytest.raises(ProjectError, match="owl exists: choose another folder"):
        make(tmp_path / "owl", "python", None)
    with pytest.raises(ProjectError, match="does not exist: create it first"):
        make(tmp_path / "no" / "owl", "python", None)
    with pytest.raises(BadName):
        make(tmp_path / "...", "python", None)
    assert [path.name for path in tmp_path.iterdir()] == ["owl"]


@pytest.fixture
def samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sample bots of one language, as they lie after a build."""
    folder = tmp_path / "samples"
    for path, text in {
        "c/bot.toml": 'language = "c"\ncommand = ["./bot"]\ngames = [\n  "perudo",\n]\nbuild = ["make"]\n',
        "c/Makefile": "protos = ../../protos\n", "c/build/x": "", "c/src/main.c": "int main() {}",
        "python/random_bot.py": "", "naughty/bot.toml": "",
    }.items():  # fmt: skip
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    monkeypatch.setattr(project, "SAMPLES_FOLDER", folder)
    return folder


def test_another_language_is_a_copy_of_its_sample_with_the_protos_beside_it(samples: Path, tmp_path: Path) -> None:
    assert languages() == ["python", "c"]
    made = make(tmp_path / "owl", "c", None)
    files = sorted(str(path.relative_to(made.folder)) for path in made.folder.rglob("*") if path.is_file())
    assert files[:2] == ["Makefile", "bot.toml"]
    assert {"protos/referee/v1/cambio.proto", "protos/referee/v1/play.proto"} <= set(files)
    assert files[-2:] == ["protos/vectors/vectors.json", "src/main.c"]
    assert (made.folder / "Makefile").read_text() == "protos = protos\n"
    assert (made.game, made.manifest.games) == ("perudo", ("perudo",))


def test_a_game_that_the_sample_does_not_know_is_played_at_random(samples: Path, tmp_path: Path) -> None:
    made = make(tmp_path / "owl", "c", game("coch"))
    manifest = read_manifest(made.folder / "bot.toml")
    assert (manifest.command, manifest.games, manifest.build) == (("./bot", "random"), ("coch",), ("make",))
    assert made.game == "coch"


def test_the_protos_are_there() -> None:
    assert (protos_folder() / "referee/v1/play.proto").is_file()
    assert (protos_folder() / "vectors/vectors.json").is_file()
