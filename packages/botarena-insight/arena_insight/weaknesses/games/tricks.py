"""The decisions of Coch, Torionfo and Zifuli: leads, followed cards, the auction and the cards put back."""

from collections.abc import Sequence
from typing import Any

from arena_insight.weaknesses.choice import Choice
from arena_insight.weaknesses.games.cards import cards_left, place_among
from referee.games.coch import CochState, CochView
from referee.games.torionfo import TorionfoState, TorionfoView
from referee.games.tricks import BEATEN, CARD, NUMBER, Tricks, type_of
from referee.games.zifuli import SEATS, ZifuliState, ZifuliView

_RULES: dict[type, type[Tricks]] = {CochView: CochState, TorionfoView: TorionfoState, ZifuliView: ZifuliState}


def choice(view: Any, legal: Sequence[str], move: str) -> Choice:
    """Classify a decision: a lead by the cards left, a card that follows by whether it can and does win the trick."""
    word, _, card = move.partition(" ")
    if word in ("bid", "pass") and move not in CARD:
        return Choice("the auction", "first bid" if not view.bids else "after a bid", word)
    if word == "discard":
        kinds = [_value(view, int(text.split(" ")[1])) for text in legal]
        return Choice("putting cards back", "", f"one of the {_worth(_value(view, int(card)), kinds)}")
    played = CARD[move]
    if not view.table:
        same = [_strength(view, other) for other in view.hand if type_of(other) == type_of(played)]
        kind = "number" if type_of(played) == NUMBER else "picture"
        place = place_among(_strength(view, played), same)
        return Choice("to lead", cards_left(len(view.hand)), f"lead its {place} {kind} card")
    return _follow(view, [CARD[text] for text in legal], played)


def _follow(view: Any, cards: Sequence[int], played: int) -> Choice:
    strengths = [_in_trick(view, card) for card in view.table]
    best = max(strengths)
    winning = [card for card in cards if _in_trick(view, card) > best]
    is_ours = _is_partner(view, view.leaders[-1] + strengths.index(best))
    whose = "its side ahead" if is_ours else "the others ahead"
    position = f"{whose}, {'able to win' if winning else 'unable to win'}"
    if played in winning:
        least = min(winning, key=lambda card: _in_trick(view, card))
        return Choice("to follow", position, "win as cheaply as possible" if played == least else "win with more")
    losing = [_value(view, card) for card in cards if card not in winning]
    return Choice("to follow", position, f"lose one of the {_worth(_value(view, played), losing)}")


def _worth(value: float, values: Sequence[float]) -> str:
    return "cards that count least" if value == min(values) else "cards that count more"


def _strength(view: Any, card: int) -> int:
    return _RULES[type(view)].strength[card]


def _value(view: Any, card: int) -> int:
    return _RULES[type(view)].values[card]


def _in_trick(view: Any, card: int) -> int:
    """Return how strong a card is in the trick under way."""
    if card == getattr(view, "torionfo", None):
        return len(_RULES[type(view)].strength)
    return _strength(view, card) if type_of(card) == view.base else BEATEN


def _is_partner(view: Any, place: int) -> bool:
    """Return whether the seat at a place, counted on from seat 0 around the table, plays on the side of the viewer."""
    if not isinstance(view, ZifuliView):
        return bool(place % 2 == view.seat % 2)
    bosses = (view.boss, view.partner)
    return (place % SEATS in bosses) == (view.seat in bosses)
