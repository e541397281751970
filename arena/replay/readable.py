"""Texts of a game as people read them: cards by their names, bids in words, seats by the bots that hold them.

Rules, records, bots and JSON name cards by codes (C7, -3), bids as 4x5 and players by their seats. What people read is
made of the same messages, here and on pages by `words.js`, with the tables of the game: `cards` of the lines of its
log, its phrases, and `CARD_NAMES` and `READ_AS` of its renderer; those of `items` hold for the cuckoo pack.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from typing import Any, TypeAlias

from arena.language.languages import LANGUAGE
from arena.language.message import Message, arguments, id_of, parts
from arena.language.messages import CONTEXT, catalogue, numbered
from arena.record.match_log import Entry, LogDecision, LogEvent
from arena.record.played_rules import rules
from arena.replay.games.items import CARD_NAMES, CARDS_IN, READ_AS
from arena.replay.log_lines import OfSeat, log_line
from arena.replay.phrases import card_places, phrased
from arena.replay.renderer import game_module
from arena.replay.story import named
from arena.values.rows import StoredMatch
from referee.engine.errors import EngineError
from referee.engine.game import Game
from referee.engine.registry import game as find_game

SEAT, SEATS, TEAM = "seat {0}", "seats {0} and {1}", "team {0}"
"""How texts speak of players, in every language: a test holds the translations to it."""

BID = "{0}x{1}"
"""A number of dice and their face."""

LIST_OF_SEATS = "{0} and {1}"
_TEAM = 4
"""The group of the pattern of seats that is a team."""

FACES = ("skull", "1", "2", "3", "4", "5", "6")
MANY = ("{0} skulls", "{0} ones", "{0} twos", "{0} threes", "{0} fours", "{0} fives", "{0} sixes")
ONE = ("{0} skull", "{0} one", "{0} two", "{0} three", "{0} four", "{0} five", "{0} six")
"""A number of dice with each of these faces in words."""

LIST = "{0}, {1}"
_SEVERAL = re.compile(r"\{0\}( \{\d\})+")
_PLACE = r"(\{\d\}|\d+)"


@dataclass(frozen=True, slots=True)
class Codes:
    """The tables by which the texts of a game are read."""

    cards: Mapping[str, tuple[int, ...]]
    """By the id of a message the arguments that are cards, each one or several."""
    names: Mapping[str, str]
    """The names of cards by their codes, as messages."""
    words: Mapping[str, str]
    """By the id of a message how it is read in English, where that differs."""
    dice: Mapping[str, str]
    """How bids are read, by their code, as 1x5, or without their number: x5."""

    def to_json(self, teams: Sequence[int]) -> dict[str, Any]:
        """Return the tables for pages.

        teams: the team of each seat.
        """
        return {
            "cards": {id: list(places) for id, places in self.cards.items()},
            "names": {code: parts(name) for code, name in self.names.items()},
            "words": dict(self.words),
            "dice": dict(self.dice),
            "teams": list(teams),
        }


Read: TypeAlias = Callable[[str], str]
"""Returns a text of a game as people read it; `str` leaves its codes."""

BIDS = {
    f"{number}x{face}": text
    for number, texts in (("", MANY), ("1", ONE))
    for face, text in zip(FACES, texts, strict=True)
}
NO_CODES = Codes({}, {}, {}, {})


@cache
def codes_of(game: Game) -> Codes:
    """Return the tables of a game; empty ones for a game without a renderer."""
    table = game_module(game)
    if table is None:
        return NO_CODES
    lines = {numbered(line.text): (line.cards,) for line in game.lines if line.cards is not None}
    return Codes(
        {**CARDS_IN, **card_places(game.phrases), **lines},
        getattr(table, "CARD_NAMES", CARD_NAMES),
        {**READ_AS, **getattr(table, "READ_AS", {})},
        BIDS if any("{number}x{face}" in phrase for phrase in game.phrases) else {},
    )


def codes_json(game: Game, teams: Sequence[int] = ()) -> str:
    """Return the tables of a game for a page, as JSON.

    teams: the team of each seat, by which texts that name teams are read.
    """
    return json.dumps(codes_of(game).to_json(teams), ensure_ascii=False, separators=(",", ":"))


def game_codes(name: str) -> str | None:
    """Return the tables for a page with matches of a game; None for a game that cannot be loaded."""
    try:
        return codes_json(find_game(name))
    except EngineError:
        return None


def match_codes(match: StoredMatch) -> str:
    """Return the tables for the page of a match."""
    game, options = rules(match)
    return codes_json(game, game.teams(options, len(match.players)))


class Reader:
    """Makes the texts of a match as people read them, in the language of the current request.

    game: its name.
    players: the names of the bots by seat.
    teams: the team of each seat.
    """

    def __init__(self, game: str, players: Sequence[str] = (), teams: Sequence[int] = ()) -> None:
        self._game = game
        self.names = [str(name) for name in named(tuple(players))]
        """The names of the seats, each with its seat where several bots share it."""
        self._teams = teams
        self._codes = codes_of(find_game(game))
        self._catalogue = catalogue(LANGUAGE.get())
        forms = "|".join(_pattern(self.template(id)) for id in (SEATS, SEAT, TEAM))
        self._seats = re.compile(forms)

    def of(self, text: str) -> str:
        """Return a text."""
        return "".join([piece if isinstance(piece, str) else self.names[piece] for piece in self.pieces(text)])

    def pieces(self, text: str) -> list[str | int]:
        """Return a text as its words and the seats of which it speaks, in order."""
        id, values = id_of(text), arguments(text)
        template = self.template(id)
        if isinstance(text, OfSeat):
            # What is said of a seat begins with it in every language; as in English where there is no translation.
            place = self.template(SEAT) if template.startswith(self.template(SEAT)) else SEAT
            template = template.removeprefix(place).lstrip(" :：")
        if not values:
            return [template]
        if _SEVERAL.fullmatch(id):
            return [self._listed([self._argument(value) for value in values])]
        if id == BID:
            return [self._bid(*values)]
        cards = self._codes.cards.get(id, ())
        shown = [self._cards(value) if place in cards else self._argument(value) for place, value in enumerate(values)]
        if BID in template:
            template, shown = template.replace(BID, "{2}"), [*shown, self._bid(*values)]
        found: list[str | int] = []
        end = 0
        for match in self._seats.finditer(template):
            seats = [self._number(place, values) for place in match.groups() if place]
            if not all(isinstance(seat, int) and seat < len(self.names) for seat in seats):
                continue
            found.append(template[end : match.start()].format(*shown))
            found += self._joined(match.lastindex, seats)
            end = match.end()
        return [piece for piece in (*found, template[end:].format(*shown)) if piece != ""]

    def _joined(self, group: int | None, seats: Sequence[int]) -> list[str | int]:
        """Return seats with words between: two of them, one, or those of a team."""
        if group == _TEAM:
            seats = [seat for seat, team in enumerate(self._teams) if team == seats[0]]
        before, between, after = self.template(LIST_OF_SEATS).replace("{1}", "{0}").split("{0}")
        pieces: list[str | int] = [before] if before else []
        for number, seat in enumerate(seats):
            pieces += [between, seat] if number else [seat]
        return [*pieces, after] if after else pieces

    @staticmethod
    def _number(place: str, values: Sequence[Any]) -> Any:
        return values[int(place[1])] if place.startswith("{") else int(place)

    def template(self, id: str) -> str:
        """Return the text of a message with the places of its arguments."""
        known = self._catalogue.get(f"{self._game}{CONTEXT}{id}") or self._catalogue.get(id)
        return known or self._codes.words.get(id, id)

    def _argument(self, value: object) -> str:
        if not isinstance(value, Message):
            return str(value)
        return (not value.args and self._catalogue.get(f"value{CONTEXT}{value.id}")) or self.of(value)

    def _cards(self, value: object) -> str:
        return self._listed([self._card(code) for code in str(value).split()])

    def _card(self, code: str) -> str:
        name = self._codes.names.get(code)
        return code if name is None else self.of(name)

    def _listed(self, words: Sequence[str]) -> str:
        return reduce(self.template(LIST).format, words) if words else ""

    def _bid(self, number: object, face: object) -> str:
        text = self._codes.dice.get(f"{number}x{face}") or self._codes.dice.get(f"x{face}", BID)
        return self.template(text).format(number, face)


def reader_of(match: StoredMatch) -> Reader:
    """Return the reader of a stored match."""
    game, options = rules(match)
    return Reader(match.event.game, match.players, game.teams(options, len(match.players)))


def log_in_words(match: StoredMatch, entries: Iterable[Entry], reader: Reader) -> Iterator[Entry]:
    """Yield the entries of the log of a match as people read them; the legal moves stay as bots answer them."""
    game, _ = rules(match)
    for entry in entries:
        match entry:
            case LogEvent():
                yield replace(entry, text=reader.of(log_line(game.lines, entry.event)))
            case LogDecision():
                yield replace(entry, words=reader.of(phrased(game.phrases, entry.move)))
            case _:
                yield entry


def in_words(match: StoredMatch, move: str) -> str:
    """Return a move of a stored match as people read it."""
    return reader_of(match).of(phrased(rules(match).game.phrases, move))


def _pattern(text: str) -> str:
    """Return the pattern of a text in which numbers or their places stand for {0} and {1}."""
    return _PLACE.join(map(re.escape, re.split(r"\{\d\}", text)))
