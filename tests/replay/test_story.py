"""The stories of matches: who won, since when they led, and moments that the log has."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from arena.language.message import Message, id_of, parts
from arena.language.messages import catalogue
from arena.replay.cursor import Cursor
from arena.replay.json_values import replay_values
from arena.replay.replay import Replay
from arena.replay.story import MOST, story, story_lines, story_of
from referee.engine import registry
from referee.engine.game import Game
from tests.replay.replays import GAMES, replay, stored


def presets() -> Iterator[Any]:
    for game in GAMES:
        for name, options in game.presets.items():
            yield pytest.param(game, options, id=f"{game.name}-{name}")


def untranslated(text: Any) -> Iterator[str]:
    message, *values = text if isinstance(text, list) else [text]
    words = catalogue("ko")
    is_known = message in words or f"value\x04{message}" in words
    if isinstance(text, list) and re.search("[a-z]{2}", re.sub(r"\{\d\}", "", message)) and not is_known:
        yield message
    for value in values:
        if isinstance(value, list):
            yield from untranslated(value)


@pytest.mark.parametrize(("game", "options"), list(presets()))
@pytest.mark.parametrize("seat", [None, 0])
def test_a_story_names_the_winners_and_moments_that_the_log_has(
    game: Game, options: dict[str, Any], seat: int | None
) -> None:
    film = Replay(stored(game, options=options))
    told = story_of(film, seat)
    assert told.winners == tuple(number for number, row in enumerate(film.match.row.seats) if row.rank == 1)
    assert 1 <= len(told.moments) <= MOST
    places = [(moment.frame, moment.event or 10**6) for moment in told.moments]
    assert places == sorted(places)
    for moment in told.moments:
        events = film.event_frames(moment.frame, seat)
        assert moment.event is None or 1 <= moment.event < len(events)
        assert moment.where in {played["name"] for played in _rounds(film, seat)}
    texts = [told.title, told.by, told.since, told.label, *(moment.text for moment in told.moments)]
    assert [part for text in texts for part in untranslated(parts(text))] == []
    assert sum(moment.decisive for moment in told.moments) <= 1
    assert max(len(line) for line in story_lines(told)) < 400


def _rounds(film: Replay, seat: int | None) -> list[dict[str, Any]]:
    from arena.replay.json_values import round_values

    return round_values(film, seat)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_after_the_decisive_moment_nobody_else_is_in_front(game: Game) -> None:
    seen = 0
    for number in range(6):
        film = Replay(stored(game, number))
        told = story_of(film)
        decisive = [moment.frame for moment in told.moments if moment.decisive]
        scores = film.scores() if told.label == game.unit else list(told.line)
        for frame in decisive:
            before = [values for at, values in scores if at < frame][-1]
            after = [values for at, values in scores if at >= frame]
            assert _front(before) != set(told.winners)
            assert all(_front(values) == set(told.winners) for values in after)
            seen += 1
    assert seen


def _front(values: tuple[float, ...]) -> set[int]:
    return {seat for seat, value in enumerate(values) if value == max(values)}


KINDS = {
    "cambio": "{0} is the last one left and wins the set: {1} {2}",
    "cucco": "{0} is the last one left and wins the set: {1} {2}",
    "cucu": "{0} loses the last token",
    "lustu": "{0} alone has tokens left and wins the pool of {1}",
    "perudo": "{0}: {1} is out",
    "scopa": "{0} gains most in the deal, {1} points, and has {2}",
    "coch": "{0} win the deal by {1} points to {2}",
    "torionfo": "the deal goes to {0} by {1} points to {2}",
    "kille": "{0} wins the last trick, the one that counts, with the {1}: a point",
    "hypp": "{0} deals and takes {1} chips from the others",
    "zifuli": "boss and secret partner, {0}, lose by {1} points to {2}",
}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_each_game_names_its_own_events(game: Game) -> None:
    ids: set[str] = set()
    for number in range(4):
        for moment in story_of(Replay(stored(game, number))).moments:
            text: Any = moment.text
            ids |= {id_of(text), *(id_of(part) for part in getattr(text, "args", ()) if isinstance(part, Message))}
    assert KINDS[game.name] in ids


def test_a_game_that_declares_nothing_is_told_by_its_score_and_its_eliminations() -> None:
    film = replay(registry.game("perudo"))
    told = story(film, None, None)
    assert told.title.endswith("wins the match")
    assert any(moment.decisive for moment in told.moments)
    assert any("is out" in moment.text for moment in told.moments)
    hypp = story(replay(registry.game("hypp")), None, None)
    assert any("takes the lead, " in moment.text for moment in hypp.moments)
    assert hypp.moments[-1].text.startswith("the match is over")


def test_a_forfeit_is_told() -> None:
    game = registry.game("kille")
    film = Replay(stored(game, faults={0: "timeout", 5: "timeout", 10: "timeout", 15: "timeout", 20: "timeout"}))
    forfeits = [fault.seat for fault in film.match.row.faults if fault.forfeit]
    texts = [moment.text for moment in story_of(film).moments]
    assert [f"{film.match.players[seat]} forfeits the match" in text for seat in forfeits for text in texts].count(
        True
    ) == len(forfeits)


def test_the_keys_of_a_viewer_walk_through_the_moments() -> None:
    film = replay(registry.game("cambio"))
    cursor = Cursor(film)
    frames = []
    while moment := cursor.jump_to_moment(1):
        frames.append((cursor.number, moment.text))
    assert frames == [(moment.frame, moment.text) for moment in story_of(film).moments]
    back = []
    while moment := cursor.jump_to_moment(-1):
        back.append(moment.text)
    assert back == [moment.text for moment in reversed(story_of(film).moments[:-1])]


def test_the_story_comes_with_all_frames_and_not_with_a_part() -> None:
    film = replay(registry.game("cambio"))
    assert replay_values(film)["story"]["title"] == story_of(film).title
    assert replay_values(film, None, 0, 8)["story"] is None
    names = replace(film.match).players
    assert set(replay_values(film)["story"]["winners"]) <= set(range(len(names)))
