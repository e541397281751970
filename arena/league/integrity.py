"""What the values of the tables of leagues must be: rules that `arena.results.integrity` checks with its own."""

import json
from datetime import date
from typing import get_args

from arena.league.store.league_details import missing_detail
from arena.league.store.league_rows import BatchKind, BatchState, EntryState, Final, LeagueState
from arena.results.integrity import Log, Rules, hex_text, json_object
from arena.store.engine.schema import batches, entries, league_log, leagues, seasons
from referee.sandbox.grants import read_grants


def _grants(text: str) -> bool:
    values = json.loads(text)
    is_typed = {"words": list, "secrets": list, "later": bool} == {name: type(value) for name, value in values.items()}
    has_names = is_typed and all(isinstance(variable, str) for variable in values["secrets"])
    return has_names and bool(read_grants(values["words"]).texts or values["secrets"])


def _is_complete_league_decision(kind: str, details: str) -> bool:
    values = json.loads(details)
    return isinstance(values, dict) and missing_detail(kind, values) is None


def _entry_numbers(text: str) -> bool:
    values = json.loads(text)
    return isinstance(values, list) and all(type(value) is int and 0 < value < 2**31 for value in values)


LEAGUES = Rules(
    {
        leagues: {"definition": json_object(), "state": get_args(LeagueState).__contains__},
        entries: {"grants": _grants, "state": get_args(EntryState).__contains__},
        batches: {
            "kind": get_args(BatchKind).__contains__,
            "state": get_args(BatchState).__contains__,
            "entries": _entry_numbers,
        },
        seasons: {
            "first_day": date.fromisoformat,
            "secret": hex_text(64),
            "final": lambda text: Final.from_json(json.loads(text)).to_json() == json.loads(text),
        },
    },
    Log(league_log, _is_complete_league_decision),
)
"""The rules for leagues, their entries, seasons and batches."""
