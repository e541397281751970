"""Matches of every game as the store returns them, for tests of replays."""

from functools import cache
from typing import Any

from arena.replay.replay import Replay
from arena.values.rows import OutputRow, StoredMatch, TournamentRow
from referee.engine import registry
from referee.engine.game import Game
from tests import played

OWN = ["cambio", "coch", "cucco", "cucu", "hypp", "kille", "lustu", "perudo", "scopa", "torionfo", "zifuli"]
GAMES = [registry.game(name) for name in OWN]
CLOCK = {"move_time_ms": 1, "bank_ms": 1}
"""A clock that makes random players, whose answers take 1.1 ms and more, use their time bank."""


def stored(game: Game, number: int = 0, *, seats: int | None = None, **how: Any) -> StoredMatch:
    """Return a match of random moves, with a note for every answer and output of every seat.

    how: further arguments of `played.match`.
    """
    seats = seats or game.recommended
    new = played.planned(played.tournament(game, bots=seats, options=how.get("options")), time=CLOCK)
    row = played.match(game, number, seats=seats, bots=seats, notes=True, micros=1100, **how)
    event = TournamentRow(
        key=1,
        id=1,
        game=new.game,
        options=new.options,
        behaviour=new.behaviour,
        definition_text=new.definition_text,
        definition_hash=new.definition_hash,
        secret=new.secret,
        secret_hash=new.secret_hash,
        seed=new.seed,
        versions=new.versions,
        entrants=new.entrants,
        first_match=1,
        matches=new.matches,
        created="2026-01-01T00:00:00+00:00",
        finished=None,
    )
    printed = {seat: OutputRow(0, seat, row.seats[seat].entrant, f"printed by seat {seat}\n") for seat in range(seats)}
    return StoredMatch(number + 1, event, row, frozenset(), printed)


@cache
def replay(game: Game) -> Replay:
    """Return the replay of one match of a game."""
    return Replay(stored(game))
