"""The fit of a league with which a program begins: from the stored sums of its batches."""

from arena.league.results.league_fit import LeagueFit
from arena.league.store.total_sums import TotalSums
from arena.store import Store, StoreError, StoreUnavailable


def load_fit(store: Store, league: int) -> tuple[LeagueFit, int]:
    """Return a fit of the batches in the stored sums of a league, and how many these are.

    Where there are no sound ones, every batch has to be added: to an empty fit, of 0 batches.

    league: the id of the league.

    Raises StoreUnavailable where the database is not there.
    """
    fit = LeagueFit()
    try:
        results, packed = TotalSums(store).newest(league)
        if results:
            fit.add(packed)
    except StoreUnavailable:
        raise
    except StoreError:
        return LeagueFit(), 0
    return fit, results
