"""Closed accounts and their bots are shown by pseudonyms; what is stored, and verified, keeps the names."""

import html
import io
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import insert, select

from arena.bots.hand_in_rows import HandInEnd, NewVersion
from arena.bots.hand_ins import HandIns
from arena.cli import main
from arena.league.account_closing import close_account
from arena.league.archive.exporting import league_lines
from arena.league.archive.importing import LeagueArchive
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.league_rows import LeagueRow
from arena.league.store.leagues import Leagues
from arena.league.store.stored_ratings import StoredRatings
from arena.league.verification import league_problems
from arena.packs.errors import BadName
from arena.packs.names import check_account_name
from arena.server.access import VISITOR, Access
from arena.server.templates import TEMPLATES
from arena.store import NoSuchRow, Store, StoreError, open_store
from arena.store.engine.schema import accounts, batches, closed_names, entrants
from arena.store.engine.worker_name import worker_name
from arena.store.matches import process_failures
from arena.store.people.accounts import AUTHOR
from arena.store.people.closed_names import OwnerClosed, load_closed_names
from arena.store.people.submissions import PackRow
from arena.values.failure_rows import ProcessFailureRow
from arena.values.pseudonyms import ClosedNames, is_pseudonym
from referee.games.cambio import CAMBIO
from sample_bots import SAMPLES
from tests import leagues
from tests.played import match, tournament
from tests.server.conftest import Client

pytestmark = pytest.mark.usefixtures("in_process")

BOT = "wanda/owl@1"


@pytest.fixture(scope="module")
def database_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league in which bots of two owners have played, one of whose accounts is closed since."""
    path = tmp_path_factory.mktemp("closed") / "arena.db"
    with open_store(path, create=True) as store:
        league = leagues.cambio(store)
        for name in ("wanda", "fox"):
            assert store.accounts.add(name, AUTHOR, name.encode().hex().ljust(64, "0"))
            assert store.accounts.describe(name, display_name=f"Person of {name}", email=f"{name}@example.org")
        for name, bot in (("wanda/owl", "counter"), ("fox/hen", "cautious"), ("wanda/owl", "random")):
            leagues.submit_file(store, name, SAMPLES[bot].path)
            leagues.play(store, 1)
        assert {entry.owner for entry in Leagues(store).entries(league.id)} == {"", "wanda", "fox"}
        add_failure(store, 1)
        new = tournament(CAMBIO, matches=1)
        new = replace(new, entrants=(replace(new.entrants[0], name="wanda/owl"), *new.entrants[1:]))
        store.add_matches(store.add_tournament(new), [match(CAMBIO)])
        add_failed_attempt(store, league)
    answer = CliRunner().invoke(main, ["accounts", "close", "wanda", "--yes", "--db", str(path)])
    assert answer.exit_code == 0, answer.output
    return path


def add_failure(store: Store, batch: int) -> None:
    """Store that the process of wanda's bot has failed in a batch."""
    with store.write() as connection:
        of_batch = select(entrants.c.event_id, entrants.c.place).join(
            batches, batches.c.event_id == entrants.c.event_id
        )
        event, place = connection.execute(of_batch.where(batches.c.number == batch, entrants.c.name == BOT)).one()
    played, seat = next(
        (row, seat) for row in store.batch_records(event) for seat in row.seats if seat.entrant == place
    )
    failure = ProcessFailureRow(played.phase, seat.player, place, 1, "crash", "ended", matches=(played.number,))
    with store.write() as connection:
        process_failures.add(connection, event, [failure])


def add_failed_attempt(store: Store, league: LeagueRow) -> None:
    """Store that no bot of wanda's could be started for a batch."""
    LeagueScheduler(store, store.where, league).update()
    row = Batches(store).lease(league.id, "here", 0, 2**62)
    assert row is not None
    Batches(store).give_back(leagues.lease(row), "failed", f"{BOT} cannot be started: it is gone")


@pytest.fixture
def store(database_path: Path) -> Iterator[Store]:
    with open_store(database_path, write=True) as opened:
        yield opened


