"""Redraws the sets that a withdrawn bot has not finished, as soon as somebody plays the tournament.

Whoever withdraws a bot only writes that into the log. From then on no match of the bot is stored, so which of its sets
are complete is settled, and whoever plays the tournament next comes to the same result.
"""

from collections.abc import Callable

from arena.tournament.plan.redraw import pack_numbers, unfinished_sets
from arena.tournament.results.stored_tournament import StoredTournament


def redraw_unfinished_sets(tournament: StoredTournament, say: Callable[[str], None]) -> StoredTournament:
    """Write into the log which sets are redrawn, where that is due; return the tournament as it is then.

    say: is told what people should read.
    """
    store = tournament.store
    while tournament.decisions.needs_redraw and tournament.row.finished is None:
        played = store.played(tournament.id)
        sets, void = unfinished_sets(tournament.format, tournament.decisions, tournament.results, played)
        if not sets:
            break
        details = {"sets": pack_numbers(sets)}
        if store.redraw(tournament.id, "arena", details, void, seen=len(tournament.log)) is not None:
            say(f"sets that a withdrawn bot has not finished are redrawn: {len(sets):,}, void matches: {len(void):,}")
        tournament = tournament.reload()
    return tournament
