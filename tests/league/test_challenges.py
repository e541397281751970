"""Challenges: who may ask for them, of whom, and how many."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Thread

import pytest

from arena.league.challenges import challenge, challenges_of
from arena.league.control import LeagueError, TooManyDecisions, check_daily
from arena.league.results.board import load_board
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.store import Store, open_store
from arena.values.errors import NotOwner
from sample_bots import SAMPLES
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A league, cambio, of club/owl in two versions and town/jay, in which nothing was played."""
    with open_store(tmp_path / "arena.db", create=True) as opened:
        league = leagues.cambio(opened)
        for bot in ("counter", "cautious"):
            leagues.submit_file(opened, "club/owl", SAMPLES[bot].path)
            LeagueScheduler(opened, opened.where, league).update()
        leagues.submit_file(opened, "town/jay", SAMPLES["random"].path)
        LeagueScheduler(opened, opened.where, league).update()
        yield opened


@pytest.mark.parametrize(
    ("bot", "against", "deals", "complaint"),
    [
        ("club/jay", ["samples/random"], 10, "no bot club/jay takes part"),
        ("club/owl", ["club/jay"], 10, "no bot club/jay takes part"),
        ("club/owl", ["club/owl@2"], 10, "cannot challenge itself"),
        ("club/owl", [], 10, "names 1 to 7 others, not 0"),
        ("club/owl", ["town/jay"], 201, "1 to 200 deals, not 201"),
        ("club/owl", ["town/jay"], 0, "1 to 200 deals, not 0"),
    ],
)
def test_what_is_no_challenge_is_refused(
    store: Store, bot: str, against: list[str], deals: int, complaint: str
) -> None:
    with pytest.raises(LeagueError, match=complaint):
        leagues.challenge(store, bot, *against, deals=deals, by="club", organiser=False)
    assert not Leagues(store).log(1, "challenge")


def test_nobody_challenges_with_the_bot_of_somebody_else(store: Store) -> None:
    with pytest.raises(NotOwner, match="^town/jay@1 belongs to somebody else$"):
        leagues.challenge(store, "town/jay", "club/owl", deals=10, by="club", organiser=False)
    assert not Leagues(store).log(1, "challenge")


def test_a_league_that_is_closed_meanwhile_refuses_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def close(*_: object) -> bool:
        Leagues(store).set_state(1, "closed", "ann")
        return False

    monkeypatch.setattr(Batches, "add", close)
    with pytest.raises(LeagueError, match="the league cambio is closed"):
        leagues.challenge(store, "club/owl", "town/jay")


def test_a_bot_that_has_not_played_is_challenged_for_a_few_deals(store: Store) -> None:
    with pytest.raises(LeagueError, match="club/owl@2 has not played yet, .* ask for 2 deals at most"):
        leagues.challenge(store, "club/owl", "town/jay", deals=3, by="club", organiser=False)
    assert leagues.challenge(store, "club/owl", "town/jay", deals=2, by="club", organiser=False)
    assert leagues.challenge(store, "club/owl", "town/jay", deals=30)


def test_an_owner_compares_versions(store: Store) -> None:
    entries = {entry.name: entry for entry in Leagues(store).entries(1)}
    assert entries["club/owl@1"].state == "retired"
    number = leagues.challenge(store, "club/owl@2", "club/owl@1", by="club", organiser=False)
    batch = Batches(store).get(1, number)
    assert batch is not None
    assert {entries["club/owl@1"].number, entries["club/owl@2"].number} <= set(batch.entries)
    assert challenges_of(store, 1, entries["club/owl@1"].number) == [number]
    assert challenges_of(store, 1, entries["town/jay@1"].number) == []


def test_who_does_not_play_is_not_challenged(store: Store) -> None:
    with pytest.raises(LeagueError, match="club/owl@1 is retired: name its newest version"):
        leagues.challenge(store, "town/jay", "club/owl@1", by="town", organiser=False)
    leagues.challenge(store, "town/jay", "club/owl@1")
    store.submissions.retire("club/owl", [2])
    for organiser in (False, True):
        with pytest.raises(LeagueError, match="club/owl@2 is barred from play"):
            leagues.challenge(store, "town/jay", "club/owl", by="town", organiser=organiser)
    [jay] = [entry.number for entry in Leagues(store).entries(1) if entry.name == "town/jay@1"]
    Leagues(store).change_entry(1, jay, "suspended", "arena", "it crashed")
    with pytest.raises(LeagueError, match="town/jay@1 is suspended: it crashed"):
        leagues.challenge(store, "town/jay", "samples/random", by="town", organiser=False)


def test_bots_that_would_take_too_long_are_not_challenged(store: Store) -> None:
    board = load_board(store, "cambio", past=True)
    slow = [
        replace(row, deals=10, charged_us=60_000_000 if row.entry.name == "town/jay@1" else 0) for row in board.rows
    ]
    ask = (store, store.where, replace(board, rows=tuple(slow)), "club/owl", ["town/jay"])
    with pytest.raises(LeagueError, match="200 deals of these bots take about 1,200 s of a core"):
        challenge(*ask, 200, "club", organiser=False)
    assert challenge(*ask, 25, "club", organiser=False)


def test_an_owner_challenges_so_often_on_a_day(store: Store) -> None:
    for _ in range(10):
        leagues.challenge(store, "club/owl", "town/jay", by="club", organiser=False)
    with pytest.raises(TooManyDecisions, match="the most challenges of an owner in cambio on a day are 10") as caught:
        leagues.challenge(store, "club/owl", "town/jay", by="club", organiser=False)
    assert 0 < (caught.value.retry_after or 0) <= 86400
    leagues.challenge(store, "town/jay", "club/owl", by="town", organiser=False)
    leagues.challenge(store, "club/owl", "town/jay")


def test_challenges_at_the_same_moment_are_counted_too(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(9):
        leagues.challenge(store, "club/owl", "town/jay", by="club", organiser=False)
    both, check = Barrier(2), check_daily

    def together(store: Store, *rest: object) -> None:
        check(store, *rest)  # type: ignore[arg-type]
        if len(Leagues(store).log(1, "challenge")) == 9:
            both.wait(60)

    def ask() -> None:
        with suppress(TooManyDecisions):
            leagues.challenge(store, "club/owl", "town/jay", by="club", organiser=False)

    monkeypatch.setattr("arena.league.challenges.check_daily", together)
    threads = [Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Leagues(store).log(1, "challenge")) == 10
