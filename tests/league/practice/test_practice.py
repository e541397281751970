"""Practice leagues: what may be begun, what is played when, and what is left of them."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.league import control
from arena.league.account_closing import close_account
from arena.league.plan.definition import is_league_name
from arena.league.practice.control import (
    BEGUN_PER_DAY,
    MOST_KEPT,
    MOST_OPEN,
    MOST_VERSIONS,
    PracticeError,
    PracticeRequest,
    TooMuchPractice,
    begin_practice,
    let_enter,
    remove_practice_league,
)
from arena.league.results.board import load_board
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.league.store.practice_leagues import DELETED_AFTER, UNSEEN_FOR, PracticeLeagues
from arena.league.verification import league_problems
from arena.run.remote.tokens import token_hash
from arena.store import NoSuchRow, Store, open_store
from arena.store.engine.schema import leagues as league_table
from arena.store.matches import practice_ids
from arena.values.errors import ArenaError
from sample_bots import SAMPLES
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")

OWL = ("club/owl@1", "club/owl@2")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Two versions of club/owl, a bot of somebody else, and a league of Cambio that nobody runs."""
    with open_store(tmp_path / "arena.db", create=True) as opened:
        leagues.cambio(opened)
        leagues.submit_file(opened, "club/owl", SAMPLES["cautious"].path)
        leagues.submit_file(opened, "club/owl", SAMPLES["random"].path)
        leagues.submit_file(opened, "fox/hen", SAMPLES["random"].path)
        yield opened


def begin(store: Store, *bots: str, owner: str = "club", samples: tuple[str, ...] = ()) -> str:
    return begin_practice(store, owner, owner, PracticeRequest(bots or OWL, "cambio", "", samples)).name


def stored(store: Store, name: str) -> int:
    return Leagues(store).named(name, practice=True).results


def test_versions_of_one_owner_play_each_other_and_are_rated(store: Store) -> None:
    name = begin(store, samples=("random",))
    league = Leagues(store).named(name, practice=True)
    for entry in Leagues(store).entries(league.id):
        Leagues(store).change_entry(league.id, entry.number, "standing", "arena")
    for _ in range(20):
        leagues.practise(store, 1)
        if set(OWL) in [set(match.players) for match in store.matches(league=name, practice=True)]:
            break
    else:
        pytest.fail("they never met")
    board = load_board(store, name, past=True, practice=True)
    assert [row.entry.name for row in board.rows if row.entry.is_anchor and row.elo is None] == []
    assert sorted(row.entry.name for row in board.rows if not row.entry.is_anchor and row.elo is not None) == [*OWL]
    assert min(row.first_match for row in Batches(store).of(league.id)) == practice_ids.ids_of(league.id).start
    assert list(league_problems(store, board.league)) == []


def test_it_is_played_as_the_league_for_which_it_is(store: Store) -> None:
    definition = Leagues(store).named(begin(store), practice=True).definition
    assert (definition["game"], definition["seats"], definition["options"]) == ("cambio", 2, {"chips": "2"})


def test_it_counts_for_nothing_else(store: Store) -> None:
    name = begin(store)
    before = (store.names(), store.matches(), store.process_failures.listed())
    leagues.practise(store, 2)
    assert stored(store, name) == 2
    assert (store.names(), store.matches(), store.process_failures.listed()) == before
    assert store.matches(bot="club/owl") == []
    assert store.matches(bot="club/owl", against="club/owl") == []
    assert store.matches(league=name) == []
    assert [row.name for row in Leagues(store).all()] == ["cambio"]
    assert Leagues(store).entries_of("club/owl", 2) == []
    assert Leagues(store).active_bots(["club"]) == {}
    with store.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM outbox").scalar() == 0
    with pytest.raises(NoSuchRow) as refused:
        Leagues(store).named(name)
    assert name not in str(refused.value).removeprefix(f"the database {store.where} has no league {name}")


