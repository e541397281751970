"""JSON lines: an object for each match.

    {"bots": ["a", "b", "c"], "ranks": [2, 1, 3], "scores": [10, 31, 0], "deal": 7, "opening": "C60", "log": "e4 e5"}

A bot may be a list of names: a team. All but bots and ranks may be left out; a match without a deal is one of its own.
`opening` and `log` are texts, equal for matches that begin, or go from beginning to end, alike.
Other keys are ignored, as are lines whose "kind" is not "match", which archives of tournaments have.
"""

import json
from collections.abc import Iterator
from typing import Any, TextIO

from arena.ratings.experiments import LoggedResult
from arena.ratings.reading.errors import MAX_NUMBER, ReadingError, check_players, shorten
from arena.values.result import Result, Team


def read(file: TextIO, name: str) -> Iterator[LoggedResult]:
    """Yield the results of a file, one a line; empty lines are skipped."""
    deals: dict[int | str, int] = {}
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        try:
            match = json.loads(line)
        except json.JSONDecodeError as error:
            raise ReadingError(f"{where}: no JSON object ({error.msg} at character {error.pos + 1})") from None
        except (ValueError, RecursionError) as error:  # a number with too many digits, or brackets nested too deeply
            raise ReadingError(f"{where}: no JSON object ({error})") from None
        if not isinstance(match, dict):
            raise ReadingError(f"{where}: no JSON object")
        if match.get("kind", "match") != "match":
            continue
        teams = tuple(_team(bot, where) for bot in _list(match, "bots", where))
        ranks = _numbers(match, "ranks", where)
        scores = _numbers(match, "scores", where) if "scores" in match else (0,) * len(teams)
        if not 2 <= len(teams) == len(ranks) == len(scores):
            raise ReadingError(f"{where}: a match has two bots or more, with a rank (and a score) each")
        check_players(teams, where)
        deal = match.get("deal")
        if deal is not None and type(deal) is not int:
            raise ReadingError(f"{where}: the deal is a whole number, not {shorten(json.dumps(deal))}")
        key = f"line {number}" if deal is None else deal
        opening, log = (_text(match, key, where) for key in ("opening", "log"))
        result = Result(deals.setdefault(key, len(deals)), teams, ranks, scores)
        yield LoggedResult(result, log or None, opening)


def _list(match: dict[str, Any], key: str, where: str) -> list[Any]:
    value = match.get(key)
    if not isinstance(value, list):
        raise ReadingError(f'{where}: "{key}" is to be a list')
    return value


def _text(match: dict[str, Any], key: str, where: str) -> str:
    value = match.get(key, "")
    if not isinstance(value, str):
        raise ReadingError(f'{where}: "{key}" is to be a text')
    return value


def _numbers(match: dict[str, Any], key: str, where: str) -> tuple[int, ...]:
    values = _list(match, key, where)
    if not all(type(value) is int and abs(value) <= MAX_NUMBER for value in values):
        raise ReadingError(f'{where}: "{key}" is to hold whole numbers from -{MAX_NUMBER:,} to {MAX_NUMBER:,}')
    return tuple(values)


def _team(bot: Any, where: str) -> Team:
    members = bot if isinstance(bot, list) else [bot]
    if not members or not all(isinstance(member, str) and member for member in members):
        raise ReadingError(f"{where}: a bot is a name, or a list of the names of a team")
    return tuple(members) if isinstance(bot, list) else str(bot)
