"""The frames of a seat depend only on what the seat knew: twin matches differ in hidden cards or dice alone.

In a twin of a match one answer of chance is changed. As long as a seat's log is the same in both, its frames must be
the same: equally many, divided at the same lines, with the same tables and scores, those after the events between two
questions included. Beyond the first difference of the logs nothing is compared.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from arena.replay.replay import Replay
from arena.testing.case_chance import CaseChance, random_change
from arena.values.rows import StoredMatch
from referee.engine.game import Game, State
from referee.engine.record import Step
from tests.replay.replays import GAMES, stored

TWINS = 10
"""The number of twins played of each game, over all its presets."""
MANY_TWINS = 40
PLIES = 80


class Film(Replay):
    """The replay of a twin, which is not stored: each seat repeats its recorded moves while they are legal."""

    def __init__(
        self,
        match: StoredMatch,
        game: Game,
        dealer: CaseChance,
        moves: list[tuple[int, str]],
        options: Mapping[str, Any],
    ) -> None:
        self.dealer = dealer
        self.options = game.options.parse(options)
        self.moves = {seat: [move for mover, move in moves if mover == seat] for seat in range(len(match.row.seats))}
        self.game = game
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("arena.replay.positions.steps", self.played)
            super().__init__(match)

    def played(self, match: StoredMatch) -> Iterator[tuple[State, list[Step]]]:
        state = self.game.start(self.options, len(match.row.seats), self.dealer)
        yield state, []
        ply = 0
        while state.asked and ply < PLIES:
            given = []
            for seat in state.asked:
                legal = state.legal(seat)
                move = self.moves[seat].pop(0) if self.moves[seat] else ""
                given.append(Step(ply, seat, legal, move if move in legal else state.default(seat), len(state.events)))
                ply += 1
            state.apply([step.move for step in given])
            yield state, given


SeatLog = list[tuple[int, str, str]]


def seat_log(film: Replay, seat: int, other: SeatLog | None = None) -> tuple[SeatLog, list[tuple[int, object]]]:
    """Return the events and answers of a seat in order, and its frames, each with the length of the log before it.

    other: the log of another replay; what follows the first difference to it is left out.
    """
    heard: SeatLog = []
    frames: list[tuple[int, object]] = []
    for number, frame in enumerate(film.frames(seat)):
        heard += [(0, line, "") for line in frame.events]
        if other is not None and heard != other[: len(heard)]:
            break
        scores = film.positions[frame.position].state.outcome().scores
        shown = film.event_frames(number, seat), scores, frame.asked, [answer.legal for answer in frame.answers]
        frames.append((len(heard), shown))
        heard += [(1, answer.move, "") for answer in frame.answers]
    return heard, frames


@pytest.mark.parametrize("twins", [TWINS, pytest.param(MANY_TWINS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_frames_depend_only_on_what_the_seat_knew(game: Game, twins: int) -> None:
    if not game.chance:
        pytest.skip("nothing is hidden by chance")
    rng = Random(5)
    compared = 0
    for number, options in enumerate(game.presets.values()):
        match = stored(game, number, options={name: _text(value) for name, value in options.items()})
        film = Replay(match)
        moves = [(answer.seat, answer.move) for frame in film.frames() for answer in frame.answers]
        dealer = CaseChance(match.row.seed)
        original = Film(match, game, dealer, moves, options)
        stories = {seat: seat_log(original, seat) for seat in rng.sample(range(film.seats), 2)}
        for change in (
            random_change(request, rng) for request in rng.choices(dealer.requests, k=1 + twins // len(game.presets))
        ):
            if change is not None:
                twin = Film(match, game, CaseChance(match.row.seed, change=change), moves, options)
                compared += sum(compare(story, seat_log(twin, seat, story[0])) for seat, story in stories.items())
    assert compared > 20


def _text(value: bool | int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def compare(one: tuple[SeatLog, list[tuple[int, object]]], other: tuple[SeatLog, list[tuple[int, object]]]) -> int:
    """Compare the frames of two logs up to their first difference; return the number of frames compared."""
    parted = next(
        (n for n, (a, b) in enumerate(zip(one[0], other[0], strict=False)) if a != b), min(len(one[0]), len(other[0]))
    )
    mine, theirs = ([frame for frame in frames if frame[0] < parted] for _, frames in (one, other))
    for (at, shown), (there, seen) in zip(mine, theirs, strict=True):
        assert at == there, f"the frames are cut at lines {at} and {there}, though the log is the same to line {parted}"
        assert shown == seen
    return len(mine)
