"""Ratings: a joint Elo fit of all matches, with error bars clustered by deal.

    keyed_sums          sums by key, added in blocks
    lineup              teams by number, and each bot's share in them        -> keyed_sums
    totals              the contents of a tally in a fixed order             -> lineup
    integer_columns     compact columns of integers
    repeats             what was found of matches that repeat others
    tally               results -> sums per deal and pair of teams           -> totals, integer_columns
    experiments         which deals are one experiment                       -> tally, repeats
    fingerprint         compares sums without storing them                   -> tally
    source              results that can be read several times                -> tally
    separation          whether a fit of mixed teams is finite
    connectivity        which bots can be compared, with finite estimates    -> separation
    bradley_terry       the Bradley-Terry fit (Newton)                       -> sparse_information
    solver              strengths with their covariance, clustered by deal   -> connectivity, bradley_terry
    degeneracy          variances where all deals ended alike
    sparse_information  the information of comparisons in fields of thousands
    incremental_fit     a fit repeated as deals are added                    -> solver
    chunked_fit         a fit with matches read in chunks                    -> solver, tally
    ranking             one row per bot, and likelihoods of superiority      -> davidson, anchor
    davidson            the fit with a parameter for ties                    -> solver
    anchor              a bot whose Elo is given                             -> solver
    multiple_testing    errors of many tests together: over pairs and looks
    sprt                a sequential test: is A better than B?
    stopped_estimate    the difference after such a test, corrected          -> sprt
    seat_advantage      what a seat is worth                                 -> ranking
    control_variate     luck of a deal, estimated by a reference bot         -> solver
    variance_reduction  matches saved by rotations, common deals, reference  -> solver, control_variate
    crosstable          results by opponent and by seat                      -> totals
    elo_text            ratings as text, marks and notes
    ranking_output      the ranking as text, JSON and CSV                    -> ranking, elo_text
    rank_probabilities  how likely each bot is the best                      -> ranking
    elo_history         Elo from one tournament to the next                  -> ranking
    crosstable_output   the crosstable and seats as text, JSON and CSV       -> seat_advantage, crosstable
    reading/            results of matches that were played elsewhere        -> arena.values
    pair_effects        effects of two bots on each other's results
    collusion           tests for such effects                                 -> pair_effects, solver

The formulae and their sources are in docs/ratings.md. Importing this package costs nothing; numpy
and scipy are loaded when one of its names is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from arena.values.result import BotStats, Result

if TYPE_CHECKING:
    from arena.ratings.ranking import Ranking, RankingRow, fit_ranking
    from arena.ratings.tally import Tally

__all__ = ["BotStats", "Result", "RankingRow", "Ranking", "Tally", "fit_ranking"]

_HOME = {"RankingRow": "ranking", "Ranking": "ranking", "fit_ranking": "ranking", "Tally": "tally"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
