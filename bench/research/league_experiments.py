"""Experiments with simulated leagues: matchmaking beside random tables.

Random tables are those of a round-robin: all entries play equally many, and no limit of a batch holds for them.
"""

from collections.abc import Sequence
from dataclasses import replace
from time import process_time
from typing import NamedTuple

import numpy as np

from arena.league.plan.matchmaking.even_tables import draw_even_tables
from arena.league.plan.matchmaking.placement import draw_placement, placement_over
from arena.league.plan.matchmaking.shape import PlacementShape, Shape
from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot
from arena.league.plan.matchmaking.standing import draw
from arena.ratings.keyed_sums import Ints
from bench.research.simulated_league import SimulatedLeague, error_of_order
from referee.engine.chance import Chance

DEALS = 25
"""Of a table."""

TABLES = {2: 32, 4: 32, 6: 16}
"""Of a batch, by seats. A deal costs as the square of the seats, and batches take about as long."""

CPU_US, SLOW = 3_000, 10
"""CPU time of a deal for an entry, and how much longer slow ones take."""

LEVELS = (0.125, 0.25, 0.5, 1.0, 2.0)
"""How long leagues of an established field are, as parts of what is asked for. Those of matchmaking stop at 1."""

_STEPS = (0.5, 1, 2, 3, 4, 6, 8, 12)
"""Random tables per entry after which newcomers are looked at."""


class Curve(NamedTuple):
    """Errors of order by the number of matches."""

    matches: list[float]
    errors: list[float]
    start: float = 0.0
    """The matches that were played before."""
    draw: float = 0.0
    """The CPU time of a draw, in seconds."""

    def matches_to(self, error: float) -> float:
        """Return the matches to an error, without those before: by a power of all matches, fitted to the curve.

        Once strengths are roughly known, this error falls with their variances, so with one over the matches.
        """
        x, y = np.log(np.array(self.matches) + self.start), np.log(np.maximum(self.errors, 1e-6))
        slope, height = np.polyfit(x, y, 1)
        return float(np.exp((np.log(max(error, 1e-6)) - height) / slope)) - self.start


def random_tables(entries: Sequence[int], seats: int, count: int, random: np.random.Generator) -> Ints:
    """Return some random tables at which all entries meet equally often."""
    owners = {entry: entry for entry in entries}
    return np.array(draw_even_tables(owners, seats, count, Chance(random.bytes(32)), "random"))


