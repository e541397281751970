"""Leagues in the database: entries, log, ratings."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena.league.store.entry_grants import GRANT, REVOKE, EntryGrants, grants_in_log
from arena.league.store.league_rows import RatingsRow
from arena.league.store.leagues import Leagues
from arena.store import NoSuchRow, Store, StoreError, open_store
from tests import leagues


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        yield opened


def test_a_league_is_stored_with_its_season_and_anchors(store: Store) -> None:
    created = leagues.league(store)
    assert Leagues(store).named("club") == created
    assert [created] == Leagues(store).all()
    assert Leagues(store).seasons(created.id) == [leagues.SEASON]
    entries = Leagues(store).entries(created.id)
    assert [(each.number, each.name, each.state, each.is_anchor) for each in entries] == [
        (1, "samples/a@1", "standing", True),
        (2, "samples/b@1", "standing", True),
    ]
    with pytest.raises(StoreError, match="has a league club already"):
        leagues.league(store)


def test_a_league_that_is_not_there_is_named_with_the_nearest(store: Store) -> None:
    with pytest.raises(NoSuchRow, match="no league yet"):
        Leagues(store).named("club")
    leagues.league(store)
    with pytest.raises(NoSuchRow, match='did you mean "club"'):
        Leagues(store).named("clubb")


def test_the_log_is_a_chain(store: Store) -> None:
    created = leagues.league(store)
    assert Leagues(store).set_state(created.id, "paused", "ann", "lunch")
    assert not Leagues(store).set_state(created.id, "paused", "ann", "lunch")
    log = Leagues(store).log(created.id)
    assert [(row.number, row.kind) for row in log] == [(1, "create"), (2, "enter"), (3, "enter"), (4, "pause")]
    digest = created.definition_hash
    for row in log:
        assert row.digest == row.chained_digest(digest)
        digest = row.digest
    assert Leagues(store).named("club").state == "paused"
    assert log[0].details["commitment"] == leagues.SEASON.commitment


def test_a_new_version_retires_the_old_one_and_the_owners_oldest(store: Store) -> None:
    created = leagues.league(store)

    def states() -> dict[str, str]:
        return {each.name: each.state for each in Leagues(store).entries(created.id) if not each.is_anchor}

    one, two, other = (leagues.submit(store, name) for name in ("club/owl", "club/owl", "club/jay"))
    elsewhere = leagues.submit(store, "town/owl")
    for row in (one, elsewhere):
        Leagues(store).enter(created.id, leagues.entry(row), "arena", 2)
    Leagues(store).change_entry(created.id, 3, "standing", "arena", "60 Elo")
    assert states() == {"club/owl@1": "standing", "town/owl@1": "placing"}
    Leagues(store).enter(created.id, leagues.entry(two), "arena", 2)
    assert states() == {"club/owl@1": "retired", "town/owl@1": "placing", "club/owl@2": "placing"}
    Leagues(store).enter(created.id, leagues.entry(other), "arena", 2)
    assert states()["club/owl@2"] == "placing", "two may be active"
    third = leagues.submit(store, "club/kea")
    Leagues(store).enter(created.id, leagues.entry(third), "arena", 2)
    assert [name for name, state in states().items() if state == "placing"] == [
        "town/owl@1",
        "club/jay@1",
        "club/kea@1",
    ]
    [entered] = [each for each in Leagues(store).entries(created.id) if each.name == "club/owl@1"]
    assert entered.placed is not None
    assert entered.reason == "club/owl@2 has its place"
    assert Leagues(store).enter(created.id, leagues.entry(one), "arena", 2) == entered, "nobody enters twice"


def test_what_was_not_submitted_does_not_enter(store: Store) -> None:
    created = leagues.league(store)
    row = leagues.submit(store, "club/owl")
    unknown = leagues.entry(row).__class__("club/owl@7", ("club/owl", 7), "club")
    with pytest.raises(NoSuchRow, match="no bot club/owl@7"):
        Leagues(store).enter(created.id, unknown, "arena")
    assert len(Leagues(store).entries(created.id)) == 2


def test_equal_snapshots_are_stored_once(store: Store) -> None:
    created = leagues.league(store)
    numbers = [Leagues(store).add_snapshot(created.id, text, text.hex()) for text in (b"one", b"one", b"two", b"one")]
    assert numbers == [1, 1, 2, 3]
    assert Leagues(store).signed_snapshot(created.id, 2) == b"two"
    with pytest.raises(NoSuchRow):
        Leagues(store).snapshot(created.id, 4)


def test_new_ratings_supersede_others(store: Store) -> None:
    created = leagues.league(store)
    assert Leagues(store).ratings(created.id) is None
    for number in (1, 2, 3):
        Leagues(store).save_ratings(created.id, RatingsRow(number, b"%d" % number, f"2026-03-0{number}T00:00:00+00:00"))
    Leagues(store).save_ratings(created.id, RatingsRow(4, b"4", "2026-03-04T00:00:00+00:00"), [2, 3])
    assert [number for number, _ in Leagues(store).rating_times(created.id)] == [1, 4]
    newest = Leagues(store).ratings(created.id)
    assert newest is not None
    assert (newest.number, newest.packed) == (4, b"4")
    Leagues(store).save_ratings(created.id, RatingsRow(4, b"again", "2026-03-04T00:00:01+00:00"))
    again = Leagues(store).ratings(created.id, 4)
    assert again is not None
    assert again.packed == b"again"


def test_the_state_of_the_submissions_changes_with_them(store: Store) -> None:
    states = [store.submissions.state()]
    leagues.submit(store, "club/owl")
    states.append(store.submissions.state())
    store.submissions.retire("club/owl", [1])
    states.append(store.submissions.state())
    store.submissions.retire("club/owl", [1], back=True)
    states.append(store.submissions.state())
    assert len(set(states[:3])) == 3
    assert states[3] == states[1]


def test_grants_of_an_entry_are_changed_and_noted(store: Store) -> None:
    created = leagues.league(store)
    Leagues(store).enter(created.id, leagues.entry(leagues.submit(store, "club/owl")), "arena")
    granted = EntryGrants(("network",), ("KEY",), later=True)
    for _ in range(2):
        assert Leagues(store).change_grants(created.id, 3, lambda _: granted, "ann", GRANT, "a cup") == granted
    assert [each.grants for each in Leagues(store).entries(created.id)] == [EntryGrants(), EntryGrants(), granted]
    [told] = Leagues(store).log(created.id, GRANT)
    assert (told.who, told.reason, told.details) == ("ann", "a cup", {"entry": 3, **granted.to_json()})
    Leagues(store).enter(created.id, leagues.entry(leagues.submit(store, "club/owl")), "arena")
    assert Leagues(store).entries(created.id)[-1].grants == granted
    assert Leagues(store).change_grants(created.id, 4, lambda _: EntryGrants(), "ben", REVOKE) == EntryGrants()
    assert grants_in_log(Leagues(store).log(created.id)) == {3: [granted], 4: [granted, EntryGrants()]}


def test_anchors_always_stand_and_states_follow_each_other(store: Store) -> None:
    created = leagues.league(store)
    Leagues(store).enter(created.id, leagues.entry(leagues.submit(store, "club/owl")), "arena")
    assert not Leagues(store).change_entry(created.id, 1, "suspended", "arena", "faults")
    assert Leagues(store).change_entry(created.id, 3, "retired", "ann")
    assert not Leagues(store).change_entry(created.id, 3, "standing", "arena", "40 deals", ["placing"])
    assert [each.state for each in Leagues(store).entries(created.id)] == ["standing", "standing", "retired"]


def test_a_new_season_ends_the_one_before(store: Store) -> None:
    created = leagues.league(store)
    second = replace(leagues.SEASON, number=2, first_day="2027-05-01")
    assert Leagues(store).begin_season(created.id, second, "arena")
    assert not Leagues(store).begin_season(created.id, second, "arena"), "another program did"
    first, stored = Leagues(store).seasons(created.id)
    assert first.ended is not None
    assert stored == second
    assert Leagues(store).log(created.id)[-1].kind == "season"
