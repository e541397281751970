"""Challenges: an owner has a bot play others of its choice, unrated."""

from collections.abc import Sequence
from statistics import fmean

from arena.league.control import LeagueError, check_daily, check_owner, open_league
from arena.league.dates.control import check_opened
from arena.league.plan.definition import LeagueDefinition
from arena.league.results.board import Board, BoardRow
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.league_rows import EntryRow
from arena.league.store.leagues import Leagues
from arena.store import Store

CHALLENGE_SECONDS = 600.0
"""CPU time that a challenge may take, as far as earlier matches of its entries tell: a referee plays nothing else."""

KEPT = 200
"""Challenges of a league among which those of an entry are looked for."""


def challenge(
    store: Store, where: str, board: Board, bot: str, against: Sequence[str], deals: int, by: str, *, organiser: bool
) -> int:
    """Have a bot play deals against others that are not rated; return the number of the batch.

    where: of the database.
    board: of the league, with the entries that are no longer active.
    bot, against: names of entries, with or without a version.
    deals: the least to be played, as tables are whole.
    by: who asks for it.
    organiser: whether an organiser does.

    Raises LeagueError where the league allows no such challenge; NotOwner where the bot is somebody else's;
    TooManyDecisions where its owner has asked too often today.
    """
    league = open_league(store, board.league.name)
    definition = LeagueDefinition.from_json(league.definition)
    challenger = _find(board, bot)
    others = list({row.entry.number: row for row in (_find(board, name) for name in against)}.values())
    if not organiser:
        check_owner(challenger.entry, by)
    for row in (challenger, *others):
        _check_plays(store, row.entry, challenger.entry.owner, organiser=organiser)
    if any(row is challenger for row in others):
        raise LeagueError(f"{challenger.entry.name} cannot challenge itself: name others")
    if not 1 <= len(others) < definition.batch_entries:
        raise LeagueError(f"a challenge names 1 to {definition.batch_entries - 1} others, not {len(others)}")
    if not 1 <= deals <= definition.challenge_deals:
        raise LeagueError(f"a challenge has 1 to {definition.challenge_deals} deals, not {deals}")
    _check_time(definition, challenger, others, deals, organiser=organiser)

    def check() -> None:
        open_league(store, league.name)
        check_opened(store, league)
        if not organiser:
            most = definition.challenges_per_day
            check_daily(store, league, ("challenge",), by, most, f"challenges of an owner in {league.name}")

    entries = [row.entry for row in others]
    return LeagueScheduler(store, where, league).add_challenge(challenger.entry, entries, deals, by, check)


def challenges_of(store: Store, league: int, entry: int) -> list[int]:
    """Return the batches in which an entry challenged others or was challenged, among the newest; the newest first."""
    rows = Leagues(store).newest_decisions(league, "challenge", KEPT)
    return [row.details["batch"] for row in rows if entry in (row.details["entry"], *row.details["against"])]


def _find(board: Board, bot: str) -> BoardRow:
    """Return the newest entry of a bot. Raises LeagueError if there is none."""
    rows = [row for row in board.rows if bot in (row.entry.name, row.entry.submission[0])]
    if not rows:
        raise LeagueError(f"no bot {bot} takes part in the league {board.league.name}: its board lists those that do")
    return max(rows, key=lambda row: row.entry.number)


def _check_plays(store: Store, entry: EntryRow, owner: str, *, organiser: bool) -> None:
    """Raise LeagueError if an entry plays no challenges.

    owner: of the challenger, whose older versions do.
    """
    if entry.state == "suspended":
        raise LeagueError(f"{entry.name} is suspended: {entry.reason}")
    if store.submissions.version(*entry.submission).retired is not None:
        raise LeagueError(f"{entry.name} is barred from play: name another version, or another bot")
    if not (entry.is_active or entry.owner == owner or organiser):
        raise LeagueError(f"{entry.name} is retired: name its newest version, or another bot")


def _check_time(
    definition: LeagueDefinition, challenger: BoardRow, others: Sequence[BoardRow], deals: int, *, organiser: bool
) -> None:
    """Raise LeagueError if the deals would take too much CPU time, as far as what the bots have played tells.

    Of a bot that has not played nobody knows it: but for organisers, no more tables are played than seat all others.
    """
    seated = definition.table_size - 1
    per_deal = _deal_seconds(challenger) + seated * fmean(map(_deal_seconds, others))
    fewest = -(-len(others) // seated)
    tables = max(-(-deals // definition.deals), fewest)
    unknown = next((row.entry.name for row in (challenger, *others) if not row.deals), None)
    if unknown is not None and tables > fewest and not organiser:
        raise LeagueError(
            f"{unknown} has not played yet, so nobody knows how long it takes: ask for "
            f"{fewest * definition.deals} deals at most, or wait for its first results"
        )
    seconds = per_deal * tables * definition.deals
    if seconds > CHALLENGE_SECONDS:
        raise LeagueError(
            f"{tables * definition.deals} deals of these bots take about {seconds:,.0f} s of a core, and a challenge "
            f"may take {CHALLENGE_SECONDS:.0f}: ask for fewer deals, or name quicker bots"
        )


def _deal_seconds(row: BoardRow) -> float:
    """Return the CPU time that an entry takes for a deal in all rotations; 0 before it has played any."""
    return row.charged_us / row.deals / 1e6 if row.deals else 0.0
