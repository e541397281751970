"""`--tie-break` and `--same-author`: declared before the start, shown, and refused where they make no sense."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)


def tourney(*words: str) -> Result:
    return CliRunner().invoke(main, ["tourney", *words], prog_name="arena", catch_exceptions=False)


CAMBIO = ["--game", "cambio", "-o", "chips=2", "--move-time", "0", "--seats", "2", "--rounds", "2"]


def bots(*authors: str) -> str:
    """Make a bot of each author; return what --bots takes."""
    for number, author in enumerate(authors):
        folder = Path(f"bot{number}")
        folder.mkdir()
        (folder / "bot.toml").write_text(f'language = "python"\ncommand = ["python", "x.py"]\nauthor = "{author}"\n')
        (folder / "x.py").write_text("")
    return ",".join(f"./bot{number}" for number in range(len(authors)))


def test_rules_for_ties_are_hashed_shown_and_used() -> None:
    played = tourney(
        *CAMBIO, "--bots", "random,random", "--seed", "3", "--tie-break", "direct,score,seed", "--block", "7", "--json"
    )
    assert played.exit_code == 0
    assert sorted(bot for place in json.loads(played.stdout)["placing"] for bot in place) == ["random", "random#2"]
    assert "tie_break: direct score seed" in tourney("show").stdout
    event = tourney("show", "--toml").stdout
    assert 'tie_break = ["direct", "score", "seed"]' in event
    assert "block = 7" in event
    ranking = CliRunner().invoke(main, ["ranking"], catch_exceptions=False)
    assert "Placing: 1 random" in ranking.stdout
    assert tourney("verify").exit_code == 0


def test_the_plan_tells_both() -> None:
    field = bots("club", "club", "lab", "lab")
    words = [*CAMBIO, "--bots", field, "--dry-run", "--same-author", "apart", "--tie-break", "wins,lot"]
    shown = tourney(*words)
    assert shown.exit_code == 0
    assert "tie-breaks: wins, then lot" in shown.stdout
    assert "bots of one author never share a table" in shown.stdout
    plan = json.loads(tourney(*words, "--rounds", "4", "--json").stdout)
    met = plan["meetings"]
    assert met[0][1] == met[2][3] == 0
    assert {met[one][other] for one in (0, 1) for other in (2, 3)} == {4}


def test_what_cannot_be_is_a_sentence() -> None:
    field = bots("club", "club", "lab")
    for words, sentence in (
        (["--tie-break", "wins,coin"], 'it must be one of direct, strength, wins, score, seed, lot, not "coin"'),
        (["--same-author", "apart", "--seats", "3"], "club has 2 of the 3 bots, and at tables of 3 only 1"),
        (["--same-author", "apart", "--schedule", "knockout"], "the pairings of a knockout are fixed"),
    ):
        result = tourney(*CAMBIO, "--bots", field, *words)
        assert result.exit_code == 2
        assert sentence in result.stderr


def test_the_field_of_a_knockout_or_a_ladder_may_stand_as_an_earlier_ranking() -> None:
    first = tourney(*CAMBIO, "--bots", "random,cautious", "--seed", "3", "--rounds", "12", "--json")
    assert first.exit_code == 0
    ranking = [row["bot"] for row in json.loads(first.stdout)["ranking"]]
    words = [*CAMBIO, "--bots", "counter,random,cautious", "--dry-run", "--json", "--order-of", "1"]
    assert json.loads(tourney(*words, "--schedule", "knockout").stdout)["bots"] == [*ranking, "counter"]
    assert json.loads(tourney(*words, "--schedule", "ladder").stdout)["bots"] == ["counter", *ranking]
    for more, sentence in (
        ([], "a round-robin ignores the order of the field"),
        (["--schedule", "ladder", "--bots", "random"], ""),
        (["--schedule", "knockout", "--order-of", "9"], "no tournament 9"),
    ):
        result = tourney(*words, *more)
        assert result.exit_code == (2 if sentence else 0)
        assert sentence in result.stderr
    alone = tourney(*CAMBIO, "--bots", "random,cautious", "--schedule", "ladder", "--order-of", "1")
    assert alone.exit_code == 2
    assert "all bots of the field took part in tournament 1" in alone.stderr