def test_ids_of_other_matches_go_on_without_a_gap(store: Store) -> None:
    begin(store)
    leagues.practise(store, 1)
    leagues.play(store, 1)
    [newest] = store.matches(limit=1)
    assert newest.id < 10_000


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        (("fox/hen@1",), "you have no bot fox/hen@1 that may play"),
        (("fox/hen",), "you have no bot fox/hen that may play"),
        (("club/owl@9",), "you have no bot club/owl@9 that may play"),
        (("samples/random@1",), "you have no bot samples/random@1"),
        ((), f"choose 1 to {MOST_VERSIONS} versions of your bots, not 0"),
        (tuple(f"club/owl@{number}" for number in range(9)), "versions of your bots, not 9"),
    ],
)
def test_versions_of_others_are_as_unknown_as_those_that_do_not_exist(
    store: Store, bots: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(PracticeError, match=sentence):
        begin_practice(store, "club", "club", PracticeRequest(bots, "cambio"))
    assert PracticeLeagues(store).all() == []


def test_a_version_that_was_retired_does_not_practise(store: Store) -> None:
    name = begin(store)
    control.take_down(store, "club/owl", "boss", "it cheats")
    entries = Leagues(store).entries(Leagues(store).named(name, practice=True).id)
    assert [entry.state for entry in entries if not entry.is_anchor] == ["retired", "retired"]
    with pytest.raises(PracticeError, match="you have no bot club/owl@1"):
        begin(store)


def test_what_cannot_be_played_is_refused(store: Store) -> None:
    for request, sentence in (
        (PracticeRequest(OWL), "name either the league or the game"),
        (PracticeRequest(OWL, "cambio", "cambio"), "name either the league or the game"),
        (PracticeRequest(OWL, "cambio", "", ("owl",)), "owl is no sample bot that plays cambio"),
    ):
        with pytest.raises(PracticeError, match=sentence):
            begin_practice(store, "club", "club", request)
    with pytest.raises(NoSuchRow):
        begin_practice(store, "club", "club", PracticeRequest(OWL, "practice-00000000"))


def test_an_owner_has_few_at_a_time_and_on_a_day(store: Store) -> None:
    names = [begin(store) for _ in range(MOST_OPEN)]
    with pytest.raises(PracticeError, match=f"you have {MOST_OPEN} practice leagues that play, the most"):
        begin(store)
    assert begin(store, "fox/hen", owner="fox")
    for name in names:
        Leagues(store).set_state(Leagues(store).named(name, practice=True).id, "closed", "arena")
    for _ in range(MOST_KEPT - MOST_OPEN):
        name = begin(store)
        Leagues(store).set_state(Leagues(store).named(name, practice=True).id, "closed", "arena")
    with pytest.raises(PracticeError, match=f"you have {MOST_KEPT} practice leagues, the most"):
        begin(store)
    for _ in range(BEGUN_PER_DAY - MOST_KEPT):
        remove_practice_league(store, "club", name)
        name = begin(store)
    remove_practice_league(store, "club", name)
    with pytest.raises(TooMuchPractice, match=f"practice leagues of an owner on a day are {BEGUN_PER_DAY}") as refused:
        begin(store)
    assert refused.value.retry_after is not None


def test_a_league_of_everybody_cannot_have_such_a_name(store: Store) -> None:
    assert not is_league_name(begin(store))
    assert not is_league_name("practice-2026")
    assert is_league_name("practice")


def test_only_its_owner_removes_it(store: Store) -> None:
    name = begin(store)
    for owner in ("fox", ""):
        with pytest.raises(NoSuchRow):
            remove_practice_league(store, owner, name)
    with pytest.raises(NoSuchRow):
        remove_practice_league(store, None, "cambio")
    remove_practice_league(store, "club", name)
    with pytest.raises(NoSuchRow):
        Leagues(store).named(name, practice=True)


def test_what_is_removed_leaves_no_row_but_its_id(store: Store) -> None:
    database = store.where
    before = _dump(database)
    name = begin(store)
    leagues.practise(store, 2)
    now = datetime.now(UTC)
    remove_practice_league(store, "club", name)
    PracticeLeagues(store).tidy(now)
    assert store.matches(practice=True) != []  # a run may have a batch of it under way
    PracticeLeagues(store).tidy(now + DELETED_AFTER + timedelta(seconds=2))
    left = [line for line in _dump(database) if line not in before]
    kept = ('"submissions"', '"packs"', '"practice_use"')  # the sample bots, and what was used on the day
    [tombstone] = [line for line in left if line.startswith("INSERT") and not any(table in line for table in kept)]
    assert tombstone.startswith(f"INSERT INTO \"leagues\" VALUES(2,'{name}','cambio','{{}}'")
    assert "club" not in tombstone
    assert stored_ids(store) == [1, 2]
    assert Leagues(store).named(begin(store), practice=True).id == 3


def stored_ids(store: Store) -> list[int]:
    with store.read() as connection:
        return [row.id for row in connection.execute(league_table.select().order_by(league_table.c.id))]


def _dump(database: str) -> list[str]:
    with sqlite3.connect(database) as connection:
        return list(connection.iterdump())


def test_it_goes_when_its_owner_does_not_look_at_it(store: Store) -> None:
    name = begin(store)
    now = datetime.now(UTC)
    [row] = PracticeLeagues(store).all()
    assert row.goes == (datetime.fromisoformat(row.seen) + UNSEEN_FOR).date().isoformat()
    PracticeLeagues(store).tidy(now + UNSEEN_FOR - timedelta(hours=1))
    PracticeLeagues(store).note_seen(row.id, now + timedelta(days=3))
    PracticeLeagues(store).tidy(now + UNSEEN_FOR + timedelta(days=2))
    assert [row.name for row in PracticeLeagues(store).all()] == [name]
    PracticeLeagues(store).tidy(now + UNSEEN_FOR + timedelta(days=3, hours=1))
    assert PracticeLeagues(store).all() == []


def test_it_goes_with_its_owner_s_account(store: Store) -> None:
    store.accounts.add("club", "author", token_hash("club"))
    name = begin(store)
    leagues.practise(store, 1)
    assert close_account(store, "club") is not None
    with pytest.raises(NoSuchRow):
        Leagues(store).named(name, practice=True)
    assert PracticeLeagues(store).all() == []
    assert PracticeLeagues(store).used_ms(datetime.now(UTC)) == {}
    PracticeLeagues(store).tidy(datetime.now(UTC) + DELETED_AFTER + timedelta(seconds=2))
    assert store.matches(practice=True) == []


def test_a_version_for_practice_alone_practises_and_enters_once_its_owner_lets_it(store: Store) -> None:
    """Until then the version before it plays."""
    league = Leagues(store).named("cambio")
    leagues.submit_file(store, "club/owl", SAMPLES["bluffer"].path, practice_only=True)
    scheduler = LeagueScheduler(store, store.where, league)

    def enter() -> dict[str, str]:
        scheduler._entries.read()
        scheduler._entries.enter_submissions(is_frozen=False)
        return {row.name: row.state for row in Leagues(store).entries(league.id) if row.owner == "club"}

    assert enter() == {"club/owl@2": "placing"}
    name = begin(store, "club/owl@3", "club/owl@2")
    assert {"club/owl@3", "club/owl@2"} <= {row.name for row in Leagues(store).entries(named(store, name))}
    for owner, title in (("fox", "club/owl@3"), ("club", "club/owl"), ("club", "club/owl@2"), ("club", "club/owl@9")):
        with pytest.raises(ArenaError, match="for practice alone"):
            let_enter(store, owner, title)
    assert enter() == {"club/owl@2": "placing"}
    let_enter(store, "club", "club/owl@3")
    assert enter() == {"club/owl@2": "retired", "club/owl@3": "placing"}
    with pytest.raises(ArenaError, match="for practice alone"):
        let_enter(store, "club", "club/owl@3")


def named(store: Store, name: str) -> int:
    return Leagues(store).named(name, practice=True).id
