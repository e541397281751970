"""Cards and dice in lists, as pictures with words: the drawings of the tables, from their sheets."""

from collections.abc import Sequence
from string import Formatter
from typing import NamedTuple

from arena.language.message import arguments, id_of
from arena.language.messages import translate
from arena.replay.games import items, perudo, scopa
from arena.replay.phrases import choices, phrased
from arena.replay.readable import BID, Reader
from arena.replay.renderer import art
from arena.replay.scene import TableItem
from arena.server.files import address
from referee.engine.errors import EngineError
from referee.engine.registry import game as find_game

SKULL = "skull"
"""How moves call the first face of a die."""


BOARD = "board.svg"
"""The sheet of games with boards, whose moves name squares and no items."""

OF_ABRUZZO = ("cucu", "lustu")
"""The games whose packs have the pictures of Abruzzo."""


class Picture(NamedTuple):
    """An item as a list shows it."""

    kind: str
    """"card" or "die"."""
    corner: str
    """What stands on a card; empty on dice."""
    drawing: str
    """The address of its drawing."""
    is_figure: bool
    """Whether that is a picture in a box of 80 by 80; otherwise it is as large as the item."""
    sign: str
    """The address of the sign that a small card has; empty where it has none."""
    words: str
    """What it is, for those who do not see it."""


def picture(name: str, face: str) -> Picture | None:
    """Return a card or a die of a game; None where there is no drawing of it.

    name: of the game.
    face: as moves name it: C7, 12, skull.
    """
    sheets = art(name)
    if not sheets or sheets[-1] == BOARD:
        return None
    sheet = address(sheets[-1])

    def drawing(id: str) -> str:
        return f"{sheet}#art-{id}"

    try:
        item = _item(name, sheets[-1], face)
    except (KeyError, ValueError, IndexError):
        return None
    words = translate(item.name)
    if item.kind == "die":
        return Picture("die", "", drawing(f"die-{item.face}"), False, "", words)
    if item.tone == "number":
        return Picture("card", item.face, drawing(f"number-{item.face}"), False, drawing("egg"), item.face)
    if sheets[-1] == scopa.ART:
        return Picture("card", item.face[1:], drawing(item.face), False, drawing(item.tone), words)
    return Picture("card", item.face.replace("-", "−"), drawing(item.name), True, drawing(item.name), words)


def _item(name: str, sheet: str, face: str) -> TableItem:
    if sheet == perudo.ART:
        return perudo.die(1 if face == SKULL else int(face))
    return scopa.card(face) if sheet == scopa.ART else items.cuckoo_card(int(face), abruzzo=name in OF_ABRUZZO)


def move_parts(name: str, move: str) -> Sequence[str | Picture]:
    """Return a move as words and pictures, in order; the move itself where its game is not installed.

    name: of the game.
    """
    try:
        phrases = find_game(name).phrases
    except EngineError:
        return [move]
    reader, text = Reader(name), phrased(phrases, move)
    if not arguments(text):
        return [reader.of(text)]
    found: list[str | Picture] = []
    chosen = choices(phrases, move)
    for words, place, *_rest in Formatter().parse(reader.template(id_of(text)).replace(BID, "{0} × {1}")):
        found += [words] if words else []
        if place is not None:
            is_item, value = chosen[int(place)]
            found += [picture(name, face) or face for face in value.split()] if is_item else [value]
    return found


def pack(name: str) -> list[Picture]:
    """Return each card of the pack of a game once, or each side of its dice; none of a game without drawings.

    name: of the game.
    """
    sheets = art(name)
    if not sheets or sheets[-1] == BOARD:
        return []
    if sheets[-1] == perudo.ART:
        faces = [str(number) for number in range(1, len(perudo.WORDS))]
    elif sheets[-1] == scopa.ART:
        faces = [f"{suit}{value}" for suit in scopa.SUITS for value in range(1, 11)]
    else:
        faces = [str(number) for number in sorted(items.NAMES.keys() | set(range(1, 11)), reverse=True)]
    return [drawn for face in faces if (drawn := picture(name, face)) is not None]
