"""Chance of OpenSpiel, drawn from arena's: the same match seed gives the same deal at every rotation of the table."""

from collections.abc import Sequence

from referee.engine.chance import Chance

BYTES = tuple(range(256))
PRECISION = 6
"""How many bytes a draw from unequal probabilities takes: 48 bits, exact as a double."""


def draw(outcomes: Sequence[tuple[int, float]], chance: Chance, number: int) -> int:
    """Return the action of a chance node.

    outcomes: the actions with their probabilities, as `State.chance_outcomes` has them.
    number: that of the chance node in its match, from 0; it names the request. Equal probabilities are exact.
    """
    first = outcomes[0][1]
    if all(abs(probability - first) < 1e-12 for _, probability in outcomes):
        return outcomes[chance.pick(len(outcomes), "chance", number)][0]
    share = int.from_bytes(chance.roll(BYTES, PRECISION, "chance", number), "big") / 256**PRECISION
    total = 0.0
    for action, probability in outcomes:
        total += probability
        if share < total and probability > 0:
            return action
    return max(outcomes, key=lambda outcome: outcome[1])[0]  # rounding has left a rest at the end
