"""The beginning of a stored match, from which another one goes on."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from arena.determinisation.redealt_prefix import redeal_prefix
from arena.replay.played_rules import steps, stored_redeal
from arena.store.rows import DecisionRow, StoredMatch
from arena.submissions.roster import Roster
from arena.tournament.errors import PlanError
from arena.tournament.plan.decisions import Decisions
from arena.tournament.plan.definition import Definition, Entrant
from arena.tournament.plan.field import unpack_again
from referee.engine.record import Say, pack_answers, unpack_answers
from referee.engine.redeal import Redeal


@dataclass(frozen=True, slots=True)
class Opening:
    """The first questions of a match with their answers.

    match: its number in the store. secret, deal: from which its chance follows. answers: how many there are.
    packed: the answers as a record has them. says: what was said with them.
    seat: who is asked next, the one of the answer that was named.
    redeal: what of its chance does not follow from secret and deal. hidden: how many of the cards and dice that lay
    hidden from somebody were dealt anew.
    """

    match: int
    secret: bytes
    deal: int
    answers: int
    packed: bytes
    says: tuple[Say, ...]
    seat: int
    redeal: Redeal | None = None
    hidden: int = 0


def opening(match: StoredMatch, ply: int) -> Opening:
    """Return a match up to the question of answer `ply`; of sealed answers none is in it.

    Raises PlanError where there is no such answer, or bots still meet the deal.
    """
    if match.tournament_id is not None and match.event.finished is None:
        raise PlanError(
            f"match {match.id} can be gone on with once tournament {match.tournament_id} is over: its deals are still "
            "played"
        )
    for _, answered in steps(match):
        for step in answered:
            if step.ply == ply:
                first = answered[0].ply
                packed = pack_answers(unpack_answers(match.row.answers)[:first])
                says = tuple(say for say in match.row.says if say.ply < first)
                row = match.row
                return Opening(
                    match.id, match.event.mixed_secret, row.deal, first, packed, says, step.seat, _before(match)
                )
    raise PlanError(f"match {match.id} has no answer {ply}: `arena replay {match.id}` lists its answers")


def _before(match: StoredMatch) -> Redeal | None:
    """Return what was dealt anew in a match or in those before it, for nobody's sake now."""
    found = stored_redeal(match)
    return None if found is None else replace(found, seat=None)


def dealt_anew(begun: Opening, match: StoredMatch, seat: int, seed: bytes) -> Opening:
    """Return an opening of a match with all dealt anew that `seat` could not know then, and all that comes after.

    seed: what the new deal follows from. The answers of others may have other numbers, and be more or fewer, where
    other cards leave them another choice.

    Raises PlanError where there is no such seat.
    """
    if seat >= len(match.row.seats):
        raise PlanError(f"match {match.id} has the seats 0 to {len(match.row.seats) - 1}")
    anew = redeal_prefix(match, begun.answers, seat, seed)
    return replace(begun, packed=pack_answers(anew.answers), says=anew.says, redeal=anew.redeal, hidden=anew.hidden)


def sat(match: StoredMatch, log: Iterable[DecisionRow], roster: Roster, but: Collection[int] = ()) -> list[Entrant]:
    """Return the bots of a match by seat, without those of some seats, to play on. log: its tournament's.

    Raises PlanError where one was started by somebody else, FieldError where one is not there any more.
    """
    field = Decisions.of(Definition.from_json(match.event.definition.values), log).field
    bots = [field[row.entrant] for seat, row in enumerate(match.row.seats) if seat not in but]
    for bot in bots:
        if not bot.command:
            raise PlanError(f"{bot.name} of match {match.id} was no program of this machine: name the bots to play on")
    return list(unpack_again(bots, roster))
