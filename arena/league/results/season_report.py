"""A season as commands, pages and the API show it: how far it is, and its final table."""

from dataclasses import dataclass
from typing import Any

from arena.language.message import Message
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.final import part_count
from arena.league.results.season_table import SeasonPlace, unpack_table
from arena.league.store.batches import Batches
from arena.league.store.league_rows import EntryRow, LeagueRow, SeasonRow
from arena.league.store.leagues import Leagues
from arena.league.store.seasons import Seasons
from arena.store import NoSuchRow, Store


@dataclass(frozen=True, slots=True)
class SeasonReport:
    """How far a season is, with its final table."""

    league: LeagueRow
    season: SeasonRow
    played: int
    """The number of parts of its final that are stored."""
    parts: int
    """The number of all parts of its final."""
    places: tuple[tuple[SeasonPlace, EntryRow], ...]
    """The final table with the entries; empty before the end of the season, and where it ended without one."""

    @property
    def sentence(self) -> str:
        """What there is to say of its end, a `Message`; empty while it is open."""
        number = self.season.number
        if self.season.phase == "frozen":
            return Message("season {0} is frozen: its final begins when what is under way is over", number)
        if self.season.phase == "final":
            return Message("the final of season {0} is played: {1} of {2} parts", number, self.played, self.parts)
        return Message("season {0} has ended", number) if self.season.phase == "ended" else ""


def report_season(store: Store, league: LeagueRow, number: int | None = None) -> SeasonReport:
    """Return a season, by default the newest. Raises NoSuchRow if the league has none of that number."""
    seasons = Leagues(store).seasons(league.id)
    season = next((candidate for candidate in reversed(seasons) if number in (None, candidate.number)), None)
    if season is None:
        raise NoSuchRow(f"the league {league.name} has no season {number}: it has 1 to {seasons[-1].number}")
    played = parts = 0
    if season.final is not None:
        definition = LeagueDefinition.from_json(league.definition)
        parts = part_count(season.final, definition.table_size)
        states = Batches(store).final_parts(league.id, season.number)
        played = sum("stored" in of_part for of_part in states.values())
    packed = Seasons(store).standings(league.id, season.number)
    entries = {entry.number: entry for entry in Leagues(store).entries(league.id)}
    table = unpack_table(packed) if packed is not None else ()
    return SeasonReport(league, season, played, parts, tuple((place, entries[place.entry]) for place in table))


def places_json(report: SeasonReport) -> list[dict[str, Any]]:
    """Return the rows of a final table as JSON values."""
    return [_place_json(place, entry) for place, entry in report.places]


def _place_json(place: SeasonPlace, entry: EntryRow) -> dict[str, Any]:
    score = place.final
    return {
        "rank": place.rank,
        "entry": entry.number,
        "bot": entry.name,
        "owner": entry.owner,
        "elo": place.elo,
        "ci95": place.ci95,
        "deals": place.deals,
        "left": place.has_left,
        "final_elo": None if score is None else score.elo,
        "final_bound": "" if score is None else score.bound,
        "final_ci95": None if score is None else score.ci95,
        "final_deals": None if score is None else score.deals,
        "final_matches": None if score is None else score.matches,
        "final_points": None if score is None else score.points,
        "final_comparisons": None if score is None else score.comparisons,
    }
