"""Other bots play the sets that a withdrawn bot leaves unfinished, and all of them hold every seat equally often."""

import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.store import Store, open_store
from arena.tournament.control import extend, withdraw
from arena.tournament.plan.definition import Definition, TimeControl
from arena.tournament.plan.redraw import are_packed, pack_numbers, unpack_numbers
from arena.tournament.results.stored_tournament import StoredTournament
from arena.tournament.results.verification import check
from arena.tournament.run.runner import run
from tests.tournament.runs import Watcher, begin, results

Make = Callable[..., Definition]

PLAY = """
import sys
from arena.store import open_store
from arena.tournament.results.stored_tournament import StoredTournament
from arena.tournament.run.runner import run
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
    monkeypatch.setattr("arena.tournament.run.runner.LOG_SECONDS", 0.02)


def definition(cambio: Make, seats: int, rounds: int = 40, **kind: Any) -> Definition:
    """Return a tournament of five sample bots with short matches, few at a time."""
    made = cambio("random", "cautious", "random", "random", "cautious", rounds=rounds, seats=seats)
    time = TimeControl(move_time_ms=0, start_time_ms=60_000)
    return replace(made, options={"chips": "2"}, time=time, matches_at_once=2, **kind)


def play(store: Store, number: int, then: Callable[[], object] = lambda: None, jobs: int = 1) -> Watcher:
    """Play a tournament to its end. jobs: referees, each of which starts all bots."""
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


def assert_balanced(held: dict[int, Counter[int]], seats: int, gone: int, spread: int = 1) -> None:
    """Check that every bot held every seat equally often, and all but one as often as each other give or take a set."""
    for entrant, counts in held.items():
        assert len({counts[seat] for seat in range(seats)}) == 1, f"bot {entrant} held seats {counts}"
    sets = [counts[0] for entrant, counts in held.items() if entrant != gone]
    assert max(sets) - min(sets) <= spread


def assert_verified(store: Store, number: int) -> None:
    parts = [*check(StoredTournament.load(store, number))]
    assert not [wrong for part in parts for _, verdict in part.findings for wrong in verdict.wrong]


@pytest.mark.parametrize("seats", [2, 5])
def test_a_bot_that_is_withdrawn_in_mid_run_leaves_balanced_seats(store: Store, cambio: Make, seats: int) -> None:
    # Long enough that it is not over before the withdrawal is heeded, on a busy machine too.
    number = begin(store, definition(cambio, seats, rounds=320 // seats))
    watcher = play(store, number, lambda: leave(store, number, "random#2"), jobs=2)
    tournament = StoredTournament.load(store, number)
    assert tournament.row.finished
    assert any("are redrawn" in line for line in watcher.lines)
    assert store.count(number) == tournament.row.matches
    held = seats_held(store, number)
    assert_balanced(held, seats, gone=2)
    assert_verified(store, number)
    kinds = Counter(entry.kind for entry in tournament.log)
    assert kinds["redraw"] == 1
    assert kinds["void"] == len([*store.void_matches(number)])


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
    assert_balanced(held, 2, gone=2, spread=2)
    assert_verified(store, number)
    assert any(result.entrants.count(2) for result in StoredTournament.load(store, number).rated_rows())


@pytest.mark.parametrize("block", [10, 40])
@pytest.mark.parametrize("seats", [2, 4])
def test_an_extended_tournament_seats_who_is_left(store: Store, cambio: Make, block: int, seats: int) -> None:
    """The further rounds begin a block, or belong to the block in which the bot was withdrawn."""
    number = begin(store, definition(cambio, seats, rounds=20, block=block))
    play(store, number, lambda: leave(store, number, "random#2"))
    before = results(store, number)
    extend(StoredTournament.load(store, number), 40)
    play(store, number)
    assert [result for result in results(store, number) if result[0] < len(before)] == before
    tournament = StoredTournament.load(store, number)
    assert tournament.row.finished
    assert store.count(number) == tournament.row.matches == 2 * len(before)
    further = range(len(before), 2 * len(before))
    assert {bot for result in store.results(number, further) for bot in result.entrants} == {0, 1, 3, 4}
    assert_balanced(seats_held(store, number), seats, gone=2, spread=3)
    assert_verified(store, number)


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
    assert [entry.kind for entry in store.decisions(number)].count("redraw") == 1
    play(store, number)
    assert_balanced(seats_held(store, number), 3, gone=1)
    assert_verified(store, number)

    # The same decisions on the same deals without any interruption lead to the same matches.
    again = begin(store, whole)
    for entry in store.decisions(number):
        if entry.kind != "void":
            store.append_decision(again, entry.who, entry.kind, dict(entry.details), entry.reason)
    play(store, again)
    kept = {result[0] for result in results(store, again)}
    assert [result for result in results(store, number) if result[0] in kept] == results(store, again)
    missing = [result for result in results(store, number) if result[0] not in kept]
    assert all(any(seat[0] == 1 for seat in result[-1]) for result in missing), "complete sets of the withdrawn bot"


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
    assert_balanced(seats_held(store, number), 3, gone=2)
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
