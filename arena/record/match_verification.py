"""Replay a record by the rules and compare it with what is stored.

A match is verified if
- by the rules, its seed and answers lead to the end of the match, and to the stored fingerprint of the log, scores
  and ranks;
- the moves of a seat that failed or was forfeited are default moves, without talk;
- its faults, decisions and charged times fit its answers and their times;
- its seed follows from the tournament's secret, and the hash of that secret is the one that was published before the
  first match.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from arena.record.event_verification import event_errors
from arena.record.played_answers import PlayedAnswers
from arena.record.played_rules import steps, version_remark
from arena.values.canonical_json import hash_of_definition
from arena.values.rows import DecisionRow, EventRow, StoredMatch
from referee.engine import draws, registry
from referee.engine.errors import RecordError
from referee.engine.events import digest
from referee.engine.game import State
from referee.engine.record import ranks_with_forfeits
from referee.engine.turns import match_seed


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """What the verification of a match found."""

    wrong: tuple[str, ...]
    """A sentence for each error."""
    remarks: tuple[str, ...] = ()
    """Possible explanations of the errors, such as other versions of the rules."""


def error_count_text(errors: int) -> str:
    """Return the number of errors in words."""
    return "no errors" if not errors else "1 error" if errors == 1 else f"{errors} errors"


def check_match(match: StoredMatch) -> VerificationResult:
    """Verify one match: its seed and its record. Raises UnknownGame or OptionError if its rules are not installed."""
    remark = version_remark(match)
    wrong = (*_seed_errors(match), *_record_errors(match))
    return VerificationResult(wrong, () if remark is None else (remark,))


def check_event(event: EventRow, published: str | None = None, log: Sequence[DecisionRow] = ()) -> VerificationResult:
    """Verify the hashes of an event as `check_hashes`, and what is stored beside its definition and its log."""
    verdict = check_hashes(event, published)
    return VerificationResult((*verdict.wrong, *event_errors(event, log)), verdict.remarks)


def check_hashes(event: EventRow, published: str | None = None) -> VerificationResult:
    """Verify the hashes of an event against its contents and, if given, against the `published` hash of its secret."""
    wrong, remarks = list[str](), list[str]()
    if sha256(event.secret).hexdigest() != event.secret_hash:
        wrong.append("the secret is not the one whose hash was published at the start")
    if hash_of_definition(json.loads(event.hashed_text)) != event.definition_hash:
        wrong.append("the definition is not the one whose hash was published at the start")
    if published is not None and published.lower() != event.secret_hash:
        wrong.append(f"the seed hash is {event.secret_hash}, not {published.lower()}")
    version = event.versions.get("chance", str(draws.VERSION))
    if version != str(draws.VERSION):
        remarks.append(f"its chance is of version {version}, and version {draws.VERSION} is installed")
    return VerificationResult(tuple(wrong), tuple(remarks))


def _seed_errors(match: StoredMatch) -> Iterator[str]:
    takes_turns = registry.game(match.event.game).takes_turns
    if match.row.seed != match_seed(match.event.mixed_secret, match.row.deal, takes_turns=takes_turns):
        yield f"its seed does not follow from the tournament's secret for deal {match.row.deal}"


def _record_errors(match: StoredMatch) -> Iterator[str]:
    row = match.row
    state: State | None = None
    defaults: list[tuple[int, str]] = []  # the seats asked, with their default moves
    answers = 0
    played = PlayedAnswers(match)
    talk_plies = {say.ply for say in row.says}
    try:
        for state, answered in steps(match):
            for step, (seat, default) in zip(answered, defaults, strict=True):
                if played.take(seat, step.ply):
                    continue
                if step.move != default:
                    yield (
                        f'answer {step.ply}, of seat {seat} after a fault, is "{step.move}" '
                        f'instead of the default move "{default}"'
                    )
                if step.ply in talk_plies:
                    yield f"answer {step.ply}, of seat {seat} after a fault, has talk"
            answers += len(answered)
            defaults = [(seat, state.default(seat)) for seat in state.asked]
    except RecordError as error:
        yield str(error)
        return
    assert state is not None
    if state.asked:
        yield f"the match is not over after its {answers} answers"
    if row.times and len(row.times) != answers:  # bare results have none
        yield f"it has {answers} answers, but {len(row.times)} times"
    if digest(state.events) != row.digest:
        yield "by the rules its log is different: the fingerprints differ"
    outcome = state.outcome()
    scores = tuple(seat.score for seat in row.seats)
    if outcome.scores != scores:
        yield f"by the rules its scores are {_numbers(outcome.scores)}, not {_numbers(scores)}"
    forfeits = [seat.forfeit for seat in row.seats]
    expected, ranks = ranks_with_forfeits(outcome.ranks, forfeits), tuple(seat.rank for seat in row.seats)
    if expected != ranks:
        yield f"by the rules its ranks are {_numbers(expected)}, not {_numbers(ranks)}"
    for number, forfeit in enumerate(forfeits):
        if forfeit != any(fault.forfeit and fault.seat == number for fault in row.faults):
            words = "forfeited, but no fault is its last strike" if forfeit else "not forfeited, but has a last strike"
            yield f"seat {number} is {words}"
    yield from played.errors()


def _numbers(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
