"""What a page is told of a match, the values of the lines of a log, says no more than the lines."""

from typing import Any

import pytest

from arena.replay.replay import Replay
from referee.engine.events import visible
from referee.engine.game import Game
from tests.replay.replays import GAMES, stored


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_an_event_that_a_seat_may_know_holds_only_what_its_line_says(game: Game) -> None:
    for options in game.presets.values():
        film = Replay(stored(game, options=options))
        for seat in range(film.seats):
            numbers: dict[str, Any] = {}
            for number, *values in film.log:
                assert isinstance(number, int)
                if visible(game.lines, (number, *values), seat):
                    text = game.lines[number].text
                    assert len(values) == text.count("{}"), "a value that the line does not show"
                    assert numbers.setdefault(text, number) == number, (
                        "lines of the same words tell apart what is hidden"
                    )
