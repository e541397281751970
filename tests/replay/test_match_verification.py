"""What is wrong with a record is found and said."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.replay.match_verification import check_hashes, check_match
from arena.store import open_store
from arena.store.rows import MatchRow, StoredMatch
from arena.store.stored_definition import StoredDefinition
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
    assert "the definition is not" in check_hashes(replace(tournament, definition=StoredDefinition({}))).wrong[0]
    assert "not abc" in check_hashes(tournament, "abc").wrong[0]
    other = check_hashes(replace(tournament, versions={"chance": "2"}))
    assert "of version 2" in other.remarks[0]
