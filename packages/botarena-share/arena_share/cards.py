"""Pictures of rankings: the first bots of a tournament or a board, or an entry among its neighbours."""

from collections.abc import Iterator
from typing import NamedTuple

from arena.language.messages import gettext as _
from arena.league.results.board import BoardRow
from arena.ratings.elo_text import elo_text, rank_text
from arena.replay.picture import sheets
from arena.replay.picture.canvas import Canvas
from arena.replay.picture.picture import BAR, HEIGHT, WIDTH, bar, document
from arena.replay.picture.words import clean, fitted
from arena.server.leagues.cache import LeagueView
from arena.server.pages.faces import SIDE, face
from arena.server.tournaments.ranking_cache import CachedRanking
from arena.values.rows import TournamentRow

ROWS = 8
"""Bots of a ranking."""
NEIGHBOURS = 3
"""Entries on each side of the one that a picture is about."""
HIGH, WIDE = 64, 800
"""Of a row, and of the part of it before the Elo."""


class CardRow(NamedTuple):
    """A line of a ranking."""

    rank: str
    name: str
    elo: str
    is_marked: bool = False
    """Whether the picture is about it."""


class Card(NamedTuple):
    """A ranking, as its picture shows it."""

    title: str
    note: str
    """What stands at the right of the title."""
    rows: tuple[CardRow, ...]

    @property
    def words(self) -> str:
        """The ranking in one line, for those who do not see the picture."""
        return " · ".join(f"{row.rank}. {row.name} {row.elo}" for row in self.rows)


def tournament_card(tournament: TournamentRow, ranked: CachedRanking) -> Card:
    """Return the ranking of a tournament, in the language of the current request."""
    rows = [
        CardRow(rank_text(row.rank, row.separated), row.bot, _elo(row.elo, row.bound, row.ci95))
        for row in ranked.standings.table.rows[:ROWS]
    ]
    title = _("Tournament {0}: {1}", tournament.id, tournament.game)
    return Card(title, _("{0} matches", f"{ranked.count:,}"), tuple(rows))


def board_card(view: LeagueView) -> Card:
    """Return the first entries of a league, in the language of the current request."""
    return Card(_("League {0}", view.league.name), view.definition.game, tuple(_rows(view.active[:ROWS])))


def entry_card(view: LeagueView, row: BoardRow) -> Card:
    """Return an entry among its neighbours; by itself if it is not active any more."""
    active = view.active
    number = row.entry.number
    place = next((place for place, other in enumerate(active) if other.entry.number == number), None)
    near = [row] if place is None else active[max(0, place - NEIGHBOURS) : place + NEIGHBOURS + 1]
    title = _("{0} in {1}", clean(row.entry.name), view.league.name)
    return Card(title, view.definition.game, tuple(_rows(near, number)))


def _rows(rows: list[BoardRow], marked: int | None = None) -> Iterator[CardRow]:
    for row in rows:
        elo = _elo(row.elo, row.bound, row.ci95)
        yield CardRow(rank_text(row.rank, row.separated), row.entry.name, elo, row.entry.number == marked)


def _elo(elo: float | None, bound: str, ci95: float | None) -> str:
    return elo_text(elo, bound) if ci95 is None else f"{elo_text(elo, bound)} ± {ci95:.0f}"


def draw(card: Card) -> str:
    """Return the picture as SVG."""
    colours, canvas = sheets.colours(), Canvas()
    top = BAR + 20 + max(0, (HEIGHT - BAR - 40 - len(card.rows) * HIGH) / 2)
    for place, row in enumerate(card.rows):
        y = top + place * HIGH
        canvas.shape(
            "rect",
            x=60,
            y=y,
            width=WIDTH - 120,
            height=HIGH - 8,
            rx=10,
            fill="#000",
            fill_opacity=".3" if row.is_marked else ".17",
            stroke=colours["turn"] if row.is_marked else None,
            stroke_width=3 if row.is_marked else None,
        )
        canvas.text(130, y + 38, row.rank, 28, colours["felt-soft"], text_anchor="end")
        _face(canvas, row.name, 150, y + 8, 40)
        name = fitted(clean(row.name), 28, WIDE - 220, bold=True)
        canvas.text(206, y + 38, name, 28, colours["felt-ink"], font_weight="700")
        elo = fitted(row.elo, 28, WIDTH - 60 - WIDE)
        canvas.text(WIDTH - 84, y + 38, elo, 28, colours["felt-ink"], text_anchor="end")
    return document([bar(card.title, card.note), str(canvas)], "", f"{card.title}, {card.note}")


def _face(canvas: Canvas, name: str, x: float, y: float, size: float) -> None:
    drawn, scale = face(name), size / (SIDE + 2)
    canvas.shape("rect", x=x, y=y, width=size, height=size, rx=size / 5, fill=drawn.ground)
    canvas.shape("path", d=drawn.path, fill=drawn.ink, transform=f"translate({x:g} {y:g}) scale({scale:.4g})")