def test_no_table_of_commands_has_the_name(database_path: Path) -> None:
    for words in (
        ["board", "cambio", "--all"],
        ["board", "cambio", "--all", "--json"],
        ["board", "cambio", "--all", "--csv"],
        ["show", "cambio"],
        ["show", "cambio", "--json", "--log"],
        ["batch", "cambio", "1"],
        ["batch", "cambio", "1", "--json"],
    ):
        printed = CliRunner().invoke(main, ["league", *words, "--db", str(database_path)])
        assert printed.exit_code == 0, printed.output
        assert "wanda" not in printed.stdout, words
        assert (words[0] == "show" and len(words) == 2) or "closed-1/1@1" in printed.stdout, words
    for words in (
        ["matches", "--bot", "closed-1/1"],
        ["matches", "--tourney", "1"],
        ["ranking", "1"],
        ["tourney", "list", "--json"],
        ["tourney", "audit", "1"],
        ["match", "show", "1"],
        ["match", "show", "1", "--json"],
        ["failures"],
        ["failures", "--json"],
    ):
        printed = CliRunner().invoke(main, [*words, "--db", str(database_path)])
        assert printed.exit_code == 0, printed.output
        assert "wanda" not in printed.stdout, words
        assert "closed-1/1" in printed.stdout, words


@pytest.mark.parametrize(
    "address",
    [
        "/leagues/cambio?all=1",
        "/leagues/cambio/batches",
        "/leagues/cambio/batches/1",
        "/leagues/cambio/entries/5",
        "/leagues/cambio/entries/6",
        "/leagues/cambio/feed.atom",
        "/leagues/cambio/snapshots/3",
        "/matches/1",
        "/matches/1/story",
        "/tournaments/1",
        "/tournaments/1/ranking",
        "/tournaments/1/ranking.tex",
        "/tournaments/1/matches.csv",
        "/matches?tournament=1",
        "/matches?bot=closed-1/1",
        "/bots",
        "/bots/closed-1/1",
        "/",
        "/failures",
        "/api/v1/tournaments",
        "/api/v1/tournaments/1",
        "/api/v1/matches?tournament=1",
        "/api/v1/leagues/cambio",
        "/api/v1/leagues/cambio/board?all=true",
        "/api/v1/leagues/cambio/entries",
        "/api/v1/leagues/cambio/batches/1",
        "/api/v1/matches?bot=closed-1/1",
        "/api/v1/matches/1",
        "/api/v1/matches/1/replay",
    ],
)
def test_no_page_has_the_name(store: Store, address: str) -> None:
    answer = Client(store, VISITOR).get(address, "*/*")
    assert answer.status_code == 200
    assert "wanda" not in answer.text


def test_nothing_that_a_visitor_is_led_to_has_the_name(store: Store) -> None:
    """All that pages link, and all that the API names, from the first pages on; of the matches only some."""
    client = Client(store, VISITOR)
    waiting = ["/", "/leagues/cambio?all=1", "/tournaments/1", "/bots/closed-1/1", "/api/v1/tournaments"]
    waiting += ["/api/v1/leagues", "/api/v1/leagues/cambio/board?all=true", "/api/v1/matches", "/bots?all=1"]
    seen = set(waiting)
    kinds: Counter[str] = Counter()
    while waiting:
        address = waiting.pop(0)
        answer = client.get(address, "*/*")
        assert b"wanda" not in answer.content, address
        assert "wanda" not in str(answer.headers), address
        for link in re.findall(r"""(?:href|src)=["'](/[^"'#]*)|"(/api/v1/[^"]*)\"""", answer.text):
            found = html.unescape("".join(link))
            kind = re.sub(r"\d+", "N", found)
            kinds[kind] += found not in seen
            if found not in seen and kinds[kind] <= 3:
                seen.add(found)
                waiting.append(found)
    assert len(seen) > 100


