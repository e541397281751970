"""Hand-ins that organisers have checked again."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from arena.bots.hand_in_limits import DEFAULT_DAYS
from arena.bots.hand_in_rows import ACCEPTED, Claim, HandInEnd, TooManyHandIns
from arena.bots.hand_in_space import MEGABYTE, HandInSpace
from arena.bots.hand_ins import MOST_DEATHS, HandIns
from arena.bots.rejudging import Chosen, RejudgeError, Rejudging
from arena.league.store.league_dates import LeagueDates, has_unchecked
from arena.league.store.league_rows import NewLeague
from arena.league.store.leagues import Leagues
from arena.store import Store, open_store
from arena.store.engine.schema import hand_in_files, hand_in_log, outbox
from arena.store.people.account_closing import wipe_account
from tests import leagues
from tests.bots.test_hand_ins import VERSION, titled

END = HandInEnd(1000, {"found": []})


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        yield opened


def hand_in(store: Store, name: str, content: bytes = b"source", space: HandInSpace | None = None) -> int:
    owner = name.partition("/")[0]
    return HandIns(store).receive(owner, name, "owl.py", content, games=("hypp",), space=space or HandInSpace())


def finish(store: Store, state: str = "refused", sentence: str = "is refused: dials in: no hello") -> int:
    claimed = HandIns(store).claim("me", 60.0)
    assert claimed is not None
    assert HandIns(store).finish(claimed.claim, state, sentence, END)
    return claimed.row.id


def accept(store: Store) -> int:
    claimed = HandIns(store).claim("me", 60.0)
    assert claimed is not None
    assert HandIns(store).accept(claimed.claim, VERSION, titled, END) is not None
    return claimed.row.id


def end_at(store: Store, id: int, moment: datetime) -> None:
    with store.write() as connection:
        connection.exec_driver_sql(
            f"UPDATE hand_ins SET ended = '{moment.isoformat(timespec='seconds')}' WHERE id = {id}"
        )


def order(store: Store) -> list[int]:
    """Return the queue."""
    places = HandIns(store).queue_places()
    return sorted(places, key=lambda id: places[id].place)


def test_a_refused_one_is_checked_again_with_the_reason_in_its_log_and_its_owner_is_told(store: Store) -> None:
    id = hand_in(store, "club/owl")
    finish(store)
    rejudged = Rejudging(store).rejudge([id, id], "ann", " the check of hellos is mended ")
    assert rejudged == ([id], {})
    row = HandIns(store).find(id)
    assert (row.state, row.sentence, row.steps, row.ended, row.duration_ms) == ("received", "", (), None, None)
    assert HandIns(store).report(id) is None
    [entry] = Rejudging(store).log(id)
    assert entry[1:] == ("ann", "the check of hellos is mended", "is refused: dials in: no hello")
    assert accept(store) == id
    assert HandIns(store).find(id).version == 1
    with store.read() as connection:
        events = connection.execute(select(outbox.c.kind, outbox.c.account).order_by(outbox.c.id)).all()
        files = connection.execute(hand_in_files.select()).all()
    kinds = ["hand_in.checked", "hand_in.rejudged", "hand_in.checked"]
    assert events == [(kind, "club") for kind in kinds]
    assert files == [], "an accepted one keeps none"


def test_an_attempt_from_before_stores_nothing(store: Store) -> None:
    id = hand_in(store, "club/owl")
    claimed = HandIns(store).claim("me", 60.0)
    assert claimed is not None
    HandIns(store).finish(claimed.claim, "refused", "is refused", END)
    Rejudging(store).rejudge([id], "ann", "mended")
    assert not HandIns(store).finish(claimed.claim, "refused", "is refused", END)
    assert HandIns(store).accept(claimed.claim, VERSION, titled, END) is None
    again = HandIns(store).claim("me", 60.0)
    assert again is not None
    assert again.content == b"source"


def test_what_cannot_be_checked_again_is_told(store: Store) -> None:
    waiting, accepted, cancelled, old = (hand_in(store, f"o{n}/owl") for n in range(4))
    HandIns(store).cancel(cancelled)
    first = HandIns(store).claim("me", 60.0)
    assert first is not None
    assert first.row.id == waiting
    assert accept(store) == accepted
    finish(store)
    HandIns(store).release(first.claim, died=False)
    with store.write() as connection:
        connection.execute(hand_in_files.delete().where(hand_in_files.c.hand_in == old))
    store.submissions.retire("o1/owl", [1])
    rejudged = Rejudging(store).rejudge([waiting, accepted, cancelled, old, 77], "ann", "mended")
    assert rejudged.taken == []
    assert rejudged.left == {
        waiting: "it is not checked yet",
        accepted: "version 1 of o1/owl is retired",
        cancelled: "it was cancelled",
        old: "its file is no longer kept: its owner must hand it in again",
        77: "there is none of this number",
    }
    for reason in ("", "  "):
        with pytest.raises(RejudgeError, match="say why"):
            Rejudging(store).rejudge([old], "ann", reason)


def events(store: Store) -> list[tuple[str, str, str | None]]:
    """Return what the outbox has: kind, account, and the result of a version that was checked again."""
    with store.read() as connection:
        rows = connection.execute(select(outbox.c.kind, outbox.c.account, outbox.c.data).order_by(outbox.c.id)).all()
    return [(row.kind, row.account, json.loads(row.data).get("again")) for row in rows]


def checked_again(store: Store) -> tuple[int, Claim]:
    """Have a version checked again by ann, and begin with it."""
    id = hand_in(store, "club/owl")
    accept(store)
    assert Rejudging(store).rejudge([id], "ann", "timeouts were not counted") == ([id], {})
    claimed = HandIns(store).claim("me", 60.0)
    assert claimed is not None
    assert (claimed.row.id, claimed.row.version, claimed.content, claimed.row.is_rechecked) == (id, 1, b"", True)
    return id, claimed.claim


@pytest.mark.parametrize(
    ("state", "sentence", "said", "again"),
    [
        ("accepted", "", "plays as version 1, and has passed its check again", "passed"),
        (
            "refused",
            "is refused: dials in: no hello",
            "plays on as version 1; checked again, it would be refused now: dials in: no hello",
            "failed",
        ),
        (
            "failed",
            "could not be checked: no referee",
            "plays on as version 1; checked again, it could not be checked: no referee",
            "failed",
        ),
    ],
)
def test_an_accepted_version_that_is_checked_again_stays_whatever_the_result_is(
    store: Store, state: str, sentence: str, said: str, again: str
) -> None:
    id, claim = checked_again(store)
    assert HandIns(store).finish(claim, state, sentence, END)
    row = HandIns(store).find(id)
    assert (row.state, row.version, row.sentence, row.duration_ms) == ("accepted", 1, said, 1000)
    assert [(row.version, row.retired) for row in store.submissions.all()] == [(1, None)]
    told = [("hand_in.checked", "club", ""), ("hand_in.rejudged", "club", None), ("hand_in.checked", "club", again)]
    assert events(store) == [*told, *[("hand_in.recheck_failed", "ann", "failed")] * (again == "failed")]
    assert Rejudging(store).why_not(id) == "", "and once more"


def test_one_that_ends_its_checker_or_is_cancelled_plays_on(store: Store) -> None:
    id, claim = checked_again(store)
    assert HandIns(store).cancel(id)
    row = HandIns(store).find(id)
    assert (row.state, row.version) == ("accepted", 1)
    assert row.sentence == "plays as version 1; it was to be checked again, which was cancelled"
    Rejudging(store).rejudge([id], "ann", "once more")
    for _ in range(MOST_DEATHS):
        with store.write() as connection:
            connection.exec_driver_sql("UPDATE hand_ins SET not_before = NULL")
        claimed = HandIns(store).claim("me", 60.0)
        assert claimed is not None
        HandIns(store).release(claimed.claim, died=True)
    row = HandIns(store).find(id)
    assert (row.state, row.version, row.died) == ("accepted", 1, MOST_DEATHS)
    assert row.sentence.startswith("plays on as version 1; checked again, it would be refused now: its check ended the")
    assert events(store)[-1] == ("hand_in.recheck_failed", "ann", "failed")
    assert not HandIns(store).finish(claim, "refused", "is refused", END), "an attempt from before"


def test_no_new_version_and_no_season_waits_for_an_accepted_one(store: Store) -> None:
    old = hand_in(store, "club/owl")
    accept(store)
    Rejudging(store).rejudge([old], "ann", "mended")
    dates = LeagueDates(deadline="2999-01-01T00:00:00+00:00")
    assert not has_unchecked(store, dates)
    new = hand_in(store, "club/owl")
    assert has_unchecked(store, dates)
    assert order(store) == [new, old]
    claimed = HandIns(store).claim("me", 60.0)
    assert claimed is not None
    assert claimed.row.id == new
    beside = HandIns(store).claim("me", 60.0)
    assert beside is not None
    assert beside.row.id == old, "beside the new one, as it becomes no version"


def test_of_accepted_ones_those_that_may_play_are_chosen(store: Store) -> None:
    first, second, other = hand_in(store, "club/owl"), hand_in(store, "club/owl"), hand_in(store, "fox/jay")
    for _ in range(3):
        accept(store)

    def chosen() -> list[int]:
        return [row.id for row in Rejudging(store).choose(Chosen(states=(ACCEPTED,)))]

    assert sorted(row.title for row in store.submissions.all()) == ["club/owl@1", "club/owl@2", "fox/jay@1"]
    assert chosen() == [second, other], "the newest versions"
    store.submissions.retire("fox/jay", [1])
    store.submissions.retire("club/owl", [2])
    assert chosen() == [first]
    store.submissions.retire("club/owl", [2], back=True)
    active = leagues.entry(store.submissions.version("club/owl", 1))
    definition = {"hash_version": 2, "game": "guessing"}
    Leagues(store).create(NewLeague("x", "guessing", definition, leagues.SEASON), [active], "ann")
    assert chosen() == [first, second], "and those that are active in a league"


def test_an_older_bot_does_not_take_the_place_of_a_newer_one(store: Store) -> None:
    old = hand_in(store, "club/owl")
    finish(store)
    end_at(store, old, datetime.now(UTC) - timedelta(hours=1))
    hand_in(store, "club/owl")
    assert Rejudging(store).why_not(old) == "", "the newer one is not accepted yet, and comes after it"
    accept(store)
    assert Rejudging(store).why_not(old) == "version 1 of club/owl was accepted since"


def test_nobody_who_hands_in_now_waits_for_those_that_are_checked_again(store: Store) -> None:
    old = [hand_in(store, f"o{n}/owl") for n in range(3)]
    for _ in old:
        finish(store)
    Rejudging(store).rejudge(old, "ann", "mended")
    assert order(store) == old
    new = [hand_in(store, "x/owl"), hand_in(store, "o1/jay")]
    assert order(store) == [*new, *old]
    newer = hand_in(store, "o2/owl")
    assert order(store)[-2:] == old[:2]
    assert order(store).index(old[2]) < order(store).index(newer), "versions of a bot are checked in their order"


def test_it_counts_as_none_of_its_owner(store: Store) -> None:
    ids = []
    for n in range(5):
        ids.append(hand_in(store, f"club/owl{n}"))
        finish(store)
    Rejudging(store).rejudge(ids, "ann", "mended")
    new = [hand_in(store, f"club/jay{n}") for n in range(5)]
    with pytest.raises(TooManyHandIns):
        hand_in(store, "club/jay")
    assert len(new) == 5
    HandIns(store).cancel(new[0])
    receive = HandIns(store).receive
    receive("club", "club/jay", "owl.py", b"", per_day=11)
    with pytest.raises(TooManyHandIns, match="on a day are 11"):
        receive("club", "club/jay", "owl.py", b"", per_day=11)


def test_those_that_are_meant_are_chosen(store: Store) -> None:
    first, second, third = (hand_in(store, name) for name in ("a/owl", "b/owl", "b/jay"))
    finish(store)
    finish(store, "failed", "could not be checked")
    finish(store)
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    for hour, id in enumerate((first, second, third)):
        end_at(store, id, noon + timedelta(hours=hour))

    def chosen(**more: object) -> list[int]:
        return [row.id for row in Rejudging(store).choose(Chosen(**more))]  # type: ignore[arg-type]

    assert chosen() == [first, third]
    assert chosen(states=("refused", "failed")) == [first, second, third]
    assert chosen(owner="b") == [third]
    assert chosen(since="2026-05-01T13:00:00+00:00") == [third]
    assert chosen(until="2026-05-01T13:00:00+00:00") == [first]
    assert chosen(said="DIALS in") == [first, third]
    assert chosen(games=("cambio", "hypp")) == [first, third]
    assert chosen(games=("cambio",)) == []
    assert chosen(league=(7, "hypp")) == [first, third]
    assert chosen(league=(7, "cambio")) == []
    with store.write() as connection:
        connection.exec_driver_sql(f"UPDATE hand_ins SET league = 7 WHERE id = {third}")
    assert chosen(league=(7, "cambio")) == [third], "it names its league"
    assert chosen(league=(8, "hypp")) == [first]


def test_files_of_refused_ones_are_kept_for_some_days_in_the_room_that_others_leave(store: Store) -> None:
    space = HandInSpace(megabytes=2)
    first = hand_in(store, "a/owl", bytes(MEGABYTE), space)
    finish(store)
    second = hand_in(store, "b/owl", bytes(MEGABYTE), space)
    finish(store)
    assert [row.id for row in Rejudging(store).choose(Chosen())] == [first, second]
    hand_in(store, "c/owl", bytes(MEGABYTE // 2), space)
    assert [row.id for row in Rejudging(store).choose(Chosen())] == [second], "the oldest made room"
    finish(store)
    end_at(store, second, datetime.now(UTC) - timedelta(days=DEFAULT_DAYS))
    with store.write() as connection:
        space.drop_old(connection)
    assert second not in [row.id for row in Rejudging(store).choose(Chosen())]


def test_a_closed_account_leaves_no_file_and_no_log(store: Store) -> None:
    store.accounts.add("club", "organiser", "0" * 64)
    id = hand_in(store, "club/owl")
    other = hand_in(store, "fox/owl")
    finish(store)
    finish(store)
    Rejudging(store).rejudge([id, other], "club", "mended")
    with store.write(numbers=True) as connection:
        assert wipe_account(connection, "club") is not None
        assert connection.scalars(select(hand_in_files.c.hand_in)).all() == [other]
        assert connection.execute(select(hand_in_log.c.hand_in, hand_in_log.c.who)).all() == [(other, "")]
