"""What of all that was dealt the seat could not know, and what of that has not come to its end.

Nothing tells which cards are hidden but the rules themselves: two cards whose places can be changed without a
difference for the seat, and with one for the state of the match, are.
"""

from collections.abc import Iterator
from typing import NamedTuple

from arena.determinisation.consistent_play import ConsistentMatch, state_values
from arena.determinisation.overridable_chance import ChanceRequest, Values
from arena.determinisation.random_draws import RandomDraws

WORK = 25_000
"""How many answers are played at most in search."""

IN_VAIN = 40
"""After how many changes that nobody can tell at all a request is taken for one whose cards are out of the match."""

OLD = 60
"""After so many cards and dice known, or out of the match, all that were dealt before are taken for that as well."""


class HiddenChance(NamedTuple):
    """What the seat could not know of the answer to a request.

    at: the cards of a shuffle, by their numbers among those that were shuffled; or which dice of a roll; 0 of a pick.
    Hidden cards stay hidden wherever they are dealt; of equal cards each may be the hidden one, so all of them are.
    """

    request: ChanceRequest
    at: tuple[int, ...]


def search(course: ConsistentMatch, draws: RandomDraws) -> list[HiddenChance]:
    """Return what is hidden, the newest first."""
    found: list[HiddenChance] = []
    looked = 0
    last = state_values(course.last)
    for request in reversed(list(course.asked())):
        at = _hidden(course, request, last, draws)
        looked = 0 if at else looked + len(course.observed.dealer.values[request.place])
        if at:
            found.append(HiddenChance(request, at))
        if looked >= OLD or course.played > WORK:
            break
    return found


def _hidden(course: ConsistentMatch, request: ChanceRequest, last: object, draws: RandomDraws) -> tuple[int, ...]:
    """Return the cards or dice of a request that the seat could not know."""
    values = course.observed.dealer.values[request.place]
    after, vain = course.after(request.place), 0
    for at, changed in _changes(request, values, draws):
        attempt = course.attempt(request.place, changed, after)
        if attempt is not None:
            if state_values(attempt.last) != last:
                return _like(course, request, at, after)
            vain += 1
        if vain >= IN_VAIN or course.played > WORK:
            break
    return ()


def _changes(request: ChanceRequest, values: Values, draws: RandomDraws) -> Iterator[tuple[tuple[int, int], Values]]:
    """Yield single changes of an answer in random order: two cards, or twice one die, and what comes of it."""
    if request.kind == "shuffle":
        given = request.given
        pairs = [(one, two) for two in range(len(given)) for one in range(two) if given[one] != given[two]]
        for one, two in draws.shuffled(pairs):
            yield (one, two), exchanged(values, one, two)
    else:
        faces = [(at, other) for at in range(len(values)) for other in range(len(request.given)) if other != values[at]]
        for at, other in draws.shuffled(faces):
            yield (at, at), turned(values, at, other)


def _like(course: ConsistentMatch, request: ChanceRequest, at: tuple[int, int], after: object) -> tuple[int, ...]:
    """Return all that is hidden where two cards, or one die, are: what can change places with any of it."""
    values = course.observed.dealer.values[request.place]
    found = sorted(set(at))

    given = request.given

    def can(one: int) -> bool:
        if request.kind == "shuffle":
            changes = (exchanged(values, one, other) for other in found if given[one] != given[other])
        else:
            changes = (turned(values, one, other) for other in range(len(given)) if other != values[one])
        return any(course.attempt(request.place, changed, after) for changed in changes)

    known = 0
    while known < len(found):  # what is found may let more be found
        known = len(found)
        found += [one for one in range(len(values)) if one not in found and can(one)]
    if request.kind == "shuffle":
        hidden = {given[one] for one in found}
        found = [one for one, card in enumerate(given) if card in hidden]
    return tuple(sorted(found))


def exchanged(values: Values, one: int, two: int) -> Values:
    """Return an order in which two cards have changed places."""
    changed = list(values)
    first, second = values.index(one), values.index(two)
    changed[first], changed[second] = two, one
    return tuple(changed)


def turned(values: Values, at: int, other: int) -> Values:
    """Return a roll in which a die shows another face."""
    return (*values[:at], other, *values[at + 1 :])
