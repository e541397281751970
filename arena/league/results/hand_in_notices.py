"""What an owner should know of leagues before a bot is accepted."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.league.store.leagues import Leagues
from arena.store import Store


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


def league_notices(store: Store, owner: str) -> list[LeagueNotice]:
    """Return what the owner of a bot should know: leagues that bots do not enter now, or where one replaces another."""
    entered = Leagues(store).active_bots(owner) if owner else {}
    notices = []
    for league in Leagues(store).all():
        if league.state == "closed":
            continue
        season = Leagues(store).seasons(league.id)[-1]
        if season.final is not None and season.ended is None:
            what, bot = f"season {season.number} of the league {league.name} is at its end", f"a bot for {league.game}"
            if season.final.closes:
                sentence = f"{what}, and the league is closed then: {bot} that is accepted now does not enter it"
            else:
                sentence = f"{what}: {bot} that is accepted now enters when the next season begins"
            notices.append(LeagueNotice(league.game, sentence))
        bots = entered.get(league.id, ())
        if bots and len(bots) >= league.definition.get("active_per_owner", 1):
            sentence = (
                f"the league {league.name} plays no more bots of {owner} than {' and '.join(bots)}: a bot of another "
                f"name takes the place of {bots[0]}"
            )
            notices.append(LeagueNotice(league.game, sentence, bots))
    return notices
