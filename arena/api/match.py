"""A match that was played, and its replay."""

from collections.abc import Sequence
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from arena.record import text
from arena.values.rows import StoredMatch
from arena.values.text_table import Column, TextTable, text_column
from referee.engine.registry import in_units

_FRAME_HEIGHT = 720
"""The height of a replay in a notebook, in pixels."""


class Match:
    """A match that was played. In a notebook it shows its result.

    id: its number in the database.
    tournament: the number of its tournament; None for a single match.
    game: the id of its game.
    players: the names of the bots, by seat.
    scores: the scores by seat, in the unit of the game.
    ranks: the ranks by seat; 1 is best, and equal seats share a rank.
    deal, rotation: its place in the schedule.
    seed: the match seed in hex, from which cards and dice follow.
    decisions: how many answers the bots gave, by seat.
    faults: the kinds of the faults in order, by seat: "illegal", "timeout" and others.
    """

    def __init__(self, stored: StoredMatch) -> None:
        """Wrap a stored match; `play` and `Results.matches` do."""
        row, self.game = stored.row, stored.event.game
        self.id = stored.id
        self.tournament = stored.tournament_id
        self.players = tuple(stored.players)
        self.scores = tuple(in_units(self.game, seat.score) for seat in row.seats)
        self.ranks = tuple(seat.rank for seat in row.seats)
        self.deal, self.rotation = row.deal, row.rotation
        self.seed = row.seed.hex()
        self.decisions = tuple(seat.decisions for seat in row.seats)
        self.faults = tuple(
            tuple(fault.kind for fault in row.faults if fault.seat == seat) for seat in range(len(row.seats))
        )
        self._stored = stored

    @property
    def replay(self) -> "Replay":
        """The replay of the match."""
        return Replay(self._stored)

    def __repr__(self) -> str:
        results = ", ".join(f"{name} {score:g}" for name, score in zip(self.players, self.scores, strict=True))
        return f"<Match {self.id}: {self.game}, {results}>"

    def _repr_html_(self) -> str:
        headers = ["rank", "score", "decisions"]
        shown = [Column("seat"), text_column("bot"), *map(Column, headers), text_column("faults")]
        columns: Sequence[Sequence[Any]] = (self.players, self.ranks, self.scores, self.decisions)
        lines = [
            [seat, *values, ", ".join(faults) or "-"]
            for seat, (*values, faults) in enumerate(zip(*columns, self.faults, strict=True))
        ]
        title = f"<p>Match {self.id}: {escape(self.game)}, deal {self.deal}, rotation {self.rotation}</p>"
        return title + TextTable(shown, lines).render("html")


class Replay:
    """The replay of a match. In a notebook it shows the table move by move; `str` of it is the log."""

    def __init__(self, stored: StoredMatch) -> None:
        """Replay a stored match; `Match.replay` does."""
        self._stored = stored

    def text(self, seat: int | None = None) -> str:
        """Return the log.

        seat: only what that seat could see; None: everything.

        Raises IndexError if there is no such seat.
        """
        from arena.record.match_log import log

        self._check_seat(seat)
        match = self._stored
        parts = text.heading(match, seat), [""], text.lines(log(match, seat)), [""], text.ending(match)
        return "\n".join(line for part in parts for line in part)

    def html(self, seat: int | None = None) -> str:
        """Return a page that shows the match move by move and needs nothing else, as `arena replay --html` writes it.

        seat: only what that seat knew; None: everything, and what each seat knew.

        Raises IndexError as `text`.
        """
        from arena.replay.document import page
        from arena.replay.replay import Replay as Frames

        self._check_seat(seat)
        perspectives = [None, *range(len(self._stored.row.seats))] if seat is None else [seat]
        return page(Frames(self._stored), perspectives)

    def save(self, file: str | PathLike[str], seat: int | None = None) -> None:
        """Write `html` to a file. Raises OSError where that is impossible."""
        Path(file).write_text(self.html(seat), "utf-8")

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Replay of match {self._stored.id}: {len(self._stored.row.times)} decisions>"

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {_FRAME_HEIGHT}px; border: 0"
        title = f"match {self._stored.id}"
        return f'<iframe srcdoc="{escape(self.html())}" style="{style}" title="{title}"></iframe>'

    def _check_seat(self, seat: int | None) -> None:
        seats = len(self._stored.row.seats)
        if seat is not None and not 0 <= seat < seats:
            raise IndexError(f"the match has the seats 0 to {seats - 1}, not {seat}")
