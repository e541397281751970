"""Whether the records of a tournament are true: its hashes, its schedule and all its matches."""

from collections.abc import Callable, Iterator
from itertools import count

from arena.replay.match_verification import VerificationResult, check_hashes
from arena.store.rows import log_problems
from arena.tournament.errors import PlanError
from arena.tournament.plan.decisions import Decisions
from arena.tournament.plan.entropy import entropy_problems, late_entries, normalise
from arena.tournament.plan.formats import Format
from arena.tournament.plan.schedule import MatchPlan, Plan
from arena.tournament.results.match_check import CheckedPart, batches, check_batches
from arena.tournament.results.stored_tournament import StoredTournament


def check(
    tournament: StoredTournament,
    seed_hash: str | None = None,
    definition_hash: str | None = None,
    entropy: str | None = None,
    *,
    where: str = "",
    jobs: int = 1,
) -> Iterator[CheckedPart]:
    """Yield what is found part by part: of the tournament, of its matches, then of its summaries.

    seed_hash, definition_hash: as published at the start, where somebody wrote them down. entropy: as all know it.
    where: the database, as several processes open it. jobs: how many processes check matches.
    """
    verdict = check_hashes(tournament.row, seed_hash)
    if definition_hash is not None and definition_hash.lower() != tournament.row.definition_hash:
        sentence = f"the definition hash is {tournament.row.definition_hash}, not {definition_hash.lower()}"
        verdict = VerificationResult((*verdict.wrong, sentence), verdict.remarks)
    store, log = tournament.store, list(tournament.log)
    has_matches = store.count(tournament.id) > 0
    if entropy is not None and normalise(entropy) != tournament.row.entropy:
        known = "not known yet" if tournament.row.entropy is None else f'"{tournament.row.entropy}"'
        verdict = VerificationResult((*verdict.wrong, f'its entropy is {known}, not "{entropy}"'), verdict.remarks)
    wrong = (
        *verdict.wrong,
        *log_problems(log, tournament.row.definition_hash),
        *entropy_problems(tournament.row, log, has_matches),
    )
    verdict = VerificationResult(wrong, (*verdict.remarks, *late_entries(log)))
    # What is stored from here on may be of a stage that is planned only after the schedule was looked at.
    stored = None if tournament.row.finished else frozenset(store.played(tournament.id))
    planned, due = None, None
    try:
        planned = _planned(tournament, tournament.format)
        if tournament.row.extended_rounds is not None and tournament.format.matches != tournament.row.matches:
            sentence = f"it was extended to {tournament.format.matches:,} matches, and has {tournament.row.matches:,}"
            verdict = VerificationResult((*verdict.wrong, sentence), verdict.remarks)
        due = _due(tournament, tournament.decisions) if tournament.row.finished else None
    except PlanError as error:
        verdict = VerificationResult(verdict.wrong, (*verdict.remarks, f"its schedule cannot be checked: {error}"))
    subject = f"tournament {tournament.id}"
    yield CheckedPart([(subject, verdict)])
    missing = set[int]()
    for part in check_batches(tournament, where, batches(tournament, planned, stored, due), jobs):
        missing |= part.missing
        yield part
    if missing:
        many, verb = ("a match", "is") if len(missing) == 1 else (f"{len(missing):,} matches", "are")
        first = tournament.row.first_match + min(missing)
        sentence = f"it is finished, and {many} of its schedule {verb} not stored, from match {first} on"
        yield CheckedPart([(subject, VerificationResult((sentence,)))])


def _due(tournament: StoredTournament, decisions: Decisions) -> Callable[[MatchPlan], bool]:
    """Return what tells whether a match must be stored: of a finished tournament, all that nobody decided otherwise."""
    plan = Plan.of(tournament.definition, tournament.row.mixed_secret)
    dropped, unreplayed = decisions.dropped, decisions.unreplayed(plan.rotations)
    noted = tournament.store.verdict(tournament.id) or tournament.find_verdict()
    played = noted.matches if noted else tournament.row.matches

    def due(plan: MatchPlan) -> bool:
        return (
            plan.number < played
            and plan.number not in unreplayed
            and dropped.isdisjoint(player.entrant for player in plan.players)
        )

    return due


def _planned(tournament: StoredTournament, form: Format) -> Iterator[MatchPlan]:
    """Yield all matches of the schedule by their numbers, as far as it follows from what is stored."""
    results = tournament.results
    for stage in count():
        plan = form.plan(stage, results)
        if plan is None:
            return
        yield from plan.iter_matches()
        numbers = range(plan.offset.match, plan.offset.match + plan.matches)
        if form.is_multi_stage and not tournament.decisions.is_complete(plan, results(numbers)):
            return  # the next stage is not known before this one is over
