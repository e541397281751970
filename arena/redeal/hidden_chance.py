"""Find the cards and dice that a seat could not know, and that still matter.

The rules themselves decide which cards are hidden: two cards are if they can change places without a difference for
the seat, but with one for the state of the match. So is a die that can show another face.
"""

from collections.abc import Iterator
from typing import NamedTuple

from arena.redeal.consistent_play import ConsistentMatch, state_values
from arena.redeal.overridable_chance import DealRequest, Values
from arena.redeal.random_draws import RandomDraws

WORK = 25_000
"""The search ends after playing this many answers."""

MOST_WITHOUT_EFFECT = 40
"""After this many changes without any effect on the state, the cards of a request are taken to be out of the match."""

MOST_WITHOUT_HIDDEN = 60
"""After this many cards and dice in a row that are not hidden, older ones are taken not to be hidden either."""


class HiddenChance(NamedTuple):
    """The hidden part of the answer to a request."""

    request: DealRequest
    at: tuple[int, ...]
    """The hidden cards of a shuffle, as indices into its elements; the hidden dice of a roll; 0 for a pick.
    Hidden cards stay hidden wherever they are dealt. If one of several equal cards is hidden, all of them are listed.
    """


def search(course: ConsistentMatch, draws: RandomDraws) -> list[HiddenChance]:
    """Return the hidden parts of all requests, newest first."""
    hidden: list[HiddenChance] = []
    known = 0
    last = state_values(course.last)
    for request in reversed(list(course.requests())):
        at = _hidden_elements(course, request, last, draws)
        known = 0 if at else known + len(course.observed.chance.values[request.place])
        if at:
            hidden.append(HiddenChance(request, at))
        if known >= MOST_WITHOUT_HIDDEN or course.played > WORK:
            break
    return hidden


def _hidden_elements(
    course: ConsistentMatch, request: DealRequest, last: object, draws: RandomDraws
) -> tuple[int, ...]:
    """Return the cards or dice of a request that the seat could not know.

    last: the state at the moment.
    """
    values = course.observed.chance.values[request.place]
    after, without_effect = course.state_after(request.place), 0
    for at, changed in _changes(request, values, draws):
        attempt = course.attempt(request.place, changed, after)
        if attempt is not None:
            if state_values(attempt.last) != last:
                return _exchangeable(course, request, at, after)
            without_effect += 1
        if without_effect >= MOST_WITHOUT_EFFECT or course.played > WORK:
            break
    return ()


def _changes(request: DealRequest, values: Values, draws: RandomDraws) -> Iterator[tuple[tuple[int, int], Values]]:
    """Yield single changes of an answer in random order, with the two cards that change places or twice the die."""
    elements = request.elements
    if request.kind == "shuffle":
        pairs = [
            (card, other)
            for other in range(len(elements))
            for card in range(other)
            if elements[card] != elements[other]
        ]
        for card, other in draws.shuffled(pairs):
            yield (card, other), swap_cards(values, card, other)
    else:
        faces = [(die, face) for die in range(len(values)) for face in range(len(elements)) if face != values[die]]
        for die, face in draws.shuffled(faces):
            yield (die, die), turn_die(values, die, face)


def _exchangeable(course: ConsistentMatch, request: DealRequest, at: tuple[int, int], after: object) -> tuple[int, ...]:
    """Return all hidden cards or dice of a request, given two hidden cards (or twice a hidden die).

    A card is hidden if it can change places with a hidden one.
    """
    values = course.observed.chance.values[request.place]
    hidden = sorted(set(at))
    elements = request.elements

    def is_hidden(index: int) -> bool:
        if request.kind == "shuffle":
            changes = (swap_cards(values, index, other) for other in hidden if elements[index] != elements[other])
        else:
            changes = (turn_die(values, index, face) for face in range(len(elements)) if face != values[index])
        return any(course.attempt(request.place, changed, after) for changed in changes)

    count = 0
    while count < len(hidden):  # each hidden card may show that more are hidden
        count = len(hidden)
        hidden += [index for index in range(len(values)) if index not in hidden and is_hidden(index)]
    if request.kind == "shuffle":
        cards = {elements[index] for index in hidden}
        hidden = [index for index, card in enumerate(elements) if card in cards]
    return tuple(sorted(hidden))


def swap_cards(values: Values, card: int, other: int) -> Values:
    """Return an order in which two cards have changed places."""
    changed = list(values)
    first, second = values.index(card), values.index(other)
    changed[first], changed[second] = other, card
    return tuple(changed)


def turn_die(values: Values, die: int, face: int) -> Values:
    """Return a roll in which a die shows another face."""
    return (*values[:die], face, *values[die + 1 :])