def test_organisers_see_failures_and_attempts_in_leagues_by_pseudonyms(store: Store) -> None:
    client = Client(store, Access(organiser=True))
    assert "closed-1/1@1" in client.get("/failures", "*/*").text
    assert "wanda" not in client.get("/failures", "*/*").text
    reasons = {attempt.reason for row in Batches(store).of(1) for attempt in Batches(store).attempts(1, row.number)}
    assert "closed-1/1@1 cannot be started: it is gone" in reasons


def test_ratings_for_draws_are_those_that_were_stored_but_for_the_names(store: Store) -> None:
    shown = Client(store, VISITOR).get("/leagues/cambio/snapshots/3", "*/*").text
    stored = Leagues(store).signed_snapshot(1, 3).decode()
    assert "wanda" in stored
    assert Leagues(store).snapshot(1, 3) == shown
    assert shown == stored.replace('"wanda"', '"closed-1"')


def test_matches_are_found_by_the_pseudonym_and_not_by_the_name(store: Store) -> None:
    assert {"closed-1/1", "closed-1/1@1", "closed-1/1@2"} <= set(store.names())
    assert not {name for name in store.names() if "wanda" in name}
    by_pseudonym = store.matches(bot="closed-1/1")
    assert {row.tournament for row in by_pseudonym} == {None, 1}
    for bot in ("wanda/owl", BOT, "wanda"):
        assert store.matches(bot=bot) == []
        assert store.matches(bot=bot, against="fox/hen") == []
        assert store.process_failures.listed(bots=[bot]) == []


def test_versions_of_a_bot_are_told_apart_and_belong_together(store: Store) -> None:
    board = Client(store, VISITOR).get("/api/v1/leagues/cambio/board?all=true", "application/json").json()
    assert {(row["bot"], row["owner"]) for row in board["rows"] if not row["is_anchor"]} == {
        ("closed-1/1@1", "closed-1"),
        ("closed-1/1@2", "closed-1"),
        ("fox/hen@1", "fox"),
    }


def test_the_api_finds_matches_by_the_pseudonym(store: Store) -> None:
    client = Client(store, VISITOR)
    of_bot = client.get("/api/v1/matches?bot=closed-1/1@1", "application/json").json()["matches"]
    assert of_bot
    assert all("closed-1/1@1" in row["players"] for row in of_bot)
    assert client.get("/api/v1/matches?bot=closed-1/9", "application/json").json()["matches"] == []


def test_what_is_hashed_keeps_the_name_and_is_sound(database_path: Path, tmp_path: Path) -> None:
    shutil.copy(database_path, tmp_path / "copy.db")
    with open_store(tmp_path / "copy.db", write=True) as store:
        league = Leagues(store).named("cambio")
        leagues.play(store, 1)
        assert Leagues(store).named("cambio").results == league.results + 1
        Leagues(store).set_state(league.id, "closed", "ann")
        Batches(store).void_unplayed(league.id, 2**62)
        league = Leagues(store).named("cambio")
        assert list(league_problems(store, league)) == []
        assert [row.details["bot"] for row in Leagues(store).signed_log(league.id, "enter")].count(BOT) == 1
        assert not [row for row in Leagues(store).log(league.id) if "wanda" in str(row)]


def test_no_file_of_a_league_has_the_name_and_it_can_be_verified(database_path: Path, tmp_path: Path) -> None:
    shutil.copy(database_path, tmp_path / "copy.db")
    with open_store(tmp_path / "copy.db", write=True) as store:
        league = Leagues(store).named("cambio")
        Leagues(store).set_state(league.id, "closed", "ann")
        Batches(store).void_unplayed(league.id, 2**62)
        league = Leagues(store).named("cambio")
        content = b"".join(league_lines(store, league, 1, notes=True))
    assert b"wanda" not in content
    assert b"Person of" not in content
    assert b"@example.org" not in content
    assert b'"closed-1/1@1"' in content
    with open_store(tmp_path / "other.db", create=True) as other:
        archive = LeagueArchive.of(io.BytesIO(content), "x")
        archive.take_in(other)
        assert archive.new.published_log_hash == league.log_end.digest
        imported = Leagues(other).named("cambio")
        assert list(league_problems(other, imported)) == []
        assert {entry.owner for entry in Leagues(other).entries(imported.id)} == {"", "closed-1", "fox"}


