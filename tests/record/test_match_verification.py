"""What is wrong with a record is found and said."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.record.event_verification import event_errors, withdrawal_errors
from arena.record.match_verification import check_hashes, check_match
from arena.store import open_store
from arena.values.rows import DecisionRow, MatchRow, StoredMatch
from referee.engine import registry
from referee.engine.record import pack_answers, unpack_answers
from tests import played
from tests.guessing import GUESSING


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "game", lambda name: GUESSING)


RECORD = played.match(GUESSING, 5, faults={1: "timeout"})


@pytest.fixture
def match(tmp_path: Path) -> StoredMatch:
    with open_store(tmp_path / "a.db", create=True) as store:
        store.add_matches(store.add_tournament(played.tournament(GUESSING)), [RECORD])
        return store.match(6)


def wrong(match: StoredMatch, row: MatchRow) -> str:
    return "; ".join(check_match(replace(match, row=row)).wrong)


def test_a_true_record_has_nothing_wrong(match: StoredMatch) -> None:
    verdict = check_match(match)
    assert (verdict.wrong, verdict.remarks) == ((), ())


def test_forfeits_are_ranked_last(match: StoredMatch) -> None:
    record = played.match(GUESSING, 5, options={"rounds": "9"}, faults=dict.fromkeys(range(12), "crash"))
    framed = replace(match, event=replace(match.event, options={"rounds": "9"}))
    assert any(seat.forfeit for seat in record.seats)
    assert wrong(framed, record) == ""


def test_another_result_is_found(match: StoredMatch) -> None:
    score = RECORD.seats[0].score
    told = wrong(match, played.with_seat(RECORD, 0, score=score + 7))
    assert told.startswith("by the rules its scores are ")
    assert "its ranks are" in wrong(match, played.with_seat(RECORD, 0, rank=9))


def test_another_answer_is_found(match: StoredMatch) -> None:
    answers = unpack_answers(RECORD.answers)
    answers[0] = 1 - answers[0]
    assert "fingerprints differ" in wrong(match, replace(RECORD, answers=pack_answers(answers)))


def test_an_answer_out_of_range_is_found(match: StoredMatch) -> None:
    answers = [9, *unpack_answers(RECORD.answers)[1:]]
    assert wrong(match, replace(RECORD, answers=pack_answers(answers))) == "answer 0 of seat 0 is number 9 of 2 moves"


def test_a_record_that_ends_early_is_found(match: StoredMatch) -> None:
    told = wrong(match, replace(RECORD, answers=RECORD.answers[:4], times=RECORD.times[:4]))
    assert "the match is not over after its 4 answers" in told


def test_a_move_other_than_the_default_is_found(match: StoredMatch) -> None:
    answers = unpack_answers(RECORD.answers)
    answers[1] = 1
    told = wrong(match, replace(RECORD, answers=pack_answers(answers)))
    assert 'answer 1, of seat 1 after a fault, is "high" instead of the default move "low"' in told


def test_a_forfeit_without_a_fault_is_found(match: StoredMatch) -> None:
    told = wrong(match, played.with_seat(RECORD, 2, forfeit=True))
    assert "seat 2 is forfeited, but no fault is its last strike" in told


def test_missing_times_are_found(match: StoredMatch) -> None:
    assert "times" in wrong(match, replace(RECORD, times=RECORD.times[1:]))


def test_another_seed_is_found(match: StoredMatch) -> None:
    told = wrong(match, replace(RECORD, seed=bytes(32)))
    assert "its seed does not follow from the tournament's secret for deal 1" in told


def test_rules_of_another_version_are_remarked(match: StoredMatch) -> None:
    verdict = check_match(replace(match, row=replace(RECORD, behaviour=7)))
    assert verdict.wrong == ()
    assert "version 7 of guessing's rules, and version 1 is installed" in verdict.remarks[0]


def test_the_hashes_of_a_tournament_are_checked(match: StoredMatch) -> None:
    tournament = match.event
    assert check_hashes(tournament, tournament.secret_hash.upper()).wrong == ()
    assert "the secret is not" in check_hashes(replace(tournament, secret=bytes(32))).wrong[0]
    assert "the definition is not" in check_hashes(replace(tournament, definition_text="{}")).wrong[0]
    assert "not abc" in check_hashes(tournament, "abc").wrong[0]
    other = check_hashes(replace(tournament, versions={"chance": "2"}))
    assert "of version 2" in other.remarks[0]


def test_decisions_that_the_answers_do_not_count_are_found(match: StoredMatch) -> None:
    gave = RECORD.seats[2].decisions
    told = wrong(match, played.with_seat(RECORD, 2, decisions=gave + 1))
    assert told == f"seat 2 gave {gave} answers itself, and is stored with {gave + 1} decisions"


@pytest.mark.parametrize("factor", [0.5, 2])
def test_charged_time_that_the_times_do_not_add_up_to_is_found(match: StoredMatch, factor: float) -> None:
    charged = round(RECORD.seats[2].charged_us * factor)
    told = wrong(match, played.with_seat(RECORD, 2, charged_us=charged))
    assert told == (
        f"seat 2 is stored as charged {charged / 1e6:.6f} s, which the times of its answers do not add up to"
    )


def test_a_seat_that_failed_may_be_charged_for_more_than_its_answers(match: StoredMatch) -> None:
    record = played.match(GUESSING, 5, options={"rounds": "9"}, faults={4: "timeout"})
    framed = replace(match, event=replace(match.event, options={"rounds": "9"}))
    [fault] = record.faults
    charged = record.seats[fault.seat].charged_us
    assert charged > 0
    assert wrong(framed, played.with_seat(record, fault.seat, charged_us=charged + 1_000_000)) == ""
    assert "do not add up" in wrong(framed, played.with_seat(record, fault.seat, charged_us=charged // 2))


def test_a_fault_that_was_invented_is_found(match: StoredMatch) -> None:
    [fault] = RECORD.faults
    own = next(ply for ply in range(len(RECORD.times)) if RECORD.times[ply] and ply != fault.ply)
    invented = [
        (replace(fault, ply=own), "is about an answer"),
        (replace(fault, ply=own, forfeit=True), "not forfeited, but has a last strike"),
        (fault, "is one too many"),
        (replace(fault, ply=999), "cannot be"),
    ]
    for other, sentence in invented:
        assert sentence in wrong(match, replace(RECORD, faults=(fault, other)))


def test_a_fault_that_was_removed_is_found(match: StoredMatch) -> None:
    [fault] = RECORD.faults
    assert f"seat {fault.seat} gave " in wrong(match, replace(RECORD, faults=()))


def test_what_is_stored_beside_the_definition_is_compared_with_it(match: StoredMatch) -> None:
    bots = [{"name": each.name, "command": list(each.command), "folder": each.folder, "sha256": each.sha256}
            for each in match.event.entrants]  # fmt: skip
    event = played.planned(match.event, field=bots, options={}, behaviour=1)
    assert list(event_errors(event, [])) == []
    one, other, *rest = event.entrants
    exchanged = (replace(one, name=other.name), replace(other, name=one.name), *rest)
    assert list(event_errors(replace(event, entrants=exchanged), [])) == [
        "bot 0 is stored as b, and by its definition is a",
        "bot 1 is stored as a, and by its definition is b",
    ]
    for changed, sentence in (
        (replace(event, game="chess"), "its game is chess, and by its definition guessing"),
        (replace(event, options={"rounds": "9"}), "its options are rounds=9, and by its definition the default"),
        (replace(event, behaviour=2), "the version of its rules is 2, and by its definition 1"),
        (replace(event, seed="2"), "its secret does not follow from the seed 2"),
        (replace(event, entrants=event.entrants[1:]), "3 bots are stored, and by its definition and its log it has 4"),
        (replace(event, entrants=(replace(one, sha256="1" * 64), other, *rest)), "the SHA-256 of a is not that of "),
    ):
        [told] = event_errors(changed, [])
        assert told.startswith(sentence)


def test_a_definition_that_names_nobody_is_not_that_of_a_field(match: StoredMatch) -> None:
    leg = DecisionRow.chained("", 1, "arena", "leg", {"leg": 0}, "")
    [told] = event_errors(played.planned(match.event, field=[]), [leg])
    assert told == "4 bots are stored, and by its definition and its log it has 0"


def test_who_was_withdrawn_is_compared_with_the_log(match: StoredMatch) -> None:
    event = match.event
    details = {"place": 1, "remaining": "drop", "results": "keep"}
    entry = DecisionRow.chained("", 1, "ann", "withdraw", details, "tired")
    withdrawn = tuple(replace(bot, withdrawn="tired") if bot.name == "b" else bot for bot in event.entrants)
    marked = replace(event, entrants=withdrawn)
    assert list(withdrawal_errors(marked, [entry], set())) == []
    assert list(withdrawal_errors(event, [entry], set())) == ["b is not stored as withdrawn, as its log says"]
    leg = DecisionRow.chained("", 1, "arena", "leg", {"leg": 0}, "")
    assert list(withdrawal_errors(marked, [leg], {1})) == []
    [told] = withdrawal_errors(marked, [leg], {0})
    assert told == "b is stored as withdrawn, which its log does not say, and none of its processes failed"
