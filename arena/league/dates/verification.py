"""Verification that a league kept to the dates in its log: who entered, and when its seasons ended."""

from collections.abc import Iterator, Sequence

from arena.league.store.league_dates import DATES, EXTEND, dates_of
from arena.values.rows import PROGRAM, DecisionRow
from arena.values.versioned_names import owner


def date_problems(log: Sequence[DecisionRow]) -> Iterator[str]:
    """Yield a sentence for each bot that entered a season although it was received after its deadline, by the log.

    And for each season that the program ended before its end. What was decided later changes nothing before.

    log: of the league.
    """
    season = 0
    decided: list[DecisionRow] = []
    for row in log:
        if row.kind in (DATES, EXTEND):
            decided.append(row)
        elif row.kind in ("create", "season"):
            season = row.details["season"]
        elif row.kind == "enter" and "received" in row.details:
            bot, received = row.details.get("bot", ""), row.details["received"]
            if not dates_of(decided, season).takes(owner(bot), received):
                yield f"{bot} entered season {season}, and was received at {received}, after its deadline"
        elif row.kind == "freeze" and row.who == PROGRAM:
            ends = dates_of(decided, season).ends
            if ends and row.created < ends:
                yield f"season {season} was ended at {row.created}, before its end at {ends}"
