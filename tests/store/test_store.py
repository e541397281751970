"""What is stored comes back as it was."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from arena.store import NoSuchRow, Store, StoreError, open_store
from arena.values.rows import EffortRow, MatchRow, NoteRow, OutputRow, ResultRow
from referee.engine.record import Say
from tests import played
from tests.guessing import GUESSING

FAULTY = {1: "timeout", 2: "crash"}


def record(number: int) -> MatchRow:
    return played.match(GUESSING, number, faults=FAULTY if number % 2 else {}, notes=True)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        yield opened


@pytest.fixture
def filled(store: Store) -> Store:
    store.add_matches(store.add_tournament(played.tournament(GUESSING)), [record(number) for number in (3, 0, 1)])
    return store


def test_tournaments_count_from_one(store: Store) -> None:
    new = played.tournament(GUESSING)
    assert [store.add_tournament(new) for _ in range(3)] == [1, 2, 3]
    assert [each.id for each in store.tournaments()] == [1, 2, 3]
    assert store.tournament().id == 3


def test_a_tournament_comes_back(store: Store) -> None:
    new = played.tournament(GUESSING, options={"rounds": "5"})
    stored = store.tournament(store.add_tournament(new))
    names = ("game", "options", "behaviour", "definition", "secret", "seed", "versions", "entrants", "matches")
    assert [getattr(stored, name) for name in names] == [getattr(new, name) for name in names]
    assert stored.secret_hash == sha256(new.secret).hexdigest()
    assert stored.definition_hash == new.definition_hash
    assert stored.created
    assert stored.finished is None


def test_a_definition_is_hashed_whatever_the_order_of_its_names() -> None:
    new = played.tournament(GUESSING)
    turned = replace(new, definition_text=json.dumps(dict(reversed(json.loads(new.definition_text).items()))))
    assert turned.definition_hash == new.definition_hash


def test_matches_come_back_whatever_order_they_ended_in(filled: Store) -> None:
    for number in (0, 1, 3):
        stored = filled.match(1 + number)
        assert stored.row == record(number)
        assert stored.event == filled.tournament(1)
    assert filled.played(1) == {0, 1, 3}
    assert filled.match_ids(1) == [1, 2, 4]


def test_match_ids_are_reserved_for_the_whole_schedule(filled: Store) -> None:
    second = filled.add_tournament(played.tournament(GUESSING, matches=10))
    filled.add_matches(second, [record(9)])
    single = filled.add_single(played.tournament(GUESSING, matches=1), record(0))
    assert filled.match(1010).row.number == 9
    assert single == 1011
    assert filled.played(second) == {9}


def test_a_match_counts_once(filled: Store) -> None:
    filled.add_matches(1, [replace(record(0), duration_ms=77), record(2)])
    assert filled.match(1).row == record(0)
    assert filled.played(1) == {0, 1, 2, 3}


def test_matches_of_the_tournament_beside_it_are_not_counted(store: Store) -> None:
    for _ in range(3):
        new = replace(played.tournament(GUESSING), matches=2)
        store.add_matches(store.add_tournament(new), [record(0), record(1)])
    assert [store.match_ids(number) for number in (1, 2, 3)] == [[1, 2], [3, 4], [5, 6]]
    assert [(store.count(number), store.unsummarised(number)) for number in (1, 2, 3)] == [(2, 2)] * 3
    assert [len([*store.results(number)]) for number in (1, 2, 3)] == [2, 2, 2]


def test_a_batch_is_stored_whole_or_not_at_all(filled: Store) -> None:
    broken = replace(record(5), digest=None)  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="refused: .*(?i:not.null)"):
        filled.add_matches(1, [record(4), broken])
    assert filled.played(1) == {0, 1, 3}


def test_a_single_match_is_no_tournament(store: Store) -> None:
    output = OutputRow(0, 2, 2, "hello\n", name="Bot", version="2")
    id = store.add_single(played.tournament(GUESSING, matches=1), record(0), [output])
    stored = store.match(id)
    assert (id, stored.tournament_id, stored.row, stored.outputs) == (1, None, record(0), {2: output})
    assert stored.players == ["a", "b", "c", "d"]
    assert store.tournaments() == []
    assert store.add_tournament(played.tournament(GUESSING)) == 1
    assert store.tournament(1).first_match == 2


def test_results_come_in_the_order_of_the_schedule(filled: Store) -> None:
    expected = [record(number) for number in (0, 1, 3)]
    assert list(filled.results(1)) == [
        ResultRow(
            row.deal,
            tuple(seat.entrant for seat in row.seats),
            tuple(seat.score for seat in row.seats),
            tuple(seat.rank for seat in row.seats),
        )
        for row in expected
    ]


def test_faults_and_efforts_are_summed_by_entrant(filled: Store) -> None:
    rows = [record(number) for number in (0, 1, 3)]
    seats = [(row, number, seat) for row in rows for number, seat in enumerate(row.seats)]
    for entrant in range(4):
        own = [(row, number, seat) for row, number, seat in seats if seat.entrant == entrant]
        kinds = [fault.kind for row, number, _ in own for fault in row.faults if fault.seat == number]
        assert filled.fault_counts(1).get(entrant, {}) == {kind: kinds.count(kind) for kind in kinds}
        assert filled.efforts(1)[entrant] == EffortRow(
            3, sum(seat.decisions for *_, seat in own), sum(seat.charged_us for *_, seat in own)
        )


def test_outputs_belong_to_the_phase_and_the_player(filled: Store) -> None:
    text = "x" * 5000 + "é\n"
    printed = [OutputRow(1, 2, 3, text, truncated=True), OutputRow(3, 2, 1, "other")]
    filled.add_outputs(1, [OutputRow(1, 2, 3, "earlier")])
    filled.add_outputs(1, [OutputRow(1, 2, 3, "twice in"), OutputRow(1, 2, 3, "a transaction")])
    filled.add_outputs(1, printed)
    assert filled.match(2).outputs == {2: printed[0]}
    assert filled.next_phase(1) == 4


def test_output_of_another_bot_is_not_shown_as_a_seat_s_own(filled: Store) -> None:
    filled.add_outputs(1, [OutputRow(1, 2, 0, "not b's")])
    assert filled.match(2).outputs == {}


def test_phases_count_from_zero(store: Store) -> None:
    assert store.next_phase(store.add_tournament(played.tournament(GUESSING))) == 0


def test_a_withdrawn_bot_is_remembered_with_the_reason(filled: Store) -> None:
    filled.mark_withdrawn(1, 2, "9 crashes")
    assert filled.withdrawn(1) == {2: "9 crashes"}
    assert filled.tournament(1).entrants[2].withdrawn == "9 crashes"


@pytest.mark.parametrize(("remaining", "stored"), [("drop", 3), ("forfeit", 4)])
def test_no_more_matches_of_a_bot_that_plays_no_more_are_stored(filled: Store, remaining: str, stored: int) -> None:
    late = record(2)
    details = {"place": late.seats[-1].entrant, "remaining": remaining, "results": "keep"}
    filled.append_decision(1, "o", "withdraw", details)
    filled.add_matches(1, [late])
    assert filled.count(1) == stored


def test_a_tournament_is_finished_once_it_is_said(filled: Store) -> None:
    filled.finish_tournament(1)
    assert filled.tournament(1).finished is not None


def test_a_tournament_that_is_finished_keeps_its_time(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.store.store.utc_now", iter(["2026-01-01T10:00:00", "2026-01-02T10:00:00"]).__next__)
    filled.finish_tournament(1)
    filled.finish_tournament(1)
    assert filled.tournament(1).finished == "2026-01-01T10:00:00"


def test_lists_start_with_the_newest(filled: Store) -> None:
    listed = filled.matches()
    assert [match.id for match in listed] == [4, 2, 1]
    row = record(3)
    assert listed[0].players == ("d", "a", "b", "c")
    assert listed[0].scores == tuple(seat.score for seat in row.seats)
    assert listed[0].faults == ({}, {"timeout": 1}, {"crash": 1}, {})
    assert listed[0].faults_text() == "seat 1: timeout 1; seat 2: crash 1"
    assert replace(listed[0], faults=({}, {}, {}, {})).faults_text() == "-"
    assert (listed[0].tournament, listed[0].game, listed[0].deal) == (1, "guessing", 0)
    assert [match.id for match in filled.matches(limit=2)] == [4, 2]


def test_lists_are_filtered(filled: Store) -> None:
    second = filled.add_tournament(played.tournament(GUESSING, bots=6))
    filled.add_matches(second, [played.match(GUESSING, 2, bots=6)])
    timed_out = record(1).seats[1].entrant
    name = "abcd"[timed_out]
    assert [match.id for match in filled.matches(tournament=1)] == [4, 2, 1]
    assert [match.id for match in filled.matches(bot="f")] == [1003]
    assert [match.id for match in filled.matches(seat=1)] == [1003, 4, 2, 1]
    assert filled.matches(seat=9) == []
    assert [match.id for match in filled.matches(seat=1, fault="any")] == [4, 2]
    assert filled.matches(seat=0, fault="any") == []
    assert [match.id for match in filled.matches(fault="any")] == [4, 2]
    assert filled.matches(fault="hung") == []
    assert 2 in [match.id for match in filled.matches(bot=name, fault="timeout")]
    others = [match.id for match in filled.matches(bot="abcd"[timed_out - 1], fault="timeout")]
    assert 2 not in others
    assert filled.names() == ["a", "b", "c", "d", "e", "f"]


WISHES: list[dict[str, Any]] = [
    *({}, {"seat": 1}, {"fault": "any"}, {"against": "other"}, {"tournament": 2}, {"before": 1003}),
]


@pytest.mark.parametrize("wishes", WISHES, ids=str)
def test_a_bots_worst_matches_come_first_whatever_else_is_wished_for(filled: Store, wishes: dict[str, Any]) -> None:
    field = played.tournament(GUESSING).entrants
    turned = replace(played.tournament(GUESSING), entrants=field[::-1])
    for new in (turned, replace(turned, entrants=(*field[:3], replace(field[3], name="other")))):
        filled.add_matches(filled.add_tournament(new), [record(number) for number in range(6)])
    filled.add_single(turned, record(7))
    plain = filled.matches(bot="b", **wishes)
    assert plain
    worst = sorted(plain, key=lambda match: match.scores[match.players.index("b")])
    assert filled.matches(bot="b", worst=True, **wishes) == worst
    assert filled.matches(bot="b", worst=True, limit=2, **wishes) == worst[:2]


def test_an_edition_tells_whether_a_match_is_what_it_was(filled: Store) -> None:
    editions = [filled.match_version(1)]
    filled.add_matches(1, [record(5)])
    filled.finish_tournament(1)
    assert filled.match_version(2) != editions[0]
    editions.append(filled.match_version(1))
    seat = record(0).seats[0]
    for text in ("printed", "printed more"):
        filled.add_matches(1, [], [OutputRow(record(0).phase, seat.player, seat.entrant, text)])
        editions.append(filled.match_version(1))
    filled.append_decision(1, "o", "void", {"match": 0, "replay": True})
    with pytest.raises(NoSuchRow, match="no match 1: "):
        filled.match_version(1)
    filled.add_matches(1, [record(0)])
    editions.append(filled.match_version(1))
    assert len(set(editions)) == len(editions)
    assert filled.match_version(1) == filled.match_version(1)


def test_notes_are_kept_up_to_64_kib_a_seat(store: Store) -> None:
    notes = [NoteRow(0, ply, "ü" * 511 + f"{ply:02}") for ply in range(80)]
    row = replace(record(0), notes=(*notes, NoteRow(1, 3, "short")))
    store.add_matches(store.add_tournament(played.tournament(GUESSING)), [row])
    stored = store.match(1)
    stored_notes = [note for note in stored.row.notes if note.seat == 0]
    assert stored_notes[:64] == notes[:64]
    assert len("".join(note.text for note in stored_notes).encode()) <= 64 * 1024
    assert stored.truncated_notes == {0}
    assert NoteRow(1, 3, "short") in stored.row.notes


def test_all_that_was_said_is_kept(store: Store) -> None:
    says = tuple(Say(ply % 4, ply, "ü" * 500 + f"{ply:03}") for ply in range(0, 600, 3))
    row = replace(record(0), says=says)
    store.add_matches(store.add_tournament(played.tournament(GUESSING)), [row, record(1)])
    assert store.match(1).row == row
    assert store.match(2).row.says == ()


def test_what_is_not_there_is_a_sentence(store: Store) -> None:
    with pytest.raises(NoSuchRow, match="has no tournament yet: run one with `arena tourney`"):
        store.tournament()
    with pytest.raises(NoSuchRow, match="has no tournament 1: it has none yet"):
        store.tournament(1)
    store.add_tournament(played.tournament(GUESSING))
    with pytest.raises(NoSuchRow, match="has no tournament 2: it has numbers 1 to 1"):
        list(store.results(2))
    with pytest.raises(NoSuchRow, match="has no match 7: `arena matches` lists"):
        store.match(7)


def test_many_threads_may_write_and_read(store: Store) -> None:
    tournament = store.add_tournament(played.tournament(GUESSING))

    def add(number: int) -> int:
        store.add_matches(tournament, [record(number)])
        return len(list(store.results(tournament)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(40)))
    assert store.played(tournament) == set(range(40))


def test_all_is_answered_from_one_moment_where_that_is_wished_for(filled: Store, database: str) -> None:
    before = list(filled.results(1))
    with open_store(database) as other, filled.snapshot():
        assert filled.count(1) == len(before)
        number = 2
        other.add_matches(1, [record(number)])
        assert number not in filled.played(1)
        with filled.snapshot():
            assert list(filled.results(1)) == before
        assert filled.rating_sums(1).results == tuple(before)
        with ThreadPoolExecutor() as pool:
            assert pool.submit(filled.count, 1).result() == len(before) + 1, "of another thread nobody wished it"
    assert filled.count(1) == len(before) + 1


def test_two_programs_may_write_at_once(store: Store, database: str) -> None:
    with open_store(database, write=True) as other:
        assert [
            store.add_tournament(played.tournament(GUESSING)),
            other.add_tournament(played.tournament(GUESSING)),
        ] == [1, 2]
        other.add_matches(1, [record(0)])
        assert store.played(1) == {0}


def test_matches_of_two_bots_are_looked_for_where_both_entered_and_may_have_met(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    field = played.tournament(GUESSING).entrants
    renamed = (*field[:3], replace(field[3], name="other"))
    second = filled.add_tournament(replace(played.tournament(GUESSING), entrants=renamed))
    filled.add_matches(second, [record(number) for number in range(3)])
    single = filled.add_single(replace(played.tournament(GUESSING), entrants=renamed), record(7))
    among = [match.id for match in filled.matches(bot="a", against="other")]
    assert among == [single, *[match.id for match in filled.matches(tournament=second)]]
    assert [match.id for match in filled.matches(bot="a", against="other", excluded={second})] == [single]
    assert [match.id for match in filled.matches(bot="a", against="b", excluded={second})][-3:] == [4, 2, 1]
    monkeypatch.setattr("arena.store.matches.match_filter.select_matches", None)  # no match is asked for any more
    assert filled.matches(bot="d", against="other") == []
    assert filled.matches(bot="a", against="other", tournament=second, excluded={second}) == []
