"""The sets that a withdrawn bot leaves unfinished are void, and all bots hold every seat equally often."""

import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.plan.packed_numbers import are_packed, pack_numbers, unpack_numbers
from arena.results.control import void, withdraw
from arena.results.stored_tournament import StoredTournament
from arena.results.verification import check
from arena.run.runner import run
from arena.store import Store, open_store
from arena.values.definition import Definition, TimeControl
from arena.values.rows import DecisionRow
from arena.values.tournament_errors import PlanError
from tests.tournament.runs import Watcher, begin, results

pytestmark = pytest.mark.usefixtures("in_process")

Make = Callable[..., Definition]

PLAY = """
import sys
from arena.store import open_store
from arena.results.stored_tournament import StoredTournament
from arena.run.runner import run
from tests.tournament.runs import Watcher

with open_store(sys.argv[1], write=True) as store:
    tournament = StoredTournament.load(store, int(sys.argv[2]))
    run(tournament, tournament.resumable_definition(), 2, Watcher(lambda: print("stored", flush=True)))
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.run.runner.LOG_SECONDS", 0.02)


def definition(cambio: Make, seats: int, rounds: int = 40, **kind: Any) -> Definition:
    """Return a tournament of five sample bots with short matches, few at a time."""
    made = cambio("random", "cautious", "random", "random", "cautious", rounds=rounds, seats=seats)
    time = TimeControl(move_time_ms=0, start_time_ms=60_000)
    return replace(made, options={"chips": "2"}, time=time, matches_at_once=2, **kind)


def play(store: Store, number: int, then: Callable[[], object] = lambda: None, jobs: int = 1) -> Watcher:
    """Play a tournament to its end.

    jobs: referees, each of which starts all bots.
    """
    watcher = Watcher(then)
    tournament = StoredTournament.load(store, number)
    run(tournament, tournament.resumable_definition(), jobs, watcher)
    return watcher


def leave(store: Store, number: int, bot: str, kept: Any = "keep") -> None:
    withdraw(StoredTournament.load(store, number), bot, "drop", kept, "Ada", "it asked to")


def seats_held(store: Store, number: int) -> dict[int, Counter[int]]:
    """Return by bot how often it held each seat."""
    held: dict[int, Counter[int]] = defaultdict(Counter)
    for result in store.results(number):
        for seat, entrant in enumerate(result.entrants):
            held[entrant][seat] += 1
    return held


def assert_balanced(store: Store, number: int, seats: int) -> None:
    """Check that every bot held every seat equally often."""
    for entrant, counts in seats_held(store, number).items():
        assert len({counts[seat] for seat in range(seats)}) == 1, f"bot {entrant} held seats {counts}"


def assert_void(store: Store, number: int, bot: int) -> None:
    """Check that all matches of the schedule are stored but those of the bot that the log says are void."""
    tournament = StoredTournament.load(store, number)
    plan = tournament.format.plan(0, tournament.results)
    assert plan is not None
    void = {match for numbers in tournament.decisions.void for match in numbers}
    of_bot = {m.number for m in plan.iter_matches() if any(player.entrant == bot for player in m.players)}
    assert void <= of_bot
    assert store.played(number) == {*range(plan.matches)} - void
    voided = {entry.details["match"] for entry in tournament.log if entry.kind == "void"}
    assert voided <= void
    assert voided == {row.number for _, row in store.void_matches(number)}


def assert_verified(store: Store, number: int) -> None:
    parts = [*check(StoredTournament.load(store, number))]
    assert not [wrong for part in parts for _, verdict in part.findings for wrong in verdict.wrong]


@pytest.mark.parametrize("seats", [2, 5])
def test_a_bot_that_is_withdrawn_in_mid_run_leaves_balanced_seats(store: Store, cambio: Make, seats: int) -> None:
    # Long enough that it is not over before the withdrawal is signals, on a busy machine too.
    number = begin(store, definition(cambio, seats, rounds=320 // seats))
    play(store, number, lambda: leave(store, number, "random#2"), jobs=2)
    assert StoredTournament.load(store, number).row.finished
    assert_void(store, number, 2)
    assert_balanced(store, number, seats)
    assert_verified(store, number)


def test_complete_sets_stay_and_count(store: Store, cambio: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    number = begin(store, definition(cambio, 2, rounds=20, block=5))
    add_matches = store.add_matches

    def leave_late(tournament: int, rows: Any, *others: Any) -> None:
        """Store matches; once the first block is complete, withdraw a bot."""
        add_matches(tournament, rows, *others)
        is_complete = set(range(5 * 2 * 2)) <= set(store.played(number))
        if is_complete and not StoredTournament.load(store, number).decisions.dropped:
            leave(store, number, "random#2")

    monkeypatch.setattr(store, "add_matches", leave_late)
    play(store, number)
    held = seats_held(store, number)
    assert held[2][0] > 0
    assert len({held[2][seat] for seat in range(2)}) == 1
    assert_balanced(store, number, 2)
    assert_verified(store, number)
    assert any(result.entrants.count(2) for result in StoredTournament.load(store, number).rated_rows())


@pytest.mark.parametrize("kind", ["leg", "pause"])
def test_a_leg_that_begins_at_the_same_moment_refuses_no_withdrawal_but_a_decision_does(
    store: Store, cambio: Make, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    number = begin(store, definition(cambio, 2, rounds=20, block=5))
    withdraw_now = store.withdraw

    def withdraw_later(*arguments: Any, **named: Any) -> DecisionRow | None:
        if not store.decision_count(number):
            store.append_decision(number, "arena", kind, {"leg": 0})
        return withdraw_now(*arguments, **named)

    monkeypatch.setattr(store, "withdraw", withdraw_later)
    if kind == "pause":
        with pytest.raises(PlanError, match="at the same moment: try again$"):
            leave(store, number, "random#2")
    else:
        leave(store, number, "random#2")
    assert [row.kind for row in store.decisions(number)] == [kind] + ["withdraw"] * (kind == "leg")


def test_a_verification_says_which_match_counts_of_a_set_that_is_void(store: Store, cambio: Make) -> None:
    number = begin(store, definition(cambio, 2, rounds=2))
    play(store, number)
    details = {"place": 2, "remaining": "drop", "results": "keep", "void": [[0, 7]]}
    store.append_decision(number, "Ada", "withdraw", details, "it asked to")
    tournament = StoredTournament.load(store, number)
    findings = [finding for part in check(tournament) for finding in part.findings]
    wrong = [sentence for _, verdict in findings for sentence in verdict.wrong]
    assert wrong == [
        f"match {tournament.row.first_match + match} counts, and by the log a withdrawn bot has not finished its set"
        for match in range(8)
    ]


def test_a_tournament_of_an_arena_that_had_others_play_open_sets_is_refused(store: Store, cambio: Make) -> None:
    number = begin(store, definition(cambio, 2, rounds=2))
    store.append_decision(number, "arena", "redraw", {"sets": [[0, 3]]})
    sentence = "^entry 1 of the tournament's log is of an earlier arena"
    with pytest.raises(PlanError, match=sentence):
        play(store, number)
    with pytest.raises(PlanError, match=sentence):
        [*check(StoredTournament.load(store, number))]
    with pytest.raises(PlanError, match=sentence):
        leave(store, number, "random#2")


def test_a_match_that_is_not_to_be_played_again_leaves_no_set_open(store: Store, cambio: Make) -> None:
    number = begin(store, definition(cambio, 2, rounds=2))
    play(store, number)
    tournament = StoredTournament.load(store, number)
    match = next(match for match, result in enumerate(store.results(number)) if 2 in result.entrants)
    void(tournament, tournament.row.first_match + match, False, "Ada", "a test")
    leave(store, number, "random#2")
    assert StoredTournament.load(store, number).decisions.void == ()
    assert store.played(number) == {*range(8)} - {match}


def test_a_match_that_is_stored_while_a_bot_is_withdrawn_is_void_too(store: Store, cambio: Make) -> None:
    """Which sets are open is settled in the transaction of the withdrawal."""
    number = begin(store, definition(cambio, 2, rounds=2))
    play(store, number)
    seen = len(store.decisions(number))
    stored: list[set[int]] = []

    def find_void(played: Collection[int]) -> list[list[int]]:
        stored.append({*played})
        return [[0, 1]]

    details = {"place": 2, "remaining": "drop", "results": "keep"}
    assert store.withdraw(number, "Ada", details, "", find_void, seen=seen - 1) is None, "another decision came first"
    assert not stored
    assert store.withdraw(number, "Ada", details, "", find_void, seen=seen) is not None
    assert stored == [{*range(8)}]
    assert store.played(number) == {*range(2, 8)}
    assert [entry.details for entry in store.decisions(number)[seen:]] == [
        details | {"void": [[0, 1]]},
        {"match": 0, "replay": False, "withdrawal": seen + 1},
        {"match": 1, "replay": False, "withdrawal": seen + 1},
    ]


@pytest.mark.processes
def test_a_run_that_is_killed_at_any_time_goes_on_to_the_same_results(
    store: Store, cambio: Make, tmp_path: Path
) -> None:
    whole = definition(cambio, 3)
    number = begin(store, whole)
    command = [sys.executable, "-c", PLAY, str(tmp_path / "arena.db"), str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"stored\n"
        leave(store, number, "cautious")  # which the process may learn of before it is killed, or not
        process.kill()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"stored\n"
        process.kill()
    play(store, number)
    assert_void(store, number, 1)
    assert_balanced(store, number, 3)
    assert_verified(store, number)

    # The same matches without any interruption, and without a withdrawal, have the same results.
    again = begin(store, whole)
    play(store, again)
    kept = {result[0] for result in results(store, number)}
    assert [result for result in results(store, again) if result[0] in kept] == results(store, number)


def test_a_bot_that_the_referee_withdraws_forfeits_and_seats_stay_balanced(
    store: Store, cambio: Make, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(CRASHES)
    made = cambio("random", "cautious", str(bad), "random", rounds=20, seats=3)
    made = replace(made, options={"chips": "2"}, time=TimeControl(move_time_ms=0), matches_at_once=2)
    number = begin(store, made)
    play(store, number)
    assert [*store.withdrawn(number)] == [2]
    assert store.count(number) == 60
    assert_balanced(store, number, 3)
    assert_verified(store, number)


CRASHES = """
from arena.sdk import Bot

class Bad(Bot):
    asked = 0

    def choose(self, question):
        self.asked += 1
        if self.asked == 5:
            os._exit(1)
        return question.legal[0]

Bad().run()
"""


def test_ranges_of_numbers() -> None:
    assert pack_numbers([5, 1, 2, 3, 9]) == [[1, 3], [5, 5], [9, 9]]
    assert [*unpack_numbers([[1, 3], [5, 5]])] == [range(1, 4), range(5, 6)]
    assert are_packed(pack_numbers([0, 4]))
    for wrong in ([[3, 1]], [[0, 2], [2, 3]], [[-1, 2]], [[0, 1 << 63]], [["0", 1]], [[True, 1]], [4], [[1]]):
        assert not are_packed(wrong)
