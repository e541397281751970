"""Measure the ratings of a league: time, memory, and the error of intervals that are not exact.

    python -m bench.research.league_ratings [--league ENTRIES:BATCHES]...     500, 2,000 and 5,000 entries, some minutes

Batches are simulated: most of the entries of a batch are neighbours, some are any. They meet at 32 tables of four, each
with 25 deals in all rotations: 3,200 matches, of which a part of the luck comes with the deal.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from resource import RUSAGE_SELF, getrusage
from time import perf_counter, process_time
from typing import NamedTuple, TypeVar

import click
import numpy as np

from arena.league.results.league_fit import LeagueFit
from arena.league.results.league_ratings import EntryRating, LeagueRatings
from arena.league.results.league_sums import LeagueSums
from arena.ratings.keyed_sums import Floats
from arena.ratings.ranking import ELO_PER_NAT
from arena.values.rows import ResultRow

T = TypeVar("T")

_SPREAD = 200.0
"""The standard deviation of the strengths, in Elo."""

_NEIGHBOURS, _OTHERS = 9, 3
"""Entries of a batch that are drawn near to each other, and from the whole field."""

_TABLES, _SEATS, _DEALS = 32, 4, 25

_REPEATED = 5
"""Batches that are added one by one at the end."""


class Cost(NamedTuple):
    """Seconds that something took, and seconds of CPU time of all threads."""

    seconds: float
    cpu: float


def batch(strengths: Floats, random: np.random.Generator) -> list[ResultRow]:
    """Return the matches of a simulated batch.

    strengths: in nats, ascending; that of entry 1 is the first.
    """
    size = len(strengths)
    near = random.integers(size) + np.round(random.normal(0, 0.05 * size, _NEIGHBOURS)).astype(int)
    field = np.unique(
        np.concatenate((near.clip(0, size - 1), random.choice(size, max(_OTHERS, _SEATS), replace=False)))
    )
    tables = field[np.argsort(random.random((_TABLES, len(field))), axis=1)[:, :_SEATS]]
    turns = (np.arange(_SEATS) + np.arange(_SEATS)[:, None]) % _SEATS  # rotation, seat
    seated = np.broadcast_to(tables[:, None, turns], (_TABLES, _DEALS, _SEATS, _SEATS))
    with_deal = random.gumbel(size=(_TABLES, _DEALS, _SEATS))[:, :, turns]
    form = strengths[seated] + 0.3 * with_deal + 0.9 * random.gumbel(size=seated.shape)
    ranks = (1 + np.argsort(np.argsort(-form, axis=-1), axis=-1)).reshape(-1, _SEATS).tolist()
    entries = (seated + 1).reshape(-1, _SEATS).tolist()
    deals = np.ndindex(_TABLES, _DEALS, _SEATS)
    return [
        ResultRow(deal, tuple(of_match), tuple(places), tuple(places), table)
        for (table, deal, _), of_match, places in zip(deals, entries, ranks, strict=True)
    ]


def measure(entries: int, batches: int) -> Iterator[tuple[str, str]]:
    """Yield what was measured of a simulated league, and its value."""
    random = np.random.default_rng(entries)
    strengths = np.sort(random.normal(0, _SPREAD / ELO_PER_NAT, entries))
    packed, costs = [], []
    for _ in range(batches):
        cost, sums = _timed(partial(LeagueSums.of_matches, batch(strengths, random)))
        packed.append(sums.to_bytes())
        costs.append(cost)
    yield "bytes a table", f"{sum(map(len, packed)) / batches / _TABLES:.0f}"
    yield "sum up a batch of 3,200 matches", _median(costs)
    yield from measure_fit(entries, packed)


def measure_fit(entries: int, packed: Sequence[bytes]) -> Iterator[tuple[str, str]]:
    """Yield what was measured of the fit of a league, and its value.

    packed: the sums of its batches.
    """
    fit = LeagueFit()
    anchors = [entries // 4, entries // 2, 3 * entries // 4]
    costs = [_timed(partial(fit.add, sums))[0] for sums in packed[:-_REPEATED]]
    yield "add all batches, one by one", _text(Cost(*np.sum(costs, axis=0)))
    yield "first strengths, and one LOS", _text(_timed(lambda: fit.los(anchors[0], anchors[1]))[0])
    added, los, rows = [], [], []
    for sums in packed[-_REPEATED:]:
        added.append(_timed(partial(fit.add, sums))[0])
        los.append(_timed(lambda: fit.los(anchors[0], anchors[1]))[0])  # which fits first
        cost, ratings = _timed(lambda: fit.fit(anchors, intervals=False))
        rows.append(cost)
    yield "add a batch", _median(added)
    yield "strengths after it, and one LOS", _median(los)
    yield "all rows with local intervals", _median(rows)
    yield "peak memory so far", _memory()
    yield from _intervals(fit, anchors, ratings)


def _intervals(fit: LeagueFit, anchors: list[int], local: LeagueRatings) -> Iterator[tuple[str, str]]:
    cost, sampled = _timed(lambda: fit.fit(anchors, exact_up_to=0))
    yield "sampled intervals", f"{_text(cost)}, peak memory {_memory()}"
    cost, exact = _timed(lambda: fit.fit(anchors, exact_up_to=len(local.rows)))
    yield "exact intervals", f"{_text(cost)}, peak memory {_memory()}"
    by_entry = exact.by_entry()
    widths = [row.ci95 for row in exact.rows if row.ci95]
    yield "exact half-widths, in Elo", f"{min(widths):.1f} to {max(widths):.1f}, median {np.median(widths):.1f}"
    yield "sampled: error as estimated", f"{100 * (sampled.interval_error or 0):.1f} %"
    for ratings in (sampled, local):
        errors = _errors(ratings, by_entry)
        root_mean_square = 100 * np.sqrt((errors**2).mean())
        yield (
            f"{ratings.interval_method}: error against exact",
            f"{root_mean_square:.1f} %, from {100 * errors.min():+.1f} to {100 * errors.max():+.1f} %",
        )


def _errors(ratings: LeagueRatings, exact: dict[int, EntryRating]) -> Floats:
    """Return the relative errors of the widths of all intervals."""
    pairs = [(row.ci95, exact[row.entry].ci95) for row in ratings.rows]
    return np.array([width / other - 1 for width, other in pairs if width and other])


def _timed(call: Callable[[], T]) -> tuple[Cost, T]:
    start, cpu = perf_counter(), process_time()
    result = call()
    return Cost(perf_counter() - start, process_time() - cpu), result


def _median(costs: Sequence[Cost]) -> str:
    return _text(Cost(*np.median(costs, axis=0)))


def _text(cost: Cost) -> str:
    return f"{_time(cost.seconds)} (CPU {_time(cost.cpu)})"


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"


def _memory() -> str:
    return f"{getrusage(RUSAGE_SELF).ru_maxrss // 1024:,} MB"


class _League(click.ParamType["tuple[int, int]"]):
    name = "ENTRIES:BATCHES"

    def convert(
        self, value: str | tuple[int, int], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        entries, _, batches = value.partition(":")
        if not (entries.isdecimal() and batches.isdecimal() and int(entries) >= 8 and int(batches) > _REPEATED):
            self.fail(f"{value!r} is not two numbers, of entries (8 or more) and of batches (6 or more): 500:313")
        return int(entries), int(batches)


@click.command()
@click.option(
    "--league",
    "leagues",
    type=_League(),
    multiple=True,
    default=((500, 313), (2000, 3125), (5000, 3125)),
    help="Entries and batches of a league to measure (several times: several leagues).",
)
def main(leagues: tuple[tuple[int, int], ...]) -> None:
    """Measure the ratings of simulated leagues."""
    for entries, batches in leagues:
        click.echo(f"{entries:,} entries, {batches * _TABLES * _DEALS * _SEATS:,} matches in {batches:,} batches")
        for what, value in measure(entries, batches):
            click.echo(f"  {what:<34}{value}")


if __name__ == "__main__":
    main()
