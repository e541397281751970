"""What organisers grant single entries of leagues: the network, devices, and secrets of the program that runs them."""

from collections.abc import Sequence
from dataclasses import replace

from arena.league.control import LeagueError, find_entry, open_league
from arena.league.store.entry_grants import GRANT, NOTHING, REVOKE, EntryGrants
from arena.league.store.league_rows import EntryRow
from arena.league.store.leagues import Leagues
from arena.plan.grants import parse_grants
from arena.results.control import actor
from arena.store import NoSuchRow, Store


def grant(
    store: Store,
    name: str,
    bot: str,
    words: Sequence[str],
    *,
    secrets: Sequence[str] = (),
    later: bool = False,
    by: str | None = None,
    reason: str = "",
) -> EntryRow:
    """Grant an entry more than it has, from the next batch on, and return it.

    bot: its name, with or without a version; without, its newest entry.
    words: of grants.
    secrets: names of environment variables of the program that runs the league.
    later: whether later versions of the bot get the same as they enter.

    Raises LeagueError if the league is closed, has no such bot, or if the bot is one of its scale; FieldError for an
    unknown grant.
    """
    for variable in secrets:
        if not variable.isidentifier():
            raise LeagueError(f'"{variable}" is no name of an environment variable, such as LLM_API_KEY')
    parse_grants(words)

    def extend(before: EntryGrants) -> EntryGrants:
        names = tuple(sorted({*before.secrets, *secrets}))
        after = EntryGrants(parse_grants([*before.words, *words]), names, later or before.later)
        if not after:
            raise LeagueError(f"{entry.name} is granted nothing yet: name a grant, such as network, or a secret")
        return after

    league = open_league(store, name)
    entry = find_entry(store, league, bot)
    if entry.is_anchor:
        raise LeagueError(f"{entry.name} is one of the sample bots whose mean is 0 Elo: it gets what every bot has")
    after = Leagues(store).change_grants(league.id, entry.number, extend, actor(by), GRANT, reason)
    return replace(entry, grants=after)


def revoke(
    store: Store, name: str, bot: str, words: Sequence[str] = (), *, by: str | None = None, reason: str = ""
) -> EntryRow:
    """Take from an entry what it was granted, from the next batch on, and return it.

    words: of the grants to take; none: all of them, secrets too, and what its later versions would get.

    Raises LeagueError if the league is closed or has no such bot, or if the entry has no such grant.
    """

    def reduce(before: EntryGrants) -> EntryGrants:
        if not before:
            raise LeagueError(f"{entry.name} is granted nothing in the league {name}")
        if missing := [word for word in words if word not in before.words]:
            raise LeagueError(
                f"{entry.name} is not granted {missing[0]}: it has {', '.join(before.words) or 'secrets'}"
            )
        left = replace(before, words=tuple(word for word in before.words if word not in words))
        return left if words and left else NOTHING

    league = open_league(store, name)
    entry = find_entry(store, league, bot)
    after = Leagues(store).change_grants(league.id, entry.number, reduce, actor(by), REVOKE, reason)
    return replace(entry, grants=after)


def unmet_needs(store: Store, entry: EntryRow) -> tuple[str, ...]:
    """Return what the bot.toml of an entry asks for and the organiser has not granted."""
    try:
        manifest = store.submissions.version(*entry.submission).manifest
    except NoSuchRow:  # it is shown by a pseudonym
        return ()
    return tuple(word for word in manifest.get("needs", ()) if word not in entry.grants.words)
