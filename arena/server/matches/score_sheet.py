"""The score sheet of a match: result, rounds and log as text, for browsers without JavaScript and for print."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.language.messages import translate
from arena.replay.readable import reader_of
from arena.replay.replay import Replay
from arena.replay.rounds import Round, rounds
from arena.server.pages.numbers import rank_words
from arena.server.templates import TEMPLATES
from referee.engine.registry import in_units


class _Told(NamedTuple):
    """A line of the log as the sheet shows it."""

    pieces: list[str | int]
    """Its words, and the seats of which it tells."""
    begins: bool
    """Whether a round begins with it."""


def show(replay: Replay, seat: int | None) -> str:
    """Return the page.

    replay: the match without what the visitor may not see.
    seat: whose knowledge is told; None: all.
    """
    match, game = replay.match, replay.match.event.game
    results = [
        (place, name, held) for place, (name, held) in enumerate(zip(match.players, match.row.seats, strict=True))
    ]
    played = rounds(replay, seat)
    return TEMPLATES.page(
        "matches/score_sheet.html",
        translated=True,
        match=match.id,
        game=game,
        deal=match.row.deal,
        rotation=match.row.rotation,
        seat=seat,
        players=match.players,
        results=[
            (place, name, rank_words(held.rank), f"{in_units(game, held.score):g}", held.rank == 1)
            for place, name, held in sorted(results, key=lambda result: (result[2].rank, result[0]))
        ],
        rounds=list(_rows(game, played)) if any(each.gains is not None for each in played) else [],
        lines=list(_lines(replay, seat)),
    )


def _rows(game: str, played: Sequence[Round]) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of each round, and what each seat won or lost in it, as text."""
    for each in played:
        if each.gains is not None:
            yield translate(each.name), [f"{in_units(game, gain):+g}" if gain else "0" for gain in each.gains]


def _lines(replay: Replay, seat: int | None) -> Iterator[tuple[int, list[_Told]]]:
    """Yield the number of each frame with events, and these."""
    reader = reader_of(replay.match)
    for number, frame in enumerate(replay.frames(seat)):
        if frame.events:
            yield number, [_Told(reader.pieces(line), bool(line.kind.begins)) for line in frame.events]
