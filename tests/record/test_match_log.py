"""The log as everybody, and as one seat could know it."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.record import text
from arena.record.match_log import LogDecision, LogEvent, log
from arena.store import open_store
from arena.values.rows import FaultRow, StoredMatch
from referee.engine import registry
from tests import played
from tests.guessing import GUESSING


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "game", lambda name: GUESSING)


@pytest.fixture
def match(tmp_path: Path) -> StoredMatch:
    with open_store(tmp_path / "a.db", create=True) as store:
        tournament = store.add_tournament(played.tournament(GUESSING))
        store.add_matches(tournament, [played.match(GUESSING, faults={1: "timeout", 2: "illegal"}, notes=True)])
        return store.match(1)


def test_everybody_sees_every_event_in_order(match: StoredMatch) -> None:
    entries = list(log(match))
    assert [entry.text for entry in entries if isinstance(entry, LogEvent)][:6] == [
        "round 1",
        "seat 0 gets 3",
        "seat 1 gets 1",
        "seat 2 gets 1",
        "seat 3 gets 3",
        "dice 5 4",
    ]
    assert [entry.ply for entry in entries if isinstance(entry, LogDecision)] == list(range(len(match.row.times)))


def test_an_answer_stands_between_what_it_was_asked_about_and_what_came_of_it(match: StoredMatch) -> None:
    kinds = [type(entry).__name__ for entry in log(match)]
    assert kinds[:14] == [*["LogEvent"] * 6, *["FaultRow"] * 2, *["LogDecision"] * 4, *["LogEvent"] * 2]


def test_a_failure_is_followed_by_the_default_move(match: StoredMatch) -> None:
    entries = list(log(match))
    assert FaultRow(1, 1, "timeout", "seat 1 failed at 1") in entries
    decision = next(entry for entry in entries if isinstance(entry, LogDecision) and entry.ply == 1)
    assert (decision.move, decision.default, decision.micros, decision.notes) == ("low", True, None, ())


def test_a_seat_sees_its_own_cards_and_answers_only(match: StoredMatch) -> None:
    for seat in range(4):
        entries = list(log(match, seat))
        lines = [entry.text for entry in entries if isinstance(entry, LogEvent)]
        assert all(line.startswith(f"seat {seat} ") for line in lines if " gets " in line)
        assert not any(line.startswith("dice") for line in lines)
        assert {entry.seat for entry in entries if not isinstance(entry, LogEvent)} == {seat}


def test_notes_times_and_faults_of_others_stay_hidden(match: StoredMatch) -> None:
    printed = "\n".join(text.lines(log(match, 0)))
    assert "thought 0 of seat 0" in printed
    assert "of seat 1" not in printed
    assert "failed" not in printed
    assert "seat 1 failed at 1" in "\n".join(text.lines(log(match, 1)))


def test_a_forfeited_seat_is_played_to_the_end(tmp_path: Path) -> None:
    with open_store(tmp_path / "b.db", create=True) as store:
        record = played.match(GUESSING, 3, options={"rounds": "9"}, faults=dict.fromkeys(range(12), "crash"))
        store.add_matches(store.add_tournament(played.tournament(GUESSING, options={"rounds": "9"})), [record])
        stored = store.match(4)
    decisions = [entry for entry in log(stored) if isinstance(entry, LogDecision)]
    last = next(fault for fault in record.faults if fault.forfeit)
    assert all(entry.default for entry in decisions if entry.seat == last.seat and entry.ply >= last.ply)


def test_the_text_shows_move_choice_time_and_note(match: StoredMatch) -> None:
    lines = list(text.lines(log(match)))
    at = next(n for n, line in enumerate(lines) if line.startswith("    0. "))
    assert lines[at] == "    0. seat 0: high    [2 of 2: low, high]    100 µs"
    assert lines[at + 1] == '       "thought 0 of seat 0"'
    assert "    !  seat 1: timeout: seat 1 failed at 1" in lines
    assert "    1. seat 1: low    [1 of 2: low, high]    default move" in lines


def test_the_heading_tells_the_options_where_there_are_any(match: StoredMatch) -> None:
    given = replace(match.event, options={"tries": "3", "from": "2"})
    assert list(text.heading(replace(match, event=given)))[1] == "options: from=2, tries=3"


def test_heading_and_ending_name_the_players(match: StoredMatch) -> None:
    assert list(text.heading(match, 2)) == [
        "match 1 of tournament 1: guessing, 4 seats, deal 0, rotation 0",
        "seat 0: a",
        "seat 1: b",
        "seat 2: c",
        "seat 3: d",
        "the log as seat 2 could see it",
    ]
    assert next(text.ending(match)).startswith("seat 0: a, rank ")


@pytest.mark.parametrize(
    ("micros", "shown"),
    [(0.4, "under 1 µs"), (85.2, "85 µs"), (1234, "1.2 ms"), (45_600, "46 ms"), (3_400_000, "3.4 s"), (98e6, "98 s")],
)
def test_durations_come_in_the_unit_that_suits_them(micros: float, shown: str) -> None:
    assert text.duration(micros) == shown
