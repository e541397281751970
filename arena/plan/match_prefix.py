"""The prefix of a stored match: its first answers, from which another match continues."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from msgspec import structs

from arena.packs.roster import Roster
from arena.plan.decisions import Decisions
from arena.plan.field import unpack_submissions
from arena.record.played_rules import steps, stored_redeal
from arena.record.redealt_prefix import redeal_prefix
from arena.values.definition import Definition, Entrant
from arena.values.rows import DecisionRow, StoredMatch
from arena.values.tournament_errors import PlanError
from referee.engine.record import Say, pack_answers, unpack_answers
from referee.engine.redeal import Redeal


@dataclass(frozen=True, slots=True)
class MatchPrefix:
    """The first questions of a match with their answers.

    secret, deal: from which the chance of the match follows.
    """

    match: int
    """The id of the match in the store."""
    secret: bytes
    deal: int
    answers: int
    """The number of answers."""
    packed: bytes
    """The answers in the form of a record."""
    says: tuple[Say, ...]
    """The talk with these answers."""
    seat: int
    """The seat that is asked next."""
    redeal: Redeal | None = None
    """The chance that does not follow from secret and deal; None if all does."""
    hidden: int = 0
    """The number of hidden cards and dice that were redealt."""


def prefix_at(match: StoredMatch, ply: int) -> MatchPrefix:
    """Return the prefix of a match up to the question of answer `ply`.

    If that question is answered by several seats in secret, none of their answers is part of the prefix.

    Raises PlanError if there is no such answer, or if the match belongs to a tournament that is not over.
    """
    if match.tournament_id is not None and match.event.finished is None:
        raise PlanError(
            f"match {match.id} can be continued once tournament {match.tournament_id} is over: it still uses its deals"
        )
    for _, answered in steps(match):
        for step in answered:
            if step.ply == ply:
                first = answered[0].ply
                packed = pack_answers(unpack_answers(match.row.answers)[:first])
                says = tuple(say for say in match.row.says if say.ply < first)
                row = match.row
                return MatchPrefix(
                    match.id, match.event.mixed_secret, row.deal, first, packed, says, step.seat, _earlier_redeal(match)
                )
    raise PlanError(f"match {match.id} has no answer {ply}: `arena replay {match.id}` lists its answers")


def _earlier_redeal(match: StoredMatch) -> Redeal | None:
    """Return the redeal of a match or of the match that it continues, no longer for a particular seat."""
    earlier = stored_redeal(match)
    return None if earlier is None else replace(earlier, seat=None)


def redeal_for_seat(prefix: MatchPrefix, match: StoredMatch, seat: int, seed: bytes) -> MatchPrefix:
    """Return a prefix with everything redealt that `seat` could not know, then and later.

    The answers of other seats may change in number and index if their new cards leave them other choices.

    match: the stored match of the prefix.
    seed: the seed of the new deal.

    Raises PlanError if there is no such seat.
    """
    if seat >= len(match.row.seats):
        raise PlanError(f"match {match.id} has the seats 0 to {len(match.row.seats) - 1}")
    new = redeal_prefix(match, prefix.answers, seat, seed)
    return replace(prefix, packed=pack_answers(new.answers), says=new.says, redeal=new.redeal, hidden=new.hidden)


def bot_of_seat(match: StoredMatch, seat: int, log: Iterable[DecisionRow], roster: Roster) -> Entrant:
    """Return the bot that held a seat of a match, to ask it again.

    It has no grants, which the organiser gave it for that event alone.

    log: the log of the tournament.

    Raises PlanError if arena did not start it, FieldError if it no longer exists.
    """
    field = Decisions.of(Definition.from_json(json.loads(match.event.definition_text)), log).field
    bot = structs.replace(field[match.row.seats[seat].entrant], grants=())
    if not bot.command:
        raise PlanError(f"{bot.name} of match {match.id} is not a program of this machine: name the bot to ask")
    (bot,) = unpack_submissions([bot], roster)
    return bot


def bots_of_match(
    match: StoredMatch, log: Iterable[DecisionRow], roster: Roster, excluded_seats: Collection[int] = ()
) -> list[Entrant]:
    """Return the bots of a match by seat, to continue it.

    They have no grants, which the organiser gave them for that event alone.

    log: the log of the tournament.
    excluded_seats: seats whose bots are left out.

    Raises PlanError if arena did not start one of the bots, FieldError if one no longer exists.
    """
    field = Decisions.of(Definition.from_json(json.loads(match.event.definition_text)), log).field
    places = [row.entrant for seat, row in enumerate(match.row.seats) if seat not in excluded_seats]
    bots = [structs.replace(field[place], grants=()) for place in places]
    for bot in bots:
        if not bot.command:
            raise PlanError(
                f"{bot.name} of match {match.id} is not a program of this machine: name the bots to play with"
            )
    return list(unpack_submissions(bots, roster))
