"""Ratings: one joint Elo fit over all matches, with honest error bars.

    result        what one match says about its bots
    sums          sums by key, gathered block by block
    lineup        teams by number, and each bot's share in them        -> sums
    totals        what a tally holds, whatever order it came in        -> lineup
    columns       whole numbers as few bytes
    tally         results -> sums per deal and pair of teams           -> totals, columns
    imprint       what sums are, told apart without being kept         -> tally
    source        matches that may be read again and again             -> tally
    cone          where a fit of mixed teams has an answer
    connection    who can be compared with whom, and who never lost    -> cone
    strength      the Bradley-Terry fit itself (Newton)
    solution      strengths with their covariance, clustered by deal   -> connection, strength
    growing       the same, asked again and again as deals are added   -> solution
    portions      the same, with matches read portion by portion       -> solution, tally
    table         the ranking: one row per bot, and who beats whom     -> davidson, anchor
    davidson      the same with a parameter for ties                   -> solution
    anchor        a bot whose Elo is given                             -> solution
    sprt          is A better than B: a test that stops by itself
    advantage     what a seat is worth                                 -> table
    control       luck that a reference bot's play of a deal tells      -> solution
    savings       matches saved by rotations and the like              -> solution, control
    crosstable    who did how against whom, and in which seat          -> totals
    sheet         a table as people read it: text, Markdown, HTML
    output        the ranking as text, JSON values and CSV             -> table, sheet
    chances       how likely each bot is the best                      -> table, sheet
    history       how Elo grew from one tournament to the next         -> table, sheet
    details       the other tables in these forms                      -> advantage, crosstable, sheet
    reading/      results of matches that were played elsewhere        -> result
    effects       what two bots may do for each other, as columns
    collusion     who does                                             -> effects, solution
    coverage      `python -m arena.ratings.coverage`: do the bars keep their promise?
    alarms        `python -m arena.ratings.alarms`: whom do audits accuse?    -> collusion

The formulae and their sources are in docs/ratings.md. Importing this package costs nothing; numpy
and scipy are loaded when one of its names is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from arena.ratings.result import Conduct, Result

if TYPE_CHECKING:
    from arena.ratings.table import Row, Table, fit
    from arena.ratings.tally import Tally

__all__ = ["Conduct", "Result", "Row", "Table", "Tally", "fit"]

_HOME = {"Row": "table", "Table": "table", "fit": "table", "Tally": "tally"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
