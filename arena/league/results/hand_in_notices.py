"""What an owner should know of leagues before a bot is accepted."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from arena.league.store.league_dates import LeagueDates
from arena.league.store.league_rows import LeagueRow, SeasonRow
from arena.league.store.leagues import Leagues
from arena.store import Store
from arena.values.given_time import shown_time

NAMED = 8
"""How many games a notice names."""


@dataclass(frozen=True, slots=True)
class LeagueNotice:
    """What somebody who hands in a bot is to know of a league."""

    game: str
    """The game that the league plays."""
    sentence: str
    spared: tuple[str, ...] = ()
    """The names of bots that the notice does not concern."""

    def concerns(self, bot: str, games: Sequence[str]) -> bool:
        """Return whether it concerns a bot.

        games: that the bot plays; none: any.
        """
        return bot not in self.spared and (not games or self.game in games)


def league_notices(store: Store, owners: Collection[str]) -> dict[str, list[LeagueNotice]]:
    """Return what the owners of bots should know: leagues that bots do not enter now, or where one replaces another.

    owners: their names; one that is empty stands for any owner.
    """
    leagues = [league for league in Leagues(store).all() if league.state != "closed"]
    if not leagues:
        return {owner: [] for owner in owners}
    ending = {league.id: _end_notice(league, Leagues(store).seasons(league.id)[-1]) for league in leagues}
    dates, now = {league.id: Leagues(store).dates(league.id) for league in leagues}, store.submissions.now()
    entered = Leagues(store).active_bots([owner for owner in owners if owner])
    notices: dict[str, list[LeagueNotice]] = {}
    for owner in owners:
        found = notices[owner] = []
        for league in leagues:
            end = ending[league.id]
            if end is not None:
                found.append(end)
            elif (deadline := _deadline_notice(league, dates[league.id], owner, now)) is not None:
                found.append(deadline)
            bots = entered.get(owner, {}).get(league.id, ())
            if bots and len(bots) >= league.definition.get("active_per_owner", 1):
                sentence = (
                    f"the league {league.name} plays no more bots of {owner} than {' and '.join(bots)}: a bot of "
                    f"another name takes the place of {bots[0]}"
                )
                found.append(LeagueNotice(league.game, sentence, bots))
    return notices


def unplayed_notice(leagues: Iterable[LeagueRow], games: Sequence[str]) -> str:
    """Return that no open league plays what a bot plays; empty where one does, or there are none at all.

    leagues: all that there are.
    games: that the bot plays; none: any.
    """
    states = [(league.game, league.state != "closed") for league in leagues]
    played = sorted({game for game, is_open in states if is_open})
    if not states or not games or not set(games).isdisjoint(played):
        return ""
    sentence = f"no open league plays {_either(games)}, so the bot enters none for now"
    others = f"{', '.join(played[:NAMED])}{', …' * (len(played) > NAMED)}"
    return f"{sentence}; those that are open play {others}" if played else sentence


def _either(games: Sequence[str]) -> str:
    """Return the names of a bot's games, or their number where they are many."""
    return " or ".join(games) if len(games) <= NAMED else f"any of its {len(games)} games"


def _deadline_notice(league: LeagueRow, dates: LeagueDates, owner: str, now: str) -> LeagueNotice | None:
    """Return until when hand-ins of an owner count for the season of a league; None without a deadline."""
    deadline = dates.deadline_of(owner)
    if not deadline:
        return None
    when, later = shown_time(deadline, dates.zone), "enters when the next season begins"
    if deadline > now:
        sentence = f"a bot for the league {league.name} counts for its season if it is received before {when}; later it"
        return LeagueNotice(league.game, f"{sentence} {later}")
    sentence = f"the deadline of the league {league.name} was {when}: a bot for {league.game} that is received now"
    return LeagueNotice(league.game, f"{sentence} {later}")


def _end_notice(league: LeagueRow, season: SeasonRow) -> LeagueNotice | None:
    """Return what is to be known of a season that is at its end; None of any other."""
    if season.final is None or season.ended is not None:
        return None
    what, bot = f"season {season.number} of the league {league.name} is at its end", f"a bot for {league.game}"
    if season.final.closes:
        sentence = f"{what}, and the league is closed then: {bot} that is accepted now does not enter it"
    else:
        sentence = f"{what}: {bot} that is accepted now enters when the next season begins"
    return LeagueNotice(league.game, sentence)
