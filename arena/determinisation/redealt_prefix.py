"""A match up to a moment, with all that a seat could not know dealt anew."""

import hmac
from dataclasses import dataclass

from arena.determinisation.consistent_play import ConsistentMatch
from arena.determinisation.hidden_chance import search
from arena.determinisation.knowledge import ObservedMatch
from arena.determinisation.mcmc import MarkovChain
from arena.determinisation.overridable_chance import RecordingChance, of_seed
from arena.determinisation.random_draws import RandomDraws
from arena.replay.played_rules import rules, stored_redeal
from arena.store.rows import StoredMatch
from referee.engine.chance import Chance
from referee.engine.record import Say, unpack_answers
from referee.engine.redeal import Redeal, dealer


@dataclass(frozen=True, slots=True)
class RedealtPrefix:
    """The beginning of another match, which the seat cannot tell from that of the first.

    redeal: its chance. answers, says: as in a record, up to the moment. hidden: how many cards and dice that were dealt
    by then the seat could not know; 0: what comes after is all that is new.
    """

    redeal: Redeal
    answers: tuple[int, ...]
    says: tuple[Say, ...]
    hidden: int


def redeal_prefix(match: StoredMatch, answers: int, seat: int, seed: bytes) -> RedealtPrefix:
    """Deal anew what `seat` could not know when so many answers of a match had been given, by whole questions.

    seed: what the new deal follows from.

    Raises UnknownGame, OptionError or RecordError where the record does not fit the installed rules.
    """
    row = match.row
    game, options = rules(match)
    dealt = RecordingChance(dealer(row.seed, stored_redeal(match)))
    observed = ObservedMatch(game, options, len(row.seats), seat, dealt)
    observed.read(unpack_answers(row.answers)[:answers], row.says)
    dealt.source = Chance(row.seed)
    course = ConsistentMatch(observed)
    draws = RandomDraws(seed)
    hidden = search(course, draws)
    MarkovChain(course, hidden, draws).run()
    fixed = {}
    requests = 0
    for request in course.asked():
        requests += 1
        values = dealt.values[request.place]
        if values != of_seed(row.seed, request, len(values)):
            fixed[request.place] = values
    given, says = _record(course)
    later = hmac.digest(seed, b"later", "sha256")
    return RedealtPrefix(Redeal(fixed, later, requests, seat), given, says, sum(len(each.at) for each in hidden))


def _record(course: ConsistentMatch) -> tuple[tuple[int, ...], tuple[Say, ...]]:
    """Return the answers of a course by number, and what was said with them."""
    answers: list[int] = []
    says: list[Say] = []
    for step in course.steps:
        for seat, (move, words) in zip(step.state.asked, step.given, strict=True):
            if words:
                says.append(Say(seat, len(answers), words))
            answers.append(step.state.legal(seat).index(move))
    return tuple(answers), tuple(says)
