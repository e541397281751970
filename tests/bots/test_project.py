import re
from pathlib import Path

import pytest

import sample_bots
from arena.bots.templates.project import ProjectError, languages, make, protos_folder
from arena.packs.errors import BadName
from referee.engine.registry import game, names


@pytest.mark.parametrize("name", names())
def test_a_python_project_for_every_game(tmp_path: Path, name: str) -> None:
    made = make(tmp_path / "my-Owl_2", "python", game(name))
    assert (made.name, made.game, made.manifest.games) == ("my-owl-2", name, (name,))
    files = {path.name: path.read_text() for path in made.folder.iterdir()}
    assert set(files) == {".gitignore", "README.md", "bot.toml", "main.py", "pyproject.toml", "test_main.py"}
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


OTHERS = [language for language in languages() if language != "python"]


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("language", OTHERS)
def test_a_project_in_any_language_for_every_game(tmp_path: Path, language: str, name: str) -> None:
    made = make(tmp_path / "owl", language, game(name))
    assert (made.game, made.manifest.games, made.manifest.language) == (name, (name,), language)
    files = {str(path.relative_to(made.folder)): path for path in made.folder.rglob("*") if path.is_file()}
    [edited] = [path for path in files if re.search(r"(^|/)(main\.\w+|bot\.c|bot\.sh|Main\.java)$", path)]
    text = files[edited].read_text()
    assert "Decide here." in text
    assert f"arena games {name} --view" in text
    readme = files["README.md"].read_text()
    assert f"`{edited}`" in readme
    assert len({line.index("  # ") for line in readme.splitlines() if "  # " in line}) == 1, "comments are in line"
    uses_protos = made.manifest.protocol == "grpc"
    assert (game(name).message.partition(":")[2] in text) == uses_protos
    assert ("protos/vectors/vectors.json" in files) == uses_protos
    messages = {"protos", "v1"}
    players = {path for path in map(Path, files) if path.stem.lower() in names() and messages.isdisjoint(path.parts)}
    assert not players
    assert not any(word in path.read_text() for path in files.values() for word in ("../../protos", "sample_bots"))
    assert all(path.stat().st_mode & 0o100 for file, path in files.items() if file in ("build.sh", "bot.sh"))


def test_a_game_without_a_proto_of_ours_is_refused_where_the_build_needs_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cambio = game("cambio")
    monkeypatch.setattr(type(cambio), "message", "elsewhere.v1.whist_pb2:WhistView")
    with pytest.raises(ProjectError, match="not among arena's protos.* in go .*choose --lang python, c or shell"):
        make(tmp_path / "owl", "go", cambio)
    assert not (tmp_path / "owl").exists()
    assert make(tmp_path / "owl", "c", cambio).manifest.games == ("cambio",)


def test_the_protos_are_there() -> None:
    assert (protos_folder() / "referee/v1/play.proto").is_file()
    assert (protos_folder() / "vectors/vectors.json").is_file()


def test_a_bot_that_asks_a_language_model_is_told_of_its_game_and_name(tmp_path: Path) -> None:
    readme = (make(tmp_path / "parrot", "llm", game("perudo")).folder / "README.md").read_text()
    assert "arena match --game perudo ./parrot random random --grant parrot=network" in readme
    assert "cambio" not in readme
    assert "owl" not in readme


@pytest.mark.parametrize("sample", sample_bots.SAMPLES)
def test_a_project_that_begins_with_a_sample_bot(tmp_path: Path, sample: str) -> None:
    made = make(tmp_path / "owl", "python", None, sample)
    begun = sample_bots.SAMPLES[sample]
    assert made.game == (begun.games or ("cambio",))[0]
    assert made.manifest.games == (begun.games or ("cambio",))
    source = begun.path.read_text()
    assert f'    name = "{sample}"\n' in source
    assert (made.folder / "main.py").read_text() == source.replace(f'    name = "{sample}"', '    name = "owl"')


@pytest.mark.parametrize(
    ("sample", "sentence"),
    [
        ("contre", 'there is no sample bot "contre"; did you mean "counter"?'),
        ("go", "the sample bot go is copied by --lang go"),
        ("actuary", "the sample bot actuary plays perudo, not cambio"),
    ],
)
def test_a_sample_bot_that_does_not_fit_is_refused(tmp_path: Path, sample: str, sentence: str) -> None:
    with pytest.raises(ProjectError, match=re.escape(sentence)):
        make(tmp_path / "owl", "python", game("cambio"), sample)
    assert not (tmp_path / "owl").exists()
