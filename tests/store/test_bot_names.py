"""Submitted bots have the version in their names."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.ratings import fit_ranking
from arena.results.pooled_ranking import TournamentPool
from arena.results.stored_tournament import StoredTournament
from arena.store import Store, open_store
from arena.values.failure_rows import ProcessFailureRow
from arena.values.versioned_names import base_name, is_version_of
from referee.games.cambio import CAMBIO
from tests import played

NAMES = ["me/vb@2", "me/vb@1", "random", "random#2"]
SUBMISSIONS = ("me/vb@2", "me/vb@1", "", "")


def test_a_name_without_a_version_means_all() -> None:
    assert is_version_of("me/vb@2", "me/vb")
    assert is_version_of("me/vb@2", "me/vb@2")
    assert not is_version_of("me/vb@2", "me/vb@1")
    assert not is_version_of("me/vbx@2", "me/vb")
    assert [base_name(name) for name in ("me/vb@2#3", "random#2", "owl")] == ["me/vb", "random", "owl"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A database with two tournaments of two versions of a submission and two copies of a sample."""
    new = played.tournament(CAMBIO, matches=24)
    content = ("22" * 32, "11" * 32, "33" * 32, "33" * 32)
    with open_store(tmp_path / "arena.db", create=True) as opened:
        for _ in range(2):
            entrants = tuple(
                replace(bot, name=name, sha256=sha256)
                for bot, name, sha256 in zip(new.entrants, NAMES, content, strict=True)
            )
            field = [{"name": name, "submission": each} for name, each in zip(NAMES, SUBMISSIONS, strict=True)]
            number = opened.add_tournament(played.planned(replace(new, entrants=entrants), field=field))
            opened.add_matches(number, [played.match(CAMBIO, each) for each in range(24)])
        yield opened


def test_versions_are_rated_by_themselves_or_together(store: Store) -> None:
    tournaments = [StoredTournament(store, row) for row in store.tournaments()]
    assert [each.names for each in tournaments] == [NAMES, NAMES]
    assert store.names() == sorted(NAMES)
    rated = TournamentPool.of(tournaments).standings(lambda source: fit_ranking(source.tally())).table
    assert {row.bot: row.matches for row in rated.rows} == dict.fromkeys(NAMES, 48)
    together = TournamentPool.of(tournaments, together=True)
    assert together.names == ((("me/vb", "me/vb", "random", "random#2"),) * 2)


def test_filters_know_versions(store: Store) -> None:
    for bot, count in (("me/vb@1", 48), ("me/vb", 48), ("random", 48), ("me/vb@3", 0)):
        listed = store.matches(bot=bot)
        assert len(listed) == count
        assert all(any(is_version_of(name, bot) for name in match.players) for match in listed)
    assert len(store.matches(bot="me/vb@1", against="me/vb@2")) == 48
    first = store.matches(bot="me/vb@1", worst=True, tournament=1)
    second = store.matches(bot="me/vb@1", worst=True, tournament=2)
    assert [match.scores for match in first] == [match.scores for match in second]
    assert sorted(store.matches(tournament=1, limit=1)[0].players) == sorted(NAMES)
    assert sorted(store.match(1).players) == sorted(NAMES)


def test_a_name_means_no_names_that_begin_alike(store: Store) -> None:
    """Names are looked for in a range of the index."""
    names = ("me/vb2", "me/vbA", "me/vb_@1", "me/vb@10")
    bots = zip(played.tournament(CAMBIO, matches=24).entrants, names, strict=True)
    entrants = tuple(replace(bot, name=name) for bot, name in bots)
    number = store.add_tournament(played.planned(replace(played.tournament(CAMBIO, matches=24), entrants=entrants)))
    store.add_matches(number, [played.match(CAMBIO, each) for each in range(24)])
    assert set(names) < set(store.names())
    assert store.names() == sorted(set(store.names()))
    counted = {bot: len(store.matches(bot=bot, tournament=number)) for bot in ("me/vb", *names, "me/vb@1", "me", "")}
    assert counted == {"me/vb": 24, **dict.fromkeys(names, 24), "me/vb@1": 0, "me": 0, "": 0}
    assert len(store.matches(bot="me/vb2")) == 24
    assert store.matches(bot="me/vb2", against="random") == []


def test_failures_know_versions(store: Store) -> None:
    for tournament in (1, 2):
        failure = ProcessFailureRow(phase=0, player=1, entrant=1, kind="crash", sentence="it ended", time_us=5)
        store.add_matches(tournament, (), failures=[failure])
    assert [listed.bot for listed in store.process_failures.listed()] == ["me/vb@1", "me/vb@1"]
    assert store.process_failures.count(bots=["me/vb@1"]) == 2
    assert store.process_failures.count(bots=["me/vb@2"]) == 0
    assert store.process_failures.count(bots=[]) == 0