def test_nobody_gets_the_name_of_a_closed_account(store: Store) -> None:
    assert not store.accounts.add("wanda", AUTHOR, "7" * 64)


def closed_wanda(store: Store) -> None:
    """Close the account of wanda, who has submitted nothing."""
    assert store.accounts.add("wanda", AUTHOR, "5" * 64)
    assert close_account(store, "wanda") is not None


@pytest.mark.parametrize("name", ["wanda", "closed-7"])
def test_no_way_leads_to_an_account_or_a_bot_of_the_name(database: str, name: str) -> None:
    with open_store(database, create=True) as store:
        closed_wanda(store)
        assert not store.accounts.add(name, AUTHOR, "7" * 64)
        for fixed, secret in ((name, "a" * 64), ("", "b" * 64)):
            store.invitations.add(fixed, AUTHOR, secret, "2999-01-01T00:00:00+00:00")
            assert not store.invitations.accept(secret, name, "c" * 64)
        row = store.accounts.of_login("wanda@uni", name, sha256="d" * 64)
        assert row is not None
        assert row.name == f"{name}-2"
        for bot in (name, f"{name}/owl"):
            with pytest.raises(OwnerClosed, match=f"{bot} cannot be stored: the account {name} was closed, or"):
                leagues.submit(store, bot)
            with pytest.raises(OwnerClosed, match="choose another owner"):
                store.tokens.add(bot, "e" * 64)
        assert (store.submissions.all(), store.tokens.all()) == ([], [])


def test_a_hand_in_of_an_organiser_for_a_closed_account_is_refused(database: str) -> None:
    with open_store(database, create=True) as store:
        closed_wanda(store)
        number = HandIns(store).receive("ann", "wanda/owl", "owl.py", b"x")
        claimed = HandIns(store).claim(worker_name(), 60.0)
        assert claimed is not None
        pack = PackRow("a" * 64, b"", 0, 0)
        version = NewVersion(pack, pack, {"games": []}, {"steps": []})
        assert HandIns(store).accept(claimed.claim, version, lambda row: row.title, HandInEnd(1)) is None
        row = HandIns(store).find(number)
        assert row.state == "refused"
        assert "the account wanda was closed" in row.sentence


def test_pseudonyms_avoid_older_accounts_and_take_any_name(database: str) -> None:
    with open_store(database, create=True) as store:
        with store.write() as connection:
            older = {"name": "closed-1", "role": AUTHOR, "sha256": "8" * 64, "created": "2026-01-01T00:00:00+00:00"}
            connection.execute(insert(accounts).values(older))
        assert store.accounts.add("zed", AUTHOR, "9" * 64)
        new = tournament(CAMBIO, matches=1)
        bot = f"zed/{'x' * 250}"
        store.add_tournament(replace(new, entrants=(replace(new.entrants[0], name=bot), *new.entrants[1:])))
        assert close_account(store, "zed") is not None
        with store.read() as connection:
            assert load_closed_names(connection).shown == {"zed": "closed-2", bot: "closed-2/1"}
        with pytest.raises(StoreError), store.write() as connection:
            connection.execute(insert(closed_names).values(name="eve", shown="closed-2"))


def test_an_account_is_not_named_like_a_pseudonym() -> None:
    assert check_account_name("closed-door") == "closed-door"
    with pytest.raises(BadName, match="closed-7 is no account name, as closed accounts are shown by such names"):
        check_account_name("closed-7")


