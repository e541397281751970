"""CSV with a heading, in one of two shapes.

    white,black,result               two players on each line; the result as in chess, or the first one's points
    match,bot,rank[,deal][,score]    a line for each player of a match; lines of one match need not be adjacent

In the first shape the names of the first two columns are free; the third must be `result`; a column `deal` may follow.
Without it each match is a deal of its own.
"""

import csv
from collections.abc import Iterator
from typing import TextIO

from arena.ratings.experiments import LoggedResult
from arena.ratings.reading.errors import MAX_NUMBER, ReadingError, check_players, shorten
from arena.ratings.reading.pgn import RANKS
from arena.values.result import Result

_POINTS = {"1": "1-0", "1.0": "1-0", "0": "0-1", "0.0": "0-1", "0.5": "1/2-1/2", "½": "1/2-1/2", "½-½": "1/2-1/2"}


def read(file: TextIO, name: str) -> Iterator[LoggedResult]:
    """Yield the results of a file; matches in the order of their first lines."""
    rows = csv.DictReader(file, skipinitialspace=True)
    try:
        for result in _read(rows, name):
            yield LoggedResult(result)
    except csv.Error as error:
        raise ReadingError(f"{name}:{rows.line_num + 1}: no CSV ({error})") from None


def _read(rows: "csv.DictReader[str]", name: str) -> Iterator[Result]:
    heading = [column.strip().lower() for column in rows.fieldnames or ()]
    rows.fieldnames = heading
    if {"match", "bot", "rank"} <= set(heading):
        yield from _read_players(rows, name)
    elif len(heading) > 2 and heading[2] == "result":
        yield from _read_pairs(rows, heading, name)
    else:
        raise ReadingError(
            f'{name}:1: the heading must be "white,black,result" or hold "match", "bot" and "rank", '
            f"not {shorten(','.join(heading)) or 'empty'}"
        )


class _Deals:
    """Numbers deals in order of appearance; without a deal, each match has its own."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, deal: str, match: str) -> int:
        key = f"deal {deal}" if deal else f"match {match}"
        return self._numbers.setdefault(key, len(self._numbers))


def _read_pairs(rows: "csv.DictReader[str]", heading: list[str], name: str) -> Iterator[Result]:
    deals = _Deals()
    for number, row in enumerate(rows):
        first, second, result = ((row[column] or "").strip() for column in heading[:3])
        if result == "*":
            continue
        result = _POINTS.get(result, result)
        if result not in RANKS or not first or not second:
            raise ReadingError(f"{name}:{rows.line_num}: a line is two players and 1-0, 0-1, 1/2-1/2, 1, 0, 0.5 or *")
        check_players((first, second), f"{name}:{rows.line_num}")
        first_rank, second_rank = RANKS[result]
        gain = 1 + second_rank - first_rank
        deal = deals.number((row.get("deal") or "").strip(), str(number))
        yield Result(deal, (first, second), (first_rank, second_rank), (gain, 2 - gain))


def _read_players(rows: "csv.DictReader[str]", name: str) -> Iterator[Result]:
    matches: dict[str, tuple[str, list[str], list[int], list[int]]] = {}
    for row in rows:
        where = f"{name}:{rows.line_num}"
        match, bot, deal = ((row.get(column) or "").strip() for column in ("match", "bot", "deal"))
        if not match or not bot:
            raise ReadingError(f"{where}: every line needs a match and a bot")
        columns = matches.setdefault(match, (deal, [], [], []))
        if columns[0] != deal:
            was, now = (shorten(value) or "none" for value in (columns[0], deal))
            raise ReadingError(f"{where}: match {shorten(match)} was of deal {was} before, and is of {now} here")
        columns[1].append(bot)
        check_players(columns[1], where)
        columns[2].append(_integer(row.get("rank"), "rank", where))
        columns[3].append(_integer(row.get("score") or "0", "score", where))
    deals = _Deals()
    for match, (deal, bots, ranks, scores) in matches.items():
        if len(bots) < 2:
            raise ReadingError(f"{name}: match {shorten(match)} has a single line, and so nobody to be compared with")
        yield Result(deals.number(deal, match), tuple(bots), tuple(ranks), tuple(scores))


def _integer(text: str | None, what: str, where: str) -> int:
    try:
        number = int((text or "").strip())
    except ValueError:
        raise ReadingError(f'{where}: the {what} "{shorten(text or "")}" is no whole number') from None
    if abs(number) > MAX_NUMBER:
        raise ReadingError(f"{where}: the {what} {shorten(str(number))} is not from -{MAX_NUMBER:,} to {MAX_NUMBER:,}")
    return number
