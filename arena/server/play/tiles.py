"""The games that people can play, each as a tile: its cards, how many play, and how long it takes."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.server.pages.items import Picture, picture
from arena.values.tables import player_counts
from referee.engine.game import Game

SHOWN = {
    "cambio": ("15", "-4"),
    "coch": ("-3", "15", "7"),
    "cucco": ("15", "12"),
    "cucu": ("14", "12", "-4"),
    "hypp": ("13", "6"),
    "kille": ("12", "-2", "5"),
    "lustu": ("11", "12"),
    "perudo": ("5", "skull", "5", "2"),
    "scopa": ("C7", "U10", "S4"),
    "torionfo": ("9", "-1", "14"),
    "zifuli": ("13", "0", "10"),
}
"""Cards and dice of our games."""

MINUTES = {
    "cambio": 6,
    "coch": 1,
    "cucco": 3,
    "cucu": 2,
    "hypp": 1,
    "kille": 2,
    "lustu": 2,
    "perudo": 12,
    "scopa": 7,
    "torionfo": 3,
    "zifuli": 8,
}
"""How long a match at a table of the usual size takes somebody who plays against bots, in minutes: about seven seconds
for each question that a seat is asked between strong sample bots, their moves in between included.
"""


class GameTile(NamedTuple):
    """A game that can be played."""

    name: str
    title: str
    """What is played."""
    players: str
    minutes: int | None
    """None where it is not known."""
    items: Sequence[Picture]


def tile(game: Game) -> GameTile:
    """Return the tile of a game."""
    shown = [drawn for face in SHOWN.get(game.name, ()) if (drawn := picture(game.name, face)) is not None]
    return GameTile(game.name, game.title, player_counts(game), MINUTES.get(game.name), shown)
