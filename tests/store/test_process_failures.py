"""Process failures in a database: what goes in comes out, once, within bounds."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena.store import Store, open_store
from arena.store.matches import process_failures
from arena.values.failure_rows import ProcessFailureRow
from tests import played
from tests.guessing import GUESSING

MOMENT = 1_700_000_000_000_000
KILLED = ProcessFailureRow(
    phase=3,
    player=1,
    entrant=2,
    time_us=MOMENT,
    kind="crash",
    sentence="it ended; the process was ended by signal SIGKILL",
    signal=9,
    matches=(4, 2, 7),
    output="last words\n",
    truncated=True,
)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        opened.add_tournament(played.tournament(GUESSING))
        yield opened


def fail(store: Store, *rows: ProcessFailureRow, tournament: int = 1) -> None:
    store.add_matches(tournament, [], failures=rows)


def test_what_goes_in_comes_out_the_newest_first(store: Store) -> None:
    exited = replace(KILLED, time_us=MOMENT + 5, signal=None, exit_code=3, guilty=4, matches=(4,), entrant=0)
    lost = replace(KILLED, time_us=MOMENT + 9, player=0, kind="connection", signal=None, output="", truncated=False)
    fail(store, KILLED, exited, lost)
    newest = store.process_failures.listed()
    assert [failure.row for failure in newest] == [lost, exited, KILLED]
    assert [failure.bot for failure in newest] == ["c", "a", "c"]
    assert {(failure.tournament, failure.finished) for failure in newest} == {(1, False)}
    first = store.tournament(1).first_match
    assert newest[1].match_ids == [newest[1].guilty_id] == [first + 4]
    assert newest[2].match_ids == [first + 4, first + 2, first + 7]
    assert newest[2].guilty_id is None
    assert [failure.row for failure in store.process_failures.listed(bots=["a"])] == [exited]
    assert [failure.row for failure in store.process_failures.listed(before=lost.time_us, limit=1)] == [exited]
    assert store.process_failures.listed(tournament=2) == store.process_failures.listed(bots=[]) == []
    assert store.process_failures.counts(1) == {0: {"crash": 1}, 2: {"connection": 1, "crash": 1}}
    assert (store.process_failures.count(tournament=1), store.process_failures.count(bots=["c"])) == (3, 2)
    assert KILLED.time == "2023-11-14T22:13:20.000+00:00"


def test_one_that_is_there_already_is_not_added_again(store: Store) -> None:
    fail(store, KILLED, KILLED)
    fail(store, replace(KILLED, sentence="otherwise"))
    assert [failure.row for failure in store.process_failures.listed()] == [KILLED]


def test_a_tournament_that_goes_on_gives_no_phase_twice_in_which_a_process_failed(store: Store) -> None:
    assert store.next_phase(1) == 0
    fail(store, KILLED)
    assert store.next_phase(1) == KILLED.phase + 1


def test_who_fails_without_end_fills_no_database(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_failures, "MAX_DETAILED", 3)
    fail(store, *(replace(KILLED, time_us=MOMENT + number) for number in range(2)))
    fail(
        store,
        *(replace(KILLED, time_us=MOMENT + number) for number in range(2, 6)),
        replace(KILLED, entrant=0, player=0),
    )
    rows = [failure.row for failure in reversed(store.process_failures.listed(bots=["c"]))]
    assert [(len(row.matches), row.output) for row in rows] == [(3, "last words\n")] * 3 + [(0, "")] * 3
    assert all(row.signal == 9 and row.truncated for row in rows)
    assert store.process_failures.counts(1) == {0: {"crash": 1}, 2: {"crash": 6}}
    assert store.process_failures.listed(bots=["a"])[0].row.output == "last words\n", "each bot has its own bound"


def test_a_match_knows_the_failures_that_bear_upon_it(store: Store) -> None:
    row = replace(played.match(GUESSING, 4), phase=3)
    store.add_matches(1, [row, replace(played.match(GUESSING, 5), phase=3)], failures=[KILLED])
    first = store.tournament(1).first_match
    assert store.match(first + 4).failures == (KILLED,)
    assert store.match(first + 5).failures == ()
    idle = replace(KILLED, phase=0, matches=())
    single = store.add_single(played.tournament(GUESSING, matches=1), played.match(GUESSING), (), [idle])
    assert store.match(single).failures == (idle,), "of a single match all, with a question open or not"
    assert [failure.tournament for failure in store.process_failures.listed()] == [None, 1]