def begin(
    entries: int, seats: int, spread: float, deals: int, seed: Sequence[int], newcomers: int = 0
) -> SimulatedLeague:
    """Return a league after some deals per entry at random tables.

    spread: standard deviation of the true strengths in Elo.
    newcomers: further entries, who have not played yet.
    """
    random = np.random.default_rng([*seed, seats])
    league = SimulatedLeague(random.normal(0, spread, entries + newcomers), seats, random)
    league.play(random_tables(range(entries), seats, max(entries * deals // (DEALS * seats), 1), random), DEALS)
    league.fit()
    return league


def _snapshot(league: SimulatedLeague, number: int, with_truth: bool) -> Snapshot:
    """Return a snapshot in which all entries stand.

    with_truth: whether they stand at their true strengths.
    """
    count = len(league.elo)
    snapshot = league.snapshot(number, league.deals, [CPU_US] * count, [False] * count, [True] * count)
    if not with_truth:
        return snapshot
    return Snapshot(number, [replace(entry, elo=round(league.elo[entry.number])) for entry in snapshot.entries])


def established(
    entries: int, seats: int, spread: float, deals: int, refit: int, seed: Sequence[int], with_truth: bool = False
) -> tuple[Curve, Curve]:
    """Let a field that has played 100 deals per entry go on, at random tables and by matchmaking.

    deals: how many more are played per entry.
    refit: batches between two fits.
    with_truth: matchmaking knows the true strengths.
    """
    matched = begin(entries, seats, spread, 100, seed)
    played = float(matched.matches)
    random = matched.copy(np.random.default_rng([*seed, 1]))
    tables = TABLES[seats]
    batches = max(round(entries * deals / (tables * DEALS * seats)), 8)
    ends = [round(batches * level) for level in LEVELS]
    matches = [float(end * tables * DEALS * seats) for end in ends]
    errors: list[float] = []
    for start, end in zip([0, *ends], ends, strict=False):
        random.play(random_tables(range(entries), seats, (end - start) * tables, random.random), DEALS)
        random.fit()
        errors.append(error_of_order(random.elo, random.strengths).mean())
    matched_errors: list[float] = []
    shape, spent = Shape(seats, tables=tables, deals=DEALS, weekly_floor=0), 0.0
    for number in range(1, batches + 1):
        snapshot = _snapshot(matched, number, with_truth)
        begun = process_time()
        batch = draw(snapshot, shape, Chance(matched.random.bytes(32)))
        spent += process_time() - begun
        matched.play(np.array(batch.tables), batch.deals)
        if number % refit == 0 or number in ends:
            matched.fit()
        if number in ends:
            matched_errors.append(error_of_order(matched.elo, matched.strengths).mean())
    return Curve(matches, errors, played), Curve(
        matches[: len(matched_errors)], matched_errors, played, spent / batches
    )


class Placed(NamedTuple):
    """How newcomers were placed: means over them."""

    deals: float
    """The deals of a placement."""
    matches: float
    """The matches of a placement."""
    error: float
    """The error of their order after the placement."""
    random: Curve
    """The errors of their order at random tables of all entries instead."""


def newcomers(entries: int, seats: int, spread: float, arrivals: int, seed: Sequence[int]) -> Placed:
    """Have entries join a field that has played 400 deals per entry."""
    placed = begin(entries, seats, spread, 400, seed, arrivals)
    random = placed.copy(np.random.default_rng([*seed, 1]))
    new = slice(entries, None)
    before = placed.matches
    place_all(placed, list(range(entries, entries + arrivals)), [True] * (entries + arrivals))
    error = error_of_order(placed.elo, placed.strengths)[new].mean()
    everybody, played = entries + arrivals, 0
    matches, errors = [], []
    for step in _STEPS:
        count = max(round(step * everybody / seats), 1)
        random.play(random_tables(range(everybody), seats, max(count - played, 1), random.random), DEALS)
        random.fit()
        played = max(count, played + 1)
        matches.append(float(played * DEALS * seats))
        errors.append(float(error_of_order(random.elo, random.strengths)[new].mean()))
    mean_matches = (placed.matches - before) / arrivals
    return Placed(float(placed.deals[new].mean()), mean_matches, float(error), Curve(matches, errors))


def place_all(league: SimulatedLeague, placing: list[int], active: Sequence[bool]) -> None:
    """Play placement batches until the placement of all these entries is over."""
    shape, count = PlacementShape(league.seats), len(league.elo)
    number = 0
    while placing:
        costs = [CPU_US] * count
        snapshot = league.snapshot(number, league.deals, costs, [entry in placing for entry in range(count)], active)
        batch = draw_placement(snapshot, shape, Chance(league.random.bytes(32)))
        league.play(np.array(batch.tables), batch.deals)
        league.fit()
        number += 1
        ci95 = league.ci95()
        for entry in placing[:]:
            width = float(ci95[entry]) if np.isfinite(ci95[entry]) else None
            if placement_over(int(league.deals[entry]), width, 0.0):
                placing.remove(entry)


class Months(NamedTuple):
    """Two months of a league, with matchmaking and at random tables."""

    matched: float
    """The error of order at the end, with matchmaking."""
    random: float
    """The error of order at the end, at random tables."""
    fewest: int
    """The deals in the worst week of any entry that stood for the whole week."""
    fewest_slow: int
    """The deals in the worst week of any slow entry that stood for the whole week."""
    cpu: float
    """The entries' own CPU time with matchmaking, in seconds."""
    random_cpu: float
    """The entries' own CPU time at random tables, in seconds."""


def two_months(
    entries: int, seats: int, spread: float, pause: int, batches: int, seed: Sequence[int], days: int = 60
) -> Months:
    """Play a league in which a newcomer arrives every `pause` days, and one entry in ten is slow.

    batches: of a day. The league of random tables plays as many tables of the active entries each day.
    """
    arrivals = (days - 1) // pause
    matched = begin(entries, seats, spread, 100, seed, arrivals)
    random = matched.copy(np.random.default_rng([*seed, 1]))
    count = entries + arrivals
    costs = [CPU_US * (SLOW if entry % 10 == 0 else 1) for entry in range(count)]
    slow = np.array(costs) > CPU_US
    shape, begun = Shape(seats, tables=TABLES[seats], deals=DEALS), (matched.deals.copy(), random.deals.copy())
    history = [matched.deals.copy()]
    fewest = fewest_slow = 1 << 30
    for day in range(1, days + 1):
        present = entries + min((day - 1) // pause, arrivals)
        active = [entry < present for entry in range(count)]
        before = matched.matches
        place_all(matched, [entry for entry in range(present) if matched.deals[entry] == 0], active)
        for number in range(batches):
            recent = matched.deals - history[max(len(history) - 7, 0)]
            snapshot = matched.snapshot(number, recent, costs, [False] * count, active)
            batch = draw(snapshot, shape, Chance(matched.random.bytes(32)))
            matched.play(np.array(batch.tables), batch.deals)
        matched.fit()
        tables = round((matched.matches - before) / (DEALS * seats))
        random.play(random_tables(range(present), seats, tables, random.random), DEALS)
        history.append(matched.deals.copy())
        if day >= 7:
            week = history[-1] - history[-8]
            stood = history[-8] > 0
            fewest = min(fewest, int(week[stood].min()))
            fewest_slow = min(fewest_slow, int(week[stood & slow].min()))
    random.fit()
    errors = [float(error_of_order(league.elo, league.strengths).mean()) for league in (matched, random)]
    cpu = [
        float((league.deals - start) @ np.array(costs)) / 1e6
        for league, start in zip((matched, random), begun, strict=True)
    ]
    return Months(errors[0], errors[1], fewest, fewest_slow, cpu[0], cpu[1])


def draw_times(entries: int, seats: int, draws: int, seed: int) -> tuple[float, float]:
    """Return the CPU time in seconds of the slowest of some draws among standing entries, and of some for newcomers."""
    random = np.random.default_rng(seed)
    elo, ci95 = random.normal(0, 200, entries).astype(int), random.integers(8, 40, entries)
    standing = [
        RatedEntry(number, number, *values, 900, 200, CPU_US)
        for number, values in enumerate(zip(elo.tolist(), ci95.tolist(), strict=True))
    ]
    placing = [replace(standing[number], is_placing=True, ci95=None) for number in range(2)]
    snapshot, times = Snapshot(0, [*placing, *standing[2:]]), (list[float](), list[float]())
    for _ in range(draws):
        begun = process_time()
        draw(snapshot, Shape(seats, entries=max(seats, 8)), Chance(random.bytes(32)))
        times[0].append(process_time() - begun)
        draw_placement(snapshot, PlacementShape(seats, entries=max(seats, 8)), Chance(random.bytes(32)))
        times[1].append(process_time() - begun - times[0][-1])
    return max(times[0]), max(times[1])
