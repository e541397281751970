"""Stored matches as scenario files."""

from dataclasses import replace

import pytest

from arena.record.played_rules import steps
from arena.record.scenario_export import ScenarioExportError, scenario_text
from arena.values.rows import StoredMatch
from referee.engine.game import Game
from referee.engine.record import Say
from referee.engine.scenario import judge, parse
from tests.replay.replays import GAMES, stored


def ends(match: StoredMatch) -> list[int]:
    """Return how many answers are given after each question."""
    return [0, *(answered[-1].ply + 1 for _, answered in steps(match) if answered)]


def of_other_seed(game: Game) -> StoredMatch:
    """Return a match whose deal follows from no number after --seed."""
    match = stored(game, 5)
    return replace(match, event=replace(match.event, seed=None))


@pytest.mark.parametrize("game", [game for game in GAMES if game.name != "torionfo"], ids=lambda game: game.name)
def test_a_position_of_every_game_is_a_scenario_that_passes(game: Game) -> None:
    match = of_other_seed(game)
    every = ends(match)
    for answers in (0, every[len(every) // 2], every[-1]):
        text = scenario_text(match, answers)
        verdict = judge(text)
        assert verdict.word == "ok", (verdict.wrong, verdict.differences)
        assert len(parse(text).plays) == answers
        assert verdict.shows == f"Match 6, after {answers} answers."


def test_a_match_of_a_seed_is_dealt_by_it() -> None:
    match = stored(GAMES[0])
    text = scenario_text(match, ends(match)[-1])
    assert "\nseed = 1\n" in text
    assert "[chance]" not in text


def test_what_a_scenario_cannot_name_is_refused() -> None:
    (torionfo,) = (game for game in GAMES if game.name == "torionfo")
    match = of_other_seed(torionfo)
    assert judge(scenario_text(match, 3)).word == "ok"
    with pytest.raises(ScenarioExportError, match="torionfo draws what such files cannot name"):
        scenario_text(match, ends(match)[-1])


def test_talk_of_any_letters_is_kept() -> None:
    (cucu,) = (game for game in GAMES if game.name == "cucu")
    match = stored(cucu, options={"table_talk": "true"})
    says = (Say(next(answered for _, answered in steps(match) if answered)[0].seat, 0, 'I bluff \U0001f600 "\u00fc"'),)
    text = scenario_text(replace(match, row=replace(match.row, says=says)), 1)
    assert parse(text).plays[0].say == says[0].text
    assert judge(text).word == "ok"
