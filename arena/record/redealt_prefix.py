"""The first answers of a match, up to a moment, with everything redealt that a seat could not know."""

import hmac
from dataclasses import dataclass

from arena.record.played_rules import rules, stored_redeal
from arena.redeal.consistent_play import ConsistentMatch
from arena.redeal.hidden_chance import search
from arena.redeal.knowledge import ObservedMatch
from arena.redeal.mcmc import MarkovChain
from arena.redeal.overridable_chance import OverridableChance, answer_of_seed
from arena.redeal.random_draws import RandomDraws
from arena.values.rows import StoredMatch
from referee.engine.chance import Chance
from referee.engine.record import Say, unpack_answers
from referee.engine.redeal import Redeal, dealer


@dataclass(frozen=True, slots=True)
class RedealtPrefix:
    """The beginning of a new match, which the seat cannot tell from that of the first.

    answers, says: as in a record, up to the moment of the redeal.
    """

    redeal: Redeal
    """The chance of the new match."""
    answers: tuple[int, ...]
    says: tuple[Say, ...]
    hidden: int
    """The number of cards and dice that were redealt; 0 if only later chance is new."""


def redeal_prefix(match: StoredMatch, answers: int, seat: int, seed: bytes) -> RedealtPrefix:
    """Redeal what `seat` could not know after the first `answers` answers of a match, which must be whole questions.

    seed: of the redeal.

    Raises UnknownGame, OptionError or RecordError if the record does not fit the installed rules.
    """
    row = match.row
    game, options = rules(match)
    chance = OverridableChance(dealer(row.seed, stored_redeal(match)))
    observed = ObservedMatch(game, options, len(row.seats), seat, chance)
    observed.read(unpack_answers(row.answers)[:answers], row.says)
    chance.source = Chance(row.seed)
    course = ConsistentMatch(observed)
    draws = RandomDraws(seed)
    hidden = search(course, draws)
    MarkovChain(course, hidden, draws).run()
    fixed = {}
    requests = 0
    for request in course.requests():
        requests += 1
        values = chance.values[request.place]
        if values != answer_of_seed(row.seed, request, len(values)):
            fixed[request.place] = values
    new_answers, says = _record(course)
    later = hmac.digest(seed, b"later", "sha256")
    return RedealtPrefix(Redeal(fixed, later, requests, seat), new_answers, says, sum(len(part.at) for part in hidden))


def _record(course: ConsistentMatch) -> tuple[tuple[int, ...], tuple[Say, ...]]:
    """Return the answers of a match as indices into the legal moves, and its talk."""
    answers: list[int] = []
    says: list[Say] = []
    for step in course.steps:
        for seat, (move, words) in zip(step.state.asked, step.answers, strict=True):
            if words:
                says.append(Say(seat, len(answers), words))
            answers.append(step.state.legal(seat).index(move))
    return tuple(answers), tuple(says)
