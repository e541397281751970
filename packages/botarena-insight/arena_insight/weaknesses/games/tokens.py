"""The decisions of Cucù and Lu Stù: exchanges, inns, re-entry, syndicates and the agreement of the last two."""

from collections.abc import Sequence
from typing import Any

from arena_insight.weaknesses.choice import Choice
from arena_insight.weaknesses.games.cards import holding
from referee.games import cucu

_QUESTIONS = {
    cucu.TURN: "its turn",
    cucu.GUEST: "as a guest at an inn",
    cucu.HOST: "as the innkeeper",
    cucu.ENTRY: "out of tokens",
    cucu.SHARE: "about to enter again",
    cucu.JOIN: "offered a share of a re-entry",
    cucu.SPLIT: "as one of the last two, before the deal",
    cucu.REPLY: "to a proposal",
}

_WITH_CARD = (cucu.TURN, cucu.GUEST, cucu.HOST)


def choice(view: Any, _legal: Sequence[str], move: str) -> Choice:
    """Classify a decision: by the card held, or at a question of money by what stands against it."""
    position = holding(view.card, abruzzo=True) if view.stage in _WITH_CARD else _stakes(view)
    is_last = view.stage == cucu.TURN and bool(view.order) and view.seat == view.order[-1]
    return Choice("its turn, as the dealer" if is_last else _QUESTIONS[view.stage], position, _action(move))


def _stakes(view: Any) -> str:
    if view.stage == cucu.ENTRY:
        alive = sum(bool(tokens) for seat, tokens in enumerate(view.tokens) if seat != view.seat)
        return "one other in" if alive == 1 else f"{alive} others in" if alive <= 3 else "more than 3 others in"
    if view.offer is not None:
        return f"{_action(view.offer)} is offered"
    if view.stage == cucu.SPLIT:
        own, other = view.tokens[view.seat], max(t for seat, t in enumerate(view.tokens) if seat != view.seat)
        return "ahead in tokens" if own > other else "behind in tokens" if own < other else "level in tokens"
    return ""


def _action(move: str) -> str:
    """Return the kind of a move: amounts of money are not told apart, percentages in thirds."""
    word, _, amount = move.partition(" ")
    if word == "offer":
        return "offer none" if amount == "none" else "offer a percentage" if amount.endswith("%") else "offer money"
    if word in ("split", "share") and amount.isdecimal() and amount != "0":
        return f"{word} {'under 40' if int(amount) < 40 else '40 to 60' if int(amount) <= 60 else 'over 60'} percent"
    return move
