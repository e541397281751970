"""Whether the records of a tournament are true: its hashes, its schedule and all its matches."""

from collections.abc import Callable, Iterator
from itertools import chain, count

from arena.plan.decisions import Decisions, refuse_redraws
from arena.plan.entropy import entropy_problems, late_entries, normalise
from arena.plan.formats import Format, format_of
from arena.plan.schedule import MatchPlan
from arena.record.event_verification import withdrawal_errors
from arena.record.match_verification import VerificationResult, check_event, check_hashes, check_match
from arena.results.match_check import CheckedPart, batches, check_batches, version_error
from arena.results.stored_tournament import StoredTournament
from arena.values.rows import StoredMatch, log_problems
from arena.values.tournament_errors import PlanError


def check(
    tournament: StoredTournament,
    seed_hash: str | None = None,
    definition_hash: str | None = None,
    entropy: str | None = None,
    *,
    log_hash: str | None = None,
    where: str = "",
    jobs: int = 1,
) -> Iterator[CheckedPart]:
    """Yield what is found part by part: of the tournament, of its matches, then of its summaries.

    seed_hash, definition_hash: as published at the start, where somebody wrote them down.
    entropy: as all know it.
    log_hash: as published at the end.
    where: the database, as several processes open it.
    jobs: how many processes check matches.
    """
    subject = f"tournament {tournament.id}"
    try:
        tournament.row.definition  # noqa: B018
    except PlanError as error:
        hashes = check_hashes(tournament.row, seed_hash)
        wrong = (*hashes.wrong, f"its matches cannot be verified: {error}")
        yield CheckedPart([(subject, VerificationResult(wrong, hashes.remarks))])
        return
    store = tournament.store
    with store.snapshot():  # decisions may be made meanwhile
        end, log = store.tournament(tournament.id).log_end, store.decisions(tournament.id)
        signed = store.signed_decisions(tournament.id)
    refuse_redraws(log)
    verdict = check_event(tournament.row, seed_hash, log)
    if definition_hash is not None and definition_hash.lower() != tournament.row.definition_hash:
        sentence = f"the definition hash is {tournament.row.definition_hash}, not {definition_hash.lower()}"
        verdict = VerificationResult((*verdict.wrong, sentence), verdict.remarks)
    stored_matches = store.count(tournament.id)
    has_matches = stored_matches > 0
    if entropy is not None and normalise(entropy) != tournament.row.entropy:
        known = "not known yet" if tournament.row.entropy is None else f'"{tournament.row.entropy}"'
        verdict = VerificationResult((*verdict.wrong, f'its entropy is {known}, not "{entropy}"'), verdict.remarks)
    wrong = (
        *verdict.wrong,
        *log_problems(signed, tournament.row.definition_hash, end),
        *([] if log_hash in (None, end.digest) else [f"the log hash is {end.digest or 'none'}, not {log_hash}"]),
        *entropy_problems(tournament.row, log, has_matches),
        *withdrawal_errors(tournament.row, log, _failed(tournament)),
        *store.numbering_errors(tournament.row.key),
    )
    remarks = (*verdict.remarks, *late_entries(log))
    if not tournament.row.finished:
        sentence = f"it is not finished, with {stored_matches:,} of {tournament.row.matches:,} matches stored"
        remarks = (*remarks, sentence)
    verdict = VerificationResult(wrong, remarks)
    # What is stored from here on may be of a stage that is planned only after the schedule was looked at.
    stored = None if tournament.row.finished else frozenset(store.played(tournament.id))
    planned, due = None, None
    matches = tournament.row.matches
    try:
        planned = _planned(tournament, tournament.format)
        if (due_matches := _reserved(tournament)) != matches:
            sentence = f"its schedule has {due_matches:,} matches, and {matches:,} are stored as such"
            matches = min(matches, due_matches)  # the other number may be without end
            verdict = VerificationResult((*verdict.wrong, sentence), verdict.remarks)
        verdict = VerificationResult((*verdict.wrong, *_counting_though_void(tournament)), verdict.remarks)
        due = _due(tournament, tournament.decisions) if tournament.row.finished else None
    except PlanError as error:
        verdict = VerificationResult(verdict.wrong, (*verdict.remarks, f"its schedule cannot be checked: {error}"))
    yield CheckedPart([(subject, verdict), *_void_findings(tournament)])
    missing = set[int]()
    for part in check_batches(tournament, where, batches(matches, planned, stored, due), jobs):
        missing |= part.missing
        yield part
    if missing:
        many, verb = ("a match", "is") if len(missing) == 1 else (f"{len(missing):,} matches", "are")
        first = tournament.row.first_match + min(missing)
        sentence = f"it is finished, and {many} of its schedule {verb} not stored, from match {first} on"
        yield CheckedPart([(subject, VerificationResult((sentence,)))])


def _failed(tournament: StoredTournament) -> set[int]:
    """Return the bots of which a process failed, or that forfeited a match as they were withdrawn."""
    forfeits = tournament.store.forfeits(tournament.id)[1]
    return set(tournament.store.process_failures.counts(tournament.id)) | set(forfeits)


def _reserved(tournament: StoredTournament) -> int:
    """Return the number of matches of its schedule, as it began or was extended."""
    rounds = tournament.row.extended_rounds
    if rounds is not None:
        return tournament.format.matches
    return format_of(tournament.definition, tournament.row.mixed_secret, Decisions.of(tournament.definition)).matches


def _counting_though_void(tournament: StoredTournament) -> Iterator[str]:
    """Yield a sentence for each stored match that counts, of a set that a withdrawn bot had not finished."""
    void = set(chain.from_iterable(tournament.decisions.void))
    for number in sorted(void.intersection(tournament.store.played(tournament.id)) if void else ()):
        id = tournament.row.first_match + number
        yield f"match {id} counts, and by the log a withdrawn bot has not finished its set"


def _void_findings(tournament: StoredTournament) -> Iterator[tuple[str, VerificationResult]]:
    """Yield what is wrong with the matches that the log made void, each by its number in the schedule."""
    voided = {entry.number: entry.details["match"] for entry in tournament.log if entry.kind == "void"}
    for entry, row in tournament.store.void_matches(tournament.id):
        voided.pop(entry.number, None)
        id = tournament.row.first_match + row.number
        result = check_match(StoredMatch(id, tournament.row, row))
        wrong = result.wrong
        if row.behaviour != tournament.row.behaviour:
            wrong = (*wrong, version_error(row, tournament.row.behaviour))
        if wrong:
            yield f"void match {id}", VerificationResult(wrong, result.remarks)
    for match in voided.values():
        id = tournament.row.first_match + match
        yield f"void match {id}", VerificationResult(("its record is missing",))


def _due(tournament: StoredTournament, decisions: Decisions) -> Callable[[MatchPlan], bool]:
    """Return what tells whether a match must be stored: of a finished tournament, all that nobody decided otherwise."""
    dropped, unreplayed = decisions.dropped, decisions.unreplayed
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
