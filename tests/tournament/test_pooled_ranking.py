"""Several tournaments in one ranking."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.ratings import Ranking, Tally, fit_ranking
from arena.ratings.source import ResultSource
from arena.results import stored_tournament
from arena.results.pooled_ranking import TournamentPool
from arena.results.standings import in_game_units, standings
from arena.results.stored_tournament import StoredTournament
from arena.store import Store, open_store
from arena.values.rows import NewEvent
from arena.values.tournament_errors import PlanError
from referee.games.cambio import CAMBIO
from tests import played

MATCHES = 48


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


def added(store: Store, new: NewEvent, numbers: range = range(MATCHES), faults: dict[int, str] | None = None) -> int:
    number = store.add_tournament(new)
    store.add_matches(number, [played.match(CAMBIO, each, faults=faults) for each in numbers])
    return number


def stored(store: Store) -> list[StoredTournament]:
    return [StoredTournament(store, row) for row in store.tournaments()]


def joint(store: Store, *, together: bool = False) -> TournamentPool:
    return TournamentPool.of(stored(store), together=together)


def rate(source: ResultSource) -> Ranking:
    return fit_ranking(source.tally())


def changed(new: NewEvent, name: str, sha256: str) -> NewEvent:
    field = tuple(replace(bot, sha256=sha256) if bot.name == name else bot for bot in new.entrants)
    return replace(new, entrants=field)


def test_two_halves_are_rated_as_the_whole(store: Store) -> None:
    new = played.tournament(CAMBIO, matches=MATCHES)
    for numbers in (range(20), range(20, MATCHES), range(MATCHES)):
        added(store, new, numbers)
    *halves, whole = stored(store)
    found = TournamentPool.of(halves).standings(rate)
    expected = standings(whole)
    assert found.table.rows == expected.table.rows
    assert found.table.deals == MATCHES // 4
    assert found.decisions == expected.decisions
    assert found.conduct == expected.conduct


def test_deals_of_other_secrets_are_others(store: Store) -> None:
    new = played.tournament(CAMBIO, matches=MATCHES)
    added(store, new)
    added(store, replace(new, secret=bytes(32)))
    assert joint(store).standings(rate).table.deals == 2 * MATCHES // 4


def test_faults_and_time_are_added_up(store: Store) -> None:
    new = played.tournament(CAMBIO, matches=MATCHES)
    for faults in ({3: "timeout"}, {3: "illegal"}):
        added(store, new, range(4), faults)
    found = joint(store).standings(rate)
    kinds = [dict(conduct.faults) for conduct in found.conduct.values()]
    assert sum(kind.get("timeout", 0) for kind in kinds) == sum(kind.get("illegal", 0) for kind in kinds) == 4
    alone = [standings(tournament) for tournament in stored(store)]
    assert found.decisions == sum(each.decisions for each in alone)


def test_versions_are_apart_unless_asked(store: Store) -> None:
    new = played.tournament(CAMBIO, matches=MATCHES)
    added(store, new)
    added(store, changed(new, "b", "1f" * 32))
    assert joint(store).names == (("a", "b:0000000", "c", "d"), ("a", "b:1f1f1f1", "c", "d"))
    assert joint(store, together=True).names == (("a", "b", "c", "d"),) * 2


def test_versions_of_submitted_bots_have_their_numbers(store: Store) -> None:
    new = played.tournament(CAMBIO, matches=MATCHES)
    for version in (1, 2):
        field = [{"submission": f"b@{version}" if bot.name == "b" else ""} for bot in new.entrants]
        added(store, played.planned(changed(new, "b", f"{version}f" * 32), field=field))
    assert joint(store).names == (("a", "b@1", "c", "d"), ("a", "b@2", "c", "d"))


def test_history_grows(store: Store) -> None:
    new = played.tournament(CAMBIO, matches=MATCHES)
    for numbers in (range(20), range(20, MATCHES)):
        added(store, new, numbers)
    first, both = joint(store).history(rate)
    assert [first[0].id, both[0].id] == [1, 2]
    assert first[1].rows == standings(StoredTournament.load(store, 1)).table.rows
    assert both[1].matches == MATCHES


def by_match(store: Store, found: TournamentPool) -> Ranking:
    """Return the ranking without any sums."""
    return in_game_units(fit_ranking(Tally(found.results())), "cambio")


def test_sums_make_the_ranking_of_the_matches(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_tournament, "BATCH", 7)
    new = played.tournament(CAMBIO, matches=MATCHES)
    added(store, new, range(30))
    added(store, changed(new, "b", "1f" * 32))
    added(store, replace(new, secret=bytes(32), entrants=new.entrants[::-1]))
    for tournament in store.tournaments():
        StoredTournament(store, tournament).summarise()
    for together in (True, False):
        found = joint(store, together=together)
        expected = by_match(store, found)
        assert found.standings(rate).table.rows == expected.rows
        assert found.standings(rate).source.tally().totals().played == expected.matches == 126
        assert [table.matches for _, table in found.history(rate)] == [30, 78, 126]
    monkeypatch.setattr(TournamentPool, "results", None)
    found.standings(rate)


def test_bots_of_a_field_that_are_one_bot_are_told_apart_by_no_sum(store: Store) -> None:
    new = played.tournament(CAMBIO, matches=MATCHES)
    for version in (1, 2):
        field = [{"submission": f"b@{version}" if bot.name in "bc" else ""} for bot in new.entrants]
        other = changed(changed(new, "b", f"{version}f" * 32), "c", f"{version}f" * 32)
        added(store, played.planned(other, field=field))
    found = joint(store)
    assert found.names[0] == ("a", "b@1", "b@1", "d")
    assert found.standings(rate).table.rows == by_match(store, found).rows


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"game": "cucco"}, r"tournaments 1 and 2 have different games \(cambio; cucco\)"),
        ({"options": {"chips": "3"}}, r"tournaments 1 and 2 have different options \(none; chips=3\)"),
        ({"behaviour": 99}, r"tournaments 1 and 2 have different versions of the rules \(\d+; 99\)"),
    ],
)
def test_what_does_not_belong_together_is_refused(store: Store, other: dict[str, object], sentence: str) -> None:
    new = played.tournament(CAMBIO, matches=MATCHES)
    store.add_tournament(new)
    store.add_tournament(replace(new, **other))  # type: ignore[arg-type]
    with pytest.raises(PlanError, match=sentence):
        joint(store)
