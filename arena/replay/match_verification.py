"""Play a record again and hold it against what was stored.

Three things must be true of a match:
- by the rules, its seed and its answers lead to the log whose fingerprint was stored, to the end of
  the match, and to the stored scores and ranks;
- where a seat failed or was forfeited, its moves are the default moves, and it says nothing with them;
- its seed is the one that follows from the tournament's secret, and the secret is the one whose hash
  was published before the first match.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from arena.replay.played_rules import older_or_newer, played_by_referee, steps
from arena.store.rows import EventRow, StoredMatch
from referee.engine import chance
from referee.engine.chance import deal_seed
from referee.engine.errors import RecordError
from referee.engine.events import digest
from referee.engine.game import State
from referee.engine.record import ranks_with_forfeits


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """What a check found.

    wrong: a sentence for everything that is not as stored. remarks: what may explain it.
    """

    wrong: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def in_all(wrong: int) -> str:
    """Return what many checks come to, of which so many found something wrong."""
    return "all is true" if not wrong else "1 thing is not true" if wrong == 1 else f"{wrong} things are not true"


def check_match(match: StoredMatch) -> VerificationResult:
    """Check one match by its rules and its seed. Raises UnknownGame or OptionError where they are not installed."""
    remark = older_or_newer(match)
    wrong = (*_seed(match), *_record(match))
    return VerificationResult(wrong, () if remark is None else (remark,))


def check_hashes(event: EventRow, published: str | None = None) -> VerificationResult:
    """Check the hashes of an event: against its own contents and, where given, against the `published` one."""
    wrong, remarks = list[str](), list[str]()
    if sha256(event.secret).hexdigest() != event.secret_hash:
        wrong.append("the secret is not the one whose hash was published at the start")
    if not event.definition.hash:
        remarks.append(
            f"its definition is hashed by rule {event.definition.hash_version}, which a newer arena can check"
        )
    elif event.definition.hash != event.definition_hash:
        wrong.append("the definition is not the one whose hash was published at the start")
    if published is not None and published.lower() != event.secret_hash:
        wrong.append(f"the seed hash is {event.secret_hash}, not {published.lower()}")
    used = event.versions.get("chance", str(chance.VERSION))
    if used != str(chance.VERSION):
        remarks.append(f"its chance was drawn by version {used}, and version {chance.VERSION} is installed")
    return VerificationResult(tuple(wrong), tuple(remarks))


def _seed(match: StoredMatch) -> Iterator[str]:
    if match.row.seed != deal_seed(match.event.mixed_secret, match.row.deal):
        yield f"its seed is not the one that follows from the tournament's secret for deal {match.row.deal}"


def _record(match: StoredMatch) -> Iterator[str]:
    row = match.row
    state: State | None = None
    asked: list[tuple[int, str]] = []
    answers = 0
    said = {say.ply for say in row.says}
    try:
        for state, answered in steps(match):
            for step, (seat, default) in zip(answered, asked, strict=True):
                if played_by_referee(row, seat, step.ply) and step.move != default:
                    yield (
                        f'answer {step.ply} of seat {seat}, which had failed, is "{step.move}" '
                        f'instead of the default move "{default}"'
                    )
                if played_by_referee(row, seat, step.ply) and step.ply in said:
                    yield f"seat {seat}, which had failed, says something with answer {step.ply}"
            answers += len(answered)
            asked = [(seat, state.default(seat)) for seat in state.asked]
    except RecordError as error:
        yield str(error)
        return
    assert state is not None
    if state.asked:
        yield f"the match is not over after its {answers} answers"
    if row.times and len(row.times) != answers:  # bare results have none
        yield f"it has {answers} answers, but {len(row.times)} times"
    if digest(state.events) != row.digest:
        yield "by the rules its log is another one: the fingerprints differ"
    outcome = state.outcome()
    scores = tuple(seat.score for seat in row.seats)
    if outcome.scores != scores:
        yield f"by the rules its scores are {_listed(outcome.scores)}, not {_listed(scores)}"
    forfeits = [seat.forfeit for seat in row.seats]
    expected, ranks = ranks_with_forfeits(outcome.ranks, forfeits), tuple(seat.rank for seat in row.seats)
    if expected != ranks:
        yield f"by the rules its ranks are {_listed(expected)}, not {_listed(ranks)}"
    for number, forfeit in enumerate(forfeits):
        if forfeit != any(fault.forfeit and fault.seat == number for fault in row.faults):
            told = "forfeited, but no fault took its last strike" if forfeit else "not forfeited, but a fault says so"
            yield f"seat {number} is {told}"


def _listed(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
