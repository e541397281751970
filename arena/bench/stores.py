"""Measure a large database: the cost of storing matches, and the time of queries.

The schedule is that of a tournament of two hundred bots. Answers, times and logs are those of a few hundred random
matches, again and again; seeds, and who sat where, are the schedule's, and better bots are given the better places. So
nothing is shorter or more alike than in a real tournament, but no such record is true to its deal.
"""

import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from urllib.request import urlopen

from arena.bench.figures import BenchError, Figure, Sampling
from arena.bench.protocol import BenchTable
from arena.bench.tournament_benchmark import program, size
from arena.plan.definition_builder import define
from arena.plan.field import find_bots, samples
from arena.plan.new_event import new_event
from arena.plan.schedule import MatchPlan, Plan
from arena.plan.secret import new_secret
from arena.results.stored_tournament import StoredTournament
from arena.store import Store, open_store
from arena.store.matches.summaries import BATCH
from arena.values.definition import Definition, Settings
from arena.values.rows import MatchRow, SeatRow
from referee.engine.chance import Chance, deal_seed
from referee.engine.events import digest
from referee.engine.record import pack_answers, pack_time

BOTS = 200
DIFFERENT = 256
"""Random matches, whose answers and times are stored again and again."""

_TOGETHER = 512
"""Matches that are stored in one transaction."""


def measure(table: BenchTable, sampling: Sampling) -> Iterator[Figure]:
    """Yield what a database of `effort.stored` matches costs, and how long it takes to look at it."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        db = Path(folder, "bench.db")
        definition = define(
            table.game,
            table.options,
            find_bots(["random"] * BOTS, samples(None)),
            Settings(rounds=1, seats=table.seats),
        )
        per_round = Plan.of(definition, new_secret(1)).matches
        rounds = -(-sampling.stored // per_round)
        definition = define(table.game, table.options, definition.field, Settings(rounds=rounds, seats=table.seats))
        began = time.perf_counter()
        with open_store(db, create=True) as store:
            bare = size(db)
            matches = fill(store, definition, table)
            bot = store.tournament().entrants[BOTS // 2].name
        filling = time.perf_counter() - began
        conditions: dict[str, str | int] = {
            "game": table.game.name, "seats": table.seats, "bots": BOTS, "matches": matches, "time": "wall"
        }  # fmt: skip
        yield Figure("store.add", "matches/s", (matches / filling,), "matches stored and added up", conditions)
        yield Figure("store.size", "MB", (size(db) / 1e6,), "the database with everything in it", conditions)
        what = "size of the database, less that of an empty one, by matches"
        yield Figure("store.record", "bytes/match", ((size(db) - bare) / matches,), what, conditions)
        yield from _commands(db, bot, sampling, conditions)
        yield from _pages(db, sampling, conditions)


def fill(store: Store, definition: Definition, table: BenchTable) -> int:
    """Store a tournament with all its matches, in the order in which they would be played; return how many."""
    secret = new_secret(1)
    plan = Plan.of(definition, secret)
    number = store.add_tournament(new_event(definition, secret, 1, plan.matches))
    tournament = StoredTournament.load(store, number)
    made = _rows(table, plan, secret)
    since = 0
    while rows := list(islice(made, _TOGETHER)):
        store.add_matches(number, rows)
        since += len(rows)
        if since >= BATCH:  # as a tournament does
            since = 0
            tournament.summarise()
    store.finish_tournament(number)
    tournament.summarise(is_over=True)
    return plan.matches


def _rows(table: BenchTable, plan: Plan, secret: bytes) -> Iterator[MatchRow]:
    rng = Random(1)
    pool = [_random_match(table, rng) for _ in range(DIFFERENT)]
    for phase in plan.iter_phases():
        for match in phase.matches:
            yield _row(pool[rng.randrange(DIFFERENT)], match, phase.id, secret, rng)


def _random_match(table: BenchTable, rng: Random) -> MatchRow:
    """Return the record of a random match."""
    seed = deal_seed(new_secret(1), rng.getrandbits(30))
    state = table.game.start(table.options, table.seats, Chance(seed))
    answers: list[int] = []
    decisions = [0] * table.seats
    while state.asked:
        moves = []
        for seat in state.asked:
            legal = state.legal(seat)
            answers.append(rng.randrange(len(legal)))
            decisions[seat] += 1
            moves.append(legal[answers[-1]])
        state.apply(moves)
    times = bytes(pack_time(rng.lognormvariate(5.5, 0.7)) for _ in answers)
    outcome = state.outcome()
    seats = tuple(
        SeatRow(0, 0, outcome.scores[seat], outcome.ranks[seat], decisions[seat], 250 * decisions[seat])
        for seat in range(table.seats)
    )
    return MatchRow(
        0, 0, 0, 0, 0, 0, seed, table.game.behaviour, pack_answers(answers), times, digest(state.events),
        len(answers), seats,
    )  # fmt: skip


def _row(row: MatchRow, match: MatchPlan, phase: int, secret: bytes, rng: Random) -> MatchRow:
    """Return a random match as one of the schedule."""
    form = [player.entrant / BOTS + rng.gauss(0, 1) for player in match.players]
    order = sorted(range(len(form)), key=form.__getitem__)
    seats = list(row.seats)
    for seat, result in zip(order, sorted(row.seats, key=lambda result: result.rank), strict=True):
        player = match.players[seat].entrant
        seats[seat] = SeatRow(player, seat, result.score, result.rank, result.decisions, result.charged_us)
    return MatchRow(
        match.number, phase, match.deal.round, match.deal.table, match.deal.number, match.rotation,
        deal_seed(secret, match.deal.number), row.behaviour, row.answers, row.times, rng.randbytes(16),
        row.duration_ms, tuple(seats),
    )  # fmt: skip


def _commands(db: Path, bot: str, sampling: Sampling, conditions: dict[str, str | int]) -> Iterator[Figure]:
    for name, words in {
        "ranking": ["ranking"],
        "ranking.crosstable": ["ranking", "--crosstable", "--csv"],
        "matches": ["matches"],
        "matches.bot": ["matches", "--bot", bot],
        "list": ["tourney", "list"],
        "show": ["tourney", "show", "1"],
    }.items():
        runs = tuple(_command([*program(), *words, "--db", str(db)]) for _ in range(sampling.whole_runs))
        yield Figure(f"store.{name}", "s", runs, f"arena {' '.join(words)}, from start to end", conditions)


def _command(words: list[str]) -> float:
    began = time.perf_counter()
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchError(f"{' '.join(words)} failed with exit code {done.returncode}: {done.stderr.strip()}")
    return time.perf_counter() - began


def _pages(db: Path, sampling: Sampling, conditions: dict[str, str | int]) -> Iterator[Figure]:
    words = [*program(), "web", "--port", "0", "--db", str(db)]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            address = re.match(r"http://\S+/", line)
            if address is None:
                raise BenchError(f"{' '.join(words)} does not serve: {line.strip()}")
            page = f"{address[0]}tournaments/1"
            first = _seconds(lambda: _get(page))
            yield Figure("store.page.first", "s", (first,), "the page of the tournament, asked for first", conditions)
            runs = tuple(_seconds(lambda: _get(page)) for _ in range(sampling.starts))
            yield Figure("store.page", "s", runs, "the same page, once it was asked for", conditions)
        finally:
            process.terminate()


def _get(address: str) -> None:
    with urlopen(address, timeout=300) as answer:
        answer.read()


def _seconds(what: Callable[[], None]) -> float:
    began = time.perf_counter()
    what()
    return time.perf_counter() - began
