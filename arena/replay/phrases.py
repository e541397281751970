"""Moves as messages, by the phrases that a game declares for those with choices in them (`Game.phrases`)."""

from functools import lru_cache
from string import Formatter

from arena.language.message import Message
from arena.language.messages import numbered
from arena.replay.log_lines import in_words

CARD, NUMBER, FACE = "card", "number", "face"
REST = ("cards", "faces")
"""The choices that take the rest of a move: several words."""


@lru_cache(8192)
def phrased(phrases: tuple[str, ...], move: str) -> str:
    """Return a move as a message; the move itself where it fits no phrase."""
    fitting = _fitting(phrases, move)
    if fitting is None:
        return move
    phrase, choices = fitting
    return Message(message_id(phrase), *(_argument(kind, text) for kind, text in choices))


@lru_cache(8192)
def card_of(phrases: tuple[str, ...], move: str) -> str | None:
    """Return the card of the hand that a move names; None if it names none."""
    fitting = _fitting(phrases, move)
    return None if fitting is None else dict(fitting[1]).get(CARD)


@lru_cache(8192)
def choices(phrases: tuple[str, ...], move: str) -> tuple[tuple[bool, str], ...]:
    """Return the choices in a move, the arguments of its message: whether each is cards or dice, and its text."""
    fitting = _fitting(phrases, move)
    return () if fitting is None else tuple((kind in (CARD, FACE, *REST), text) for kind, text in fitting[1])


def card_places(phrases: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """Return which arguments of the messages of phrases are cards, by their ids; none of those without any."""
    places = {
        message_id(phrase): tuple(
            number
            for number, kind in enumerate(kind for _, kind in _pieces(phrase) if kind is not None)
            if kind in (CARD, "cards")
        )
        for phrase in phrases
    }
    return {id: numbers for id, numbers in places.items() if numbers}


def message_id(phrase: str) -> str:
    """Return the id of the messages of a phrase."""
    return numbered("".join([words if kind is None else f"{words}{{}}" for words, kind in _pieces(phrase)]))


def _fitting(phrases: tuple[str, ...], move: str) -> tuple[str, list[tuple[str, str]]] | None:
    """Return the first phrase that a move fits, with its choices by their kinds; None if it fits none."""
    for phrase in phrases:
        if (choices := _choices(phrase, move)) is not None:
            return phrase, choices
    return None


def _pieces(phrase: str) -> list[tuple[str, str | None]]:
    """Return the words of a phrase, each with the kind of the choice that follows; None where none does."""
    return [(words, kind) for words, kind, *_ in Formatter().parse(phrase)]


def _choices(phrase: str, move: str) -> list[tuple[str, str]] | None:
    """Return the choices of a move by their kinds; None if it is not of a phrase."""
    choices: list[tuple[str, str]] = []
    kind: str | None = None
    rest = move
    for words, following in (*_pieces(phrase), ("", None)):
        if kind is None:
            if not rest.startswith(words):
                return None
            rest = rest[len(words) :]
        else:
            text, separator, rest = rest.partition(words) if words else (rest, "", "")
            if separator != words or not text or (" " in text and kind not in REST):
                return None
            if kind in (NUMBER, FACE) and not (text.isdecimal() or (kind == FACE and text.isalpha())):
                return None
            choices.append((kind, text))
        kind = following
    return None if rest else choices


def _argument(kind: str, text: str) -> object:
    return in_words(text) if kind not in (CARD, "cards") else text