def test_each_closed_account_and_bot_has_one_pseudonym(tmp_path: Path) -> None:
    with open_store(tmp_path / "arena.db", create=True) as store:
        for name in ("ann", "eve"):
            assert store.accounts.add(name, AUTHOR, name.encode().hex().ljust(64, "0"))
        for bot in ("ann/owl", "eve/owl", "ann/elk", "ann/owl"):
            leagues.submit(store, bot)
        assert close_account(store, "eve") is not None
        assert close_account(store, "ann") is not None
        with store.read() as connection:
            shown = load_closed_names(connection).shown
    expected = {"eve": "closed-1", "eve/owl": "closed-1/1", "ann": "closed-2", "ann/owl": "closed-2/1"}
    assert shown == expected | {"ann/elk": "closed-2/2"}


def test_only_what_loads_rows_knows_of_closed_names() -> None:
    root = Path(__file__).parent.parent.parent
    sources = [*root.glob("arena/**/*.py"), *root.glob("packages/*/arena*/**/*.py")]
    knowing = {path.relative_to(root).as_posix() for path in sources if "load_closed_names" in path.read_text()}
    assert knowing == {
        "arena/league/store/batch_queries.py",
        "arena/league/store/closed_results.py",
        "arena/league/store/league_entries.py",
        "arena/league/store/leagues.py",
        "arena/league/store/stored_ratings.py",
        "arena/store/matches/bot_names.py",
        "arena/store/matches/counted_matches.py",
        "arena/store/matches/row_loading.py",
        "arena/store/people/closed_names.py",
        "arena/store/people/submissions.py",
        "arena/store/reader.py",
        "packages/botarena-mail/arena_mail/store.py",
        "packages/botarena-webhooks/arena_webhooks/store.py",
    }
    named = {path.relative_to(root).as_posix() for path in sources if "ClosedNames" in path.read_text()}
    assert named == {
        "arena/store/matches/row_loading.py",
        "arena/store/people/closed_names.py",
        "arena/values/pseudonyms.py",
    }


def test_only_whole_names_are_replaced() -> None:
    closed = ClosedNames({"ann": "closed-1", "ann/owl": "closed-1/1"})
    assert closed.text("ann/owl@3 has its place") == "closed-1/1@3 has its place"
    assert closed.text("joann/owl, ann/owlet and ann/owl-2 play; ann plays") == (
        "joann/owl, ann/owlet and ann/owl-2 play; ann plays"
    )
    assert [closed.bot(name) for name in ("ann/owl@2#3", "ann/owlet@1", "random")] == [
        "closed-1/1@2#3",
        "ann/owlet@1",
        "random",
    ]
    assert [closed.stored(name) for name in ("closed-1/1@2#3", "closed-1", "closed-1/2", "bob/owl")] == [
        "ann/owl@2#3",
        "ann",
        "closed-1/2",
        "bob/owl",
    ]
    assert [closed.owner("ann"), closed.owner("bob")] == ["closed-1", "bob"]


def test_a_bot_may_bear_the_name_of_its_account() -> None:
    closed = ClosedNames({"zoe": "closed-9", "zoe/elk": "closed-9/1"})
    assert closed.bot("zoe@1") == "closed-9@1"
    assert closed.text("zoe@1 has its place, zoe/elk@2 and joe-zoe@1 not") == (
        "closed-9@1 has its place, closed-9/1@2 and joe-zoe@1 not"
    )
    assert [is_pseudonym(name) for name in ("closed-9@1", "closed-9/1@2#2", "closed-9/elk@1", "closed-door@1")] == [
        True,
        True,
        False,
        False,
    ]
    assert str(TEMPLATES.macro("macros.html", "bot_link")("closed-9@1")) == "closed-9@1"


def test_names_are_replaced_after_what_was_written_is_read_and_not_in_a_transaction_within_it() -> None:
    with open_store("sqlite://", create=True) as store:  # in memory there is one connection
        number = store.add_tournament(tournament(CAMBIO, matches=4))
        store.append_decision(number, "ann", "pause", {})
        assert [row.kind for row in store.decisions(number)] == ["pause"]
        assert Leagues(store).log(1) == []
        with pytest.raises(NoSuchRow, match="has no snapshot 1"):
            StoredRatings(store).snapshot(1, 1)
