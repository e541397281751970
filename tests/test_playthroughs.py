"""The playthroughs that are kept are those that the rules give."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.testing.playthrough import StalePlaythrough, check_playthroughs, main, playthrough
from referee.engine.registry import game, names

KEPT = Path(__file__).parent / "playthroughs"


SHARED = {
    "cambio": {"overtime", "two_cuckoos"},
    "cucu": {"syndicates"},
    "lustu": {"syndicates"},
    "scopa": {"alone"},
}
"""The presets in which nothing happens otherwise than in `default`, in a match of random moves: they share its file."""


@pytest.mark.parametrize("name", names())
def test_every_preset_has_its_playthrough(name: str) -> None:
    check_playthroughs(game(name), KEPT)
    kept = {path.stem for path in (KEPT / name).iterdir()}
    assert set(game(name).presets) - kept == SHARED.get(name, set())


def test_there_is_none_of_no_game() -> None:
    assert {folder.name for folder in KEPT.iterdir()} == set(names())


def test_it_shows_questions_views_the_log_and_the_end() -> None:
    lines = playthrough(game("cambio"), "short").splitlines()
    assert lines[0].startswith("cambio, short: ")
    assert lines[1] == "6 seats, --seed 1, behaviour 1"
    assert "    seat 0? keep, [exchange]" in lines or "    seat 0? [keep], exchange" in lines
    assert any(line.startswith("        card = ") for line in lines)
    assert "set 1 begins" in lines
    assert [line.split()[0] for line in lines[-5:]] == ["scores", "ranks", "answers", "log", "questions"]


def test_a_change_is_told_with_its_line(tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["hypp", "--write", str(tmp_path)]).exit_code == 0
    check_playthroughs(game("hypp"), tmp_path)
    path = tmp_path / "hypp" / "default.txt"
    whole = path.read_text()
    path.write_text(whole.replace(whole.splitlines()[4], "seat 9 wins the lottery", 1))
    with pytest.raises(StalePlaythrough, match=r"default.txt differs from line 5 on. .* raise the behaviour of hypp"):
        check_playthroughs(game("hypp"), tmp_path)
    path.write_text(whole + "and more\n")
    with pytest.raises(StalePlaythrough, match="differs from line"):
        check_playthroughs(game("hypp"), tmp_path)


def test_missing_and_strange_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(StalePlaythrough, match="there is no playthrough"):
        check_playthroughs(game("hypp"), tmp_path)
    (tmp_path / "hypp").mkdir()
    (tmp_path / "hypp" / "chess.txt").touch()
    with pytest.raises(StalePlaythrough, match="playthroughs of no preset, or of one that plays as the first: chess"):
        check_playthroughs(game("hypp"), tmp_path)


def test_a_preset_that_plays_as_the_default_has_no_file(tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["scopa", "--write", str(tmp_path)]).exit_code == 0
    (tmp_path / "scopa" / "alone.txt").write_text(playthrough(game("scopa"), "alone"))
    with pytest.raises(StalePlaythrough, match="of one that plays as the first: alone; rewrite them"):
        check_playthroughs(game("scopa"), tmp_path)


def test_the_command_checks_and_explains_itself(tmp_path: Path) -> None:
    run = CliRunner().invoke
    assert run(main, ["--check", str(KEPT), "coch"]).exit_code == 0
    failed = run(main, ["--check", str(tmp_path), "coch"])
    assert failed.exit_code == 1
    assert "rewrite them: python -m arena.testing.playthrough --write" in failed.output
    assert run(main, []).exit_code == 2
