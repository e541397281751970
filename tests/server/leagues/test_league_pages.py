"""The pages of a league that real bots have played."""

import csv
import json
import os
import re
import shutil
import socket
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from html import escape, unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
import trio
from msgspec import structs
from sqlalchemy import update

from arena.language.languages import speaking
from arena.league.grants import grant
from arena.league.results.board import load_board
from arena.league.results.board_output import board_csv, board_json
from arena.league.results.comparisons import LeagueComparisons, Meetings
from arena.league.store.batches import Batches
from arena.league.store.league_rows import AttemptRow, BatchRow, Final
from arena.league.store.league_runs import BatchProgress, LeagueRunRow, LeagueRuns
from arena.league.store.leagues import Leagues
from arena.league.store.seasons import Seasons
from arena.ratings.elo_text import elo_text, rank_text
from arena.server.access import VISITOR, Access, account_access
from arena.server.cache_warmup import warm_leagues
from arena.server.leagues import cache as league_cache
from arena.server.leagues.batch import ATTEMPTS, batch_parts
from arena.server.leagues.batches import runner_words
from arena.server.leagues.board import board_parts
from arena.server.leagues.cache import LeagueCache
from arena.server.leagues.routes import LeagueRoutes, _read_in
from arena.server.limits.refresh import REST, Refresh
from arena.server.live.event_streams import StreamCounter
from arena.server.live.live_pages import LivePages
from arena.server.live.page_parts import PageParts
from arena.store import Store, open_store
from arena.store.engine.blobs import compress
from arena.store.engine.schema import league_ratings
from arena.store.engine.worker_name import worker_name
from arena.store.people.accounts import AUTHOR, AccountRow
from tests import leagues
from tests.server.conftest import Client
from tests.server.test_site import tags

ATOM = "{http://www.w3.org/2005/Atom}"

LEAGUE = "/leagues/spring"


@pytest.fixture(scope="module")
def store(league_database: Path) -> Iterator[Store]:
    with open_store(league_database) as opened:
        yield opened


@pytest.fixture(scope="module")
def public(store: Store) -> Client:
    return Client(store, Access(organiser=False))


def words(page: str) -> str:
    """Return the text of a page, with single blanks."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def newest(store: Store, state: str = "stored") -> BatchRow:
    league = Leagues(store).named("spring").id
    return next(row for row in Batches(store).of(league) if row.state == state)


def test_no_link_of_a_league_is_broken(public: Client) -> None:
    met, waiting = {"/"}, ["/"]
    while waiting:
        address = waiting.pop()
        answer = public.get(address)
        assert answer.status_code == 200, address
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        for tag, attributes in tags(answer.text):
            assert not [name for name in attributes if name.startswith("on") or name == "style"]
            assert tag != "script" or attributes["src"].startswith("/static/")
        links = {unescape(link).partition("#")[0] for link in re.findall(r'<a[^>]* href="(/[^"]*)"', answer.text)}
        new = {link for link in links - met if not re.match(r"/matches(/|\?)|/failures", link)}
        met |= links
        waiting += sorted(new)
    assert {LEAGUE, f"{LEAGUE}/batches", f"{LEAGUE}/batches/1", f"{LEAGUE}/entries/1", f"{LEAGUE}/snapshots/1"} <= met


def test_nothing_is_said_of_databases_or_commands(public: Client, store: Store) -> None:
    for path in (
        "/",
        "/leagues",
        LEAGUE,
        f"{LEAGUE}/batches",
        f"{LEAGUE}/entries/6",
        f"{LEAGUE}/entries/99",
        f"{LEAGUE}/batches/999",
        f"{LEAGUE}/snapshots/999",
        "/leagues/winter",
        "/leagues/winter/batches/1",
    ):
        text = words(public.get(path).text)
        assert "arena " not in text.replace("arena Home", "").replace("· arena", ""), path
        assert store.where not in text, path


def test_what_is_not_there_is_said(public: Client) -> None:
    for path, sentence in (
        ("/leagues/winter", "there is no league winter"),
        (f"{LEAGUE}/entries/99", "the league spring has no entry 99: see its board"),
        (f"{LEAGUE}/batches/999", "the league spring has no batch 999: see its list of batches"),
        (f"{LEAGUE}/snapshots/999", "the league spring has no ratings 999 for draws"),
        (f"{LEAGUE}/seasons/9", "the league spring has no season 9"),
        (f"{LEAGUE}/entries/99/events", "the league spring has no entry 99: see its board"),
        (f"{LEAGUE}/batches/999/events", "the league spring has no batch 999: see its list of batches"),
    ):
        answer = public.get(path)
        assert answer.status_code == 404
        assert sentence in unescape(answer.text)


def test_the_board_is_that_of_the_command(public: Client, store: Store) -> None:
    board = load_board(store, "spring", past=True)
    assert public.get(f"{LEAGUE}/board.json?all").json() == json.loads(json.dumps(board_json(board)))
    assert public.get(f"{LEAGUE}/board.csv?all").text == board_csv(board)
    active = list(csv.DictReader(public.get(f"{LEAGUE}/board.csv").text.splitlines()))
    page = public.get(LEAGUE).text
    rows = re.findall(r'<tr id="entry-(\d+)".*?</tr>', page)
    assert rows == [row["entry"] for row in active]
    assert page.count('class="elo-bar"') == len(rows)
    for row in board.rows:
        if row.rank is not None:
            assert f'<td class="number">{rank_text(row.rank, row.separated)}</td>' in page
            assert f"{elo_text(row.elo, row.bound)}</a>" in page
            assert row.ci95 is None or f'<span class="soft">± {round(row.ci95)}</span>' in page
            assert f"{row.matches:,}</a>" in page


def test_the_board_tells_of_repeats(public: Client, league_database: Path, tmp_path: Path) -> None:
    told = "18 of 24 pairs repeat others, move for move: bars and likelihoods take a pair and its repeats for one"
    assert "repeat others" not in public.get(LEAGUE).text
    with open_store(shutil.copy(league_database, tmp_path / "arena.db"), write=True) as store:
        row = Leagues(store).ratings(Leagues(store).named("spring").id)
        assert row is not None
        repeats = {"sets": 24, "repeated": 18, "openings": 0, "largest": 2, "is_estimate": False}
        packed = json.dumps(json.loads(row.packed) | {"repeats": repeats}).encode()
        with store.write() as connection:
            connection.execute(
                update(league_ratings).where(league_ratings.c.number == row.number).values(packed=compress(packed))
            )
        client = Client(store, Access(organiser=False))
        assert f'<p id="repeats" class="soft" lang="en">{told}' in client.get(LEAGUE).text
        answer = client.get("/api/v1/leagues/spring/board", "application/json").json()
    assert answer["repeats"] == {"sets": 24, "repeated": 18, "openings": 0, "different": None}


def test_the_board_is_filtered(public: Client) -> None:
    def bots(query: str) -> list[str]:
        page = public.get(f"{LEAGUE}?{query}").text
        return [unescape(name) for name in re.findall(r'<tr id="entry.*?entries/\d+">([^<]+)</a>', page)]

    assert set(bots("q=owl")) == {"club/owl"}
    assert len(bots("q=OWL&state=all")) == 2
    assert bots("state=retired") == ["club/owl"]
    assert bots("state=suspended") == ["lab/crow"]
    assert bots("q=lab") == []
    assert "No entries found." in public.get(f"{LEAGUE}?q=nobody").text
    assert bots("state=nonsense") == bots("")
    assert "data-whole" in public.get(LEAGUE).text
    assert "data-whole" not in public.get(f"{LEAGUE}?q=owl").text


def test_a_page_of_an_entry(public: Client, store: Store) -> None:
    league = Leagues(store).named("spring").id
    [owl] = [entry for entry in Leagues(store).entries(league) if entry.name == "club/owl@2"]
    page = public.get(f"{LEAGUE}/entries/{owl.number}").text
    text = words(page)
    assert re.search(r"v[12] is stronger than v[12] with \d+(\.\d)? %", text)
    opponents = page.partition('id="opponents"')[2].partition("</section>")[0]
    comparisons = [int(number.replace(",", "")) for number in re.findall(r"against=[^>]*>([\d,]+)</a>", opponents)]
    row = next(row for row in load_board(store, "spring").rows if row.entry.number == owl.number)
    assert sum(comparisons) == row.matches, "at tables of two each match is a comparison"
    worst = page.partition('id="worst"')[2].partition("</section>")[0]
    scores = [
        match.scores[match.players.index("club/owl@2")] for match in store.matches(league="spring", bot="club/owl@2")
    ]
    shown = list(map(int, re.findall(r'<a href="/matches/(\d+)">', worst)))
    found = {match.id: match for match in store.matches(league="spring")}
    assert [found[id].scores[found[id].players.index("club/owl@2")] for id in shown] == sorted(scores)[: len(shown)]
    assert len(shown) == 5


def test_a_suspended_entry_says_why_and_what_to_do(public: Client, store: Store) -> None:
    league = Leagues(store).named("spring").id
    [crow] = [entry for entry in Leagues(store).entries(league) if entry.state == "suspended"]
    text = words(public.get(f"{LEAGUE}/entries/{crow.number}").text)
    assert f"lab/crow@1 is suspended: {crow.reason}." in text
    assert "Mend the bot and hand it in again" in text
    assert "the process exited with code 3" in text


def test_a_league_that_this_arena_cannot_play_says_so(tmp_path: Path) -> None:
    with open_store(tmp_path / "a.db", create=True) as store:
        leagues.cambio(store, "spring")
        client = Client(store, VISITOR)
        sentence = "nothing is played, as the league plays version 9 of the rules of cambio"
        assert sentence not in client.get("/leagues/spring").text
        leagues.change_definition(store, "spring", behaviour=9)
        for path in ("/", "/leagues/spring"):
            assert sentence in Client(store, VISITOR).get(path).text
        Leagues(store).set_state(1, "closed", "ann")
        assert sentence not in Client(store, VISITOR).get("/leagues/spring").text


def test_grants_are_on_the_board_and_on_the_page_of_the_entry(league_database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "arena.db"
    shutil.copy(league_database, copy)
    with open_store(copy) as store:
        client, league = Client(store, Access(organiser=False)), Leagues(store).named("spring")
        assert ">grants</th>" not in client.get(LEAGUE).text
        [owl] = [entry for entry in Leagues(store).entries(league.id) if entry.name == "club/owl@2"]
        asked = '{"needs": ["network", "device:/dev/full"], '
        with sqlite3.connect(copy) as connection:
            connection.execute("UPDATE submissions SET manifest = ? || substr(manifest, 2)", [asked])
        page, path = client.get(f"{LEAGUE}/entries/{owl.number}"), f"{LEAGUE}/entries/{owl.number}"
        assert "Its bot.toml asks for network, device:/dev/full (needs), which the organiser of the" in words(page.text)

        grant(store, "spring", "club/owl", ["network"], secrets=["THE_KEY"])
        board = client.get(LEAGUE).text
        rows = {
            number: (row.count("<td"), row.endswith('<td class="spare">network</td>'))
            for number, row in re.findall(r'<tr id="entry-(\d+)"(.*?)</tr>', board)
        }
        assert board.count('scope="col"') == 12
        assert {cells for cells, _ in rows.values()} == {12}
        assert [number for number, (_, has_network) in rows.items() if has_network] == [str(owl.number)]
        assert "grants: what the organiser gave single bots beyond others" in words(board)
        text = words(client.get(path).text)
        assert "The organiser grants it network, beyond what every bot has: this version alone." in text
        assert "Its bot.toml asks for device:/dev/full (needs), which the organiser of the league" in text
        assert "THE_KEY" not in board + text
        [batch] = [row for row in Batches(store).of(league.id) if row.state == "waiting"]
        event = store.event(batch.event)
        field = [*event.definition.field]
        place = batch.entries.index(owl.number)
        field[place] = structs.replace(field[place], grants=("network",))
        definition = structs.replace(event.definition, field=tuple(field))
        lease = Batches(store).lease(league.id, "test", 0, 2**50)
        assert lease is not None
        assert Batches(store).redefine(leagues.lease(lease), definition)
        assert "club/owl@2 is granted network." in words(client.get(f"{LEAGUE}/batches/{batch.number}").text)


def test_output_of_a_process_is_for_its_owner(store: Store) -> None:
    league = Leagues(store).named("spring").id
    [crow] = [entry for entry in Leagues(store).entries(league) if entry.state == "suspended"]
    path = f"{LEAGUE}/entries/{crow.number}"
    pages = {
        owner: Client(store, Access(organiser=False, owner=owner)).get(path).text for owner in (None, "club", "lab")
    }
    assert "not today" in pages["lab"]
    assert "not today" not in pages["club"]
    assert pages[None] == pages["club"]


def test_batches_and_the_queue(public: Client, store: Store) -> None:
    row, waiting = newest(store), newest(store, "waiting")
    page = public.get(f"{LEAGUE}/batches").text
    queue, _, played = page.partition('id="stored"')
    leased = newest(store, "leased")
    names = {entry.number: entry.submission[0] for entry in Leagues(store).entries(leased.league)}
    listed = " .*".join(re.escape(names[number]) for number in leased.entries)
    who = f"attempt {leased.attempt}, by vega, process {leased.number}"
    assert re.search(rf"\b{leased.number} {leased.kind} {listed}.* playing since .* {who}", words(queue)), words(queue)
    assert f"{LEAGUE}/batches/{waiting.number}" in queue
    assert f"{LEAGUE}/batches/{row.number}" not in queue
    assert f"{LEAGUE}/batches/{row.number}" in played
    assert Leagues(store).seasons(row.league)[0].commitment in page
    assert Leagues(store).seasons(row.league)[0].secret.hex() not in page
    older = words(public.get(f"{LEAGUE}/batches?before={row.number}").text)
    assert f"Batches before {row.number}" in older
    assert f'{LEAGUE}/batches/{row.number}"' not in public.get(f"{LEAGUE}/batches?before={row.number}").text


def test_a_batch_of_slow_bots_tells_how_long_their_answers_take(
    public: Client, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = newest(store, "waiting")
    address = f"{LEAGUE}/batches/{waiting.number}"
    assert " of a core" in words(public.get(address).text)
    monkeypatch.setattr("arena.server.leagues.board.answer_seconds", lambda store, row: 190.0)
    assert "it takes about 3 min for the answers of its slowest bot" in words(public.get(address).text)


def test_a_page_of_a_batch(public: Client, store: Store) -> None:
    row = newest(store)
    page = public.get(f"{LEAGUE}/batches/{row.number}").text
    assert f"of {len(row.entries)} entries and {row.matches:,} matches is stored" in words(page)
    tables = page.partition('id="tables"')[2]
    assert len(re.findall(r"&amp;table=\d+", tables)) == len({each.table for each in Batches(store).table_results(row)})
    listed = public.get(f"/matches?league=spring&batch={row.number}&table=0").text
    ids = set(map(int, re.findall(r'<a href="/matches/(\d+)">', listed)))
    assert ids
    assert ids <= set(range(row.first_match, row.first_match + row.matches))
    assert f'<a href="{LEAGUE}/batches/{row.number}">batch {row.number}</a>' in listed
    snapshot = public.get(f"{LEAGUE}/snapshots/{row.snapshot}").text
    assert snapshot == Leagues(store).snapshot(row.league, row.snapshot)


def test_a_runner_is_its_host_and_process() -> None:
    assert runner_words(worker_name()) == f"{socket.gethostname()}, process {os.getpid()}"
    assert runner_words("::1:4026531836:7:1") == "::1, process 7"
    assert runner_words("") == "-", "of an imported league"


def test_a_void_batch_says_what_follows(league_database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "arena.db"
    shutil.copy(league_database, copy)
    with open_store(copy) as store:
        client, waiting = Client(store, Access(organiser=False)), newest(store, "waiting")
        Batches(store).void_unplayed(waiting.league, 0)
        address = f"{LEAGUE}/batches/{waiting.number}"
        assert "is void: it was dropped before it was played" in words(client.get(address).text)
        for failed, kind, follows in ((3, "standing", "each of its entries is tried alone"), (3, "trial", "alone.")):
            with sqlite3.connect(copy) as connection:
                change = "UPDATE batches SET failed = ?, kind = ? WHERE number = ?"
                connection.execute(change, [failed, kind, waiting.number])
            page = words(client.get(address).text)
            assert re.search(f"is void: its attempts came to no result, .*{follows}", page)


def test_the_newest_attempts_of_a_batch_are_listed(
    public: Client, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = newest(store)
    tried = [AttemptRow(number, "vega:1:7:17", "2026-03-01", None, "released", "") for number in range(1, 2003)]
    monkeypatch.setattr(Batches, "attempts", lambda *_: tried)
    page = words(public.get(f"{LEAGUE}/batches/{row.number}").text)
    assert page.count("vega, process 7") == ATTEMPTS
    assert "The newest 20 of 2,002." in page
    assert " 2,002 vega" in page


def test_a_match_names_its_batch_and_league(public: Client, store: Store) -> None:
    row = newest(store)
    text = words(public.get(f"/matches/{row.first_match}").text)
    assert f"league spring , batch {row.number} , deal" in text


def test_the_page_of_a_bot_lists_its_entries(public: Client) -> None:
    page = public.get("/bots/club/owl").text
    entries = page.partition("<h2>Leagues</h2>")[2].partition("</section>")[0]
    assert len(re.findall(r"/entries/\d+", entries)) == 2
    assert "retired" in entries


def test_the_list_of_bots_links_to_the_newest_entry_of_each(public: Client, store: Store) -> None:
    league = Leagues(store).named("spring")
    newest_entry = [entry for entry in Leagues(store).entries(league.id) if entry.submission[0] == "club/owl"][-1]
    [row] = [row for row in public.get("/bots").text.split("<tr>") if 'href="/bots/club/owl"' in row]
    assert re.findall(r'href="/leagues/spring/entries/(\d+)">spring<', row) == [str(newest_entry.number)]
    assert words(row).startswith("club/owl cambio spring")


def test_comparisons_of_entries_are_kept_for_those_that_were_shown_last(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league_cache, "COMPARED", 2)
    cached = LeagueCache(store).of("spring")
    computed = []
    opponents = LeagueComparisons.opponents

    def counted(comparisons: LeagueComparisons, entry: int) -> list[Meetings]:
        computed.append(entry)
        return opponents(comparisons, entry)

    monkeypatch.setattr(LeagueComparisons, "opponents", counted)
    for entry in (1, 2, 1, 3, 1, 2):
        assert cached.comparison([entry], entry).meetings == tuple(opponents(cached._comparisons, entry)) != ()
    assert computed == [1, 2, 3, 2]


def test_the_home_page_shows_the_leaders(public: Client, store: Store) -> None:
    page = public.get("/").text
    leaders = [row for row in load_board(store, "spring").rows if row.rank is not None][:5]
    for row in leaders:
        assert f"/entries/{row.entry.number}" in page
    assert '<a href="/leagues"' in page
    assert '<a href="/" aria-current="page">Home</a>' in page


def test_without_leagues_nothing_is_said_of_them(tmp_path: Path) -> None:
    with open_store(tmp_path / "arena.db", create=True) as store:
        client = Client(store, Access(organiser=False))
        page = client.get("/").text
        assert "league" not in page.lower()
        assert "There are no leagues yet." in client.get("/leagues").text


def test_the_feed_is_atom_and_stays_the_same(public: Client) -> None:
    answer = public.get(f"{LEAGUE}/feed.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.content)
    entries = feed.findall(f"{ATOM}entry")
    titles = [entry.findtext(f"{ATOM}title") or "" for entry in entries]
    assert "club/owl@1 enters" in titles
    assert "club/owl@2 is a new version" in titles
    assert any(title.startswith("lab/crow@1 is suspended: its processes failed") for title in titles)
    assert any(title.startswith("club/owl@1 has its place: Elo") for title in titles)
    times = [entry.findtext(f"{ATOM}updated") or "" for entry in entries]
    assert times == sorted(times, reverse=True)
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert len(set(ids)) == len(ids)
    links = [link.get("href") or "" for link in feed.iter(f"{ATOM}link")]
    assert all(link.startswith("http://arena/") for link in links)
    assert public.get(links[0].removeprefix("http://arena")).status_code == 200
    assert public.get(f"{LEAGUE}/feed.atom").content == answer.content


def test_the_feed_tells_of_the_seasons(tmp_path: Path) -> None:
    with open_store(tmp_path / "arena.db", create=True) as own:
        leagues.end_first_season(own, leagues.cambio(own))
        Leagues(own).set_state(1, "closed", "ann", "summer")
        client = Client(own, Access(organiser=False))
        feed = ElementTree.fromstring(client.get("/leagues/cambio/feed.atom").content)
        links = {
            entry.findtext(f"{ATOM}title"): entry.find(f"{ATOM}link").get("href")  # type: ignore[union-attr]
            for entry in feed.findall(f"{ATOM}entry")
        }
        assert links["season 1 has ended: its final table"] == "http://arena/leagues/cambio/seasons/1"
        assert {"season 1 is frozen", "the league is closed"} <= set(links)
        assert client.get("/leagues/cambio/seasons/1").status_code == 200


def test_pages_and_their_events_have_the_same_parts(store: Store) -> None:
    """A browser that has just loaded a page needs no event."""
    from arena.server.leagues import batch, batches, board, entry
    from arena.server.leagues import league_list as leagues
    from arena.server.leagues.cache import LeagueCache
    from arena.server.watch.watched_league import NOTHING_LIVE, WatchedLeagues

    cached = LeagueCache(store).of("spring")
    view, row = cached.view(), newest(store)
    watched = WatchedLeagues(store, NOTHING_LIVE).of(cached.id, "spring")
    for path, parts in (
        (LEAGUE, board.board_parts(view)),
        (f"{LEAGUE}/entries/1", entry.entry_parts(store, cached, 1)),
        (f"{LEAGUE}/batches", batches.batches_parts(store, view)),
        (f"{LEAGUE}/batches/{row.number}", batch.batch_parts(store, view, row.number)),
        ("/", leagues.home_parts([view], leagues.HomeTable("spring", watched, organiser=False))),
    ):
        page = Client(store, Access(organiser=False)).get(path).text
        assert f'data-digest="{parts.digest}"' in page, path
        for id, element in parts.elements.items():
            assert f' id="{id}"' in str(element)
            assert str(element) in page, (path, id)
    assert PageParts({}).digest != board.board_parts(view).digest


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("ko", ("리그 spring", "진행 중인 경기", "기준 봇", "새로 참가한 봇", "바로 위의 봇과 구별되지 않음")),
        (
            "ja",
            ("リーグ spring", "進行中の対戦", "基準ボット", "新しく参加したボット", "すぐ上のボットと区別できません"),
        ),
    ],
)
def test_a_board_is_in_the_language_of_its_reader(public: Client, language: str, told: tuple[str, ...]) -> None:
    english, page = (public.get(LEAGUE, **{"accept-language": code}).text for code in ("en", language))
    assert all(each in words(page) for each in told)
    assert f'<html lang="{language}">' in page
    for said in ("Now playing", "reference bots", "not separated", "last played", "at tables of"):
        assert said in words(english)
        assert said not in words(page)
    assert 'class="languages"' in english
    home = words(public.get("/", **{"accept-language": language}).text)
    assert told[0] in home
    assert "Latest upsets" not in home
    for address in (f"{LEAGUE}/feed.atom", "/bots/club/owl"):  # in English, with parts that boards have, too
        text = public.get(address, **{"accept-language": language}).text
        assert not re.search("[가-힣ぁ-ヿ]", re.sub(r'<(a|option)[^>]* lang="[^>]*>[^<]*', "", text)), address


@pytest.mark.parametrize("language", ["ko", "ja"])
def test_no_sentence_on_a_page_of_a_league_is_left_in_english(store: Store, language: str) -> None:
    """Apart from what people, bots and referees wrote, which is marked as such."""
    league = Leagues(store).named("spring").id
    batches = Batches(store).of(league)
    of_state = {row.state: row.number for row in batches}
    owner = Client(store, account_access(AccountRow("club", AUTHOR, "", "")))
    addresses = [
        *("/leagues", LEAGUE, f"{LEAGUE}/seasons/1", f"{LEAGUE}/batches", f"{LEAGUE}/batches?before=5"),
        *(f"{LEAGUE}/batches/{number}" for number in of_state.values()),
        *(f"{LEAGUE}/entries/{entry.number}" for entry in Leagues(store).entries(league)),
    ]
    for address in addresses:
        page = owner.get(address, **{"accept-language": language}).text
        assert f'<html lang="{language}">' in page, address
        reasons = [entry.reason for entry in Leagues(store).entries(league) if entry.reason]
        translated = re.sub(r'<(\w+)[^>]* lang="en"[^>]*>.*?</\1>', "", page)
        for reason in reasons:
            translated = translated.replace(str(escape(reason)), "")
        assert not re.findall(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}", words(translated)), address


def test_what_changes_on_a_batch_is_told_in_the_language_of_each_reader(store: Store) -> None:
    row, live = newest(store), LivePages()
    routes = LeagueRoutes(store, LeagueCache(store), live, StreamCounter())
    cached = routes._cache.of("spring")
    for language, told in (("en", "Attempts"), ("ko", "시도"), ("ja", "試行")):
        with speaking(language):
            parts = batch_parts(store, cached.view(), row.number)
            assert told in str(parts.elements["attempts"])
            routes._remembered(cached, f"batch {row.number}", parts)
    assert len({page for page, _ in live._known}) == 3


def test_what_changes_on_a_board_is_told_in_the_language_of_each_reader(store: Store) -> None:
    cached = LeagueCache(store).of("spring")
    read = {language: partial(_read_in, language, lambda: board_parts(cached.view())) for language in ("en", "ja")}
    for language in ("en", "ja", "en", "ja"):
        with speaking("ko"):  # whoever asked for them first
            parts = read[language]()
        assert ("Now playing" in str(parts.elements["playing"])) == (language == "en")
        rows = "".join(str(parts.elements[row]) for row in parts.rows)
        assert ("reference" in rows, "基準" in rows) == (language == "en", language == "ja"), (
            "rows are kept by language"
        )


def test_what_is_costly_is_put_off() -> None:
    now, cpu = 0.0, 0.0
    refresh = Refresh(lambda: now, lambda: cpu)
    assert refresh.is_due()
    with refresh.measure():
        cpu += 0.5
    assert not refresh.is_due()
    now = REST * 0.5
    assert refresh.is_due()


def test_rows_of_the_owner_are_marked(store: Store) -> None:
    who = AccountRow("club", AUTHOR, "", "")
    page = Client(store, account_access(who)).get(LEAGUE).text
    rows = dict(re.findall(r'<tr id="entry-(\d+)" class="([^"]*)"', page))
    owners = {str(row.entry.number): row.entry.owner for row in load_board(store, "spring").rows}
    assert (
        {number for number, kind in rows.items() if kind.endswith(" own")}
        == {number for number, owner in owners.items() if owner == "club"}
        != set()
    )
    assert 'data-owner="club"' in page
    assert " own" not in Client(store, Access(organiser=False)).get(LEAGUE).text


def test_pages_are_loaded_again_without_javascript(public: Client) -> None:
    for path in ("/leagues/spring", f"{LEAGUE}/batches", f"{LEAGUE}/entries/6"):
        assert '<noscript><meta http-equiv="refresh" content="60"></noscript></head>' in public.get(path).text


def test_boards_are_drawn_before_anybody_asks(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = LeagueCache(store)
    trio.run(warm_leagues, cache)
    monkeypatch.setattr(league_cache, "load_board", None)  # it is read no more
    assert cache.of("spring").view().board.rows


def test_a_league_that_cannot_be_read_keeps_the_server_from_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league_cache, "load_board", None)
    trio.run(warm_leagues, LeagueCache(store))


def test_a_season_that_ended_has_a_page_with_its_final_table(league_database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "arena.db"
    shutil.copy(league_database, copy)
    with open_store(copy) as store:
        client, league = Client(store, Access(organiser=False)), Leagues(store).named("spring")
        assert f'href="{LEAGUE}/seasons/1"' not in client.get(LEAGUE).text
        assert "The final table comes with its end." in words(client.get(f"{LEAGUE}/seasons/1").text)
        Seasons(store).freeze(league.id, 1, Final(8, 0, closes=False), "ann")
        assert "season 1 is frozen: its final begins when what is under way is over" in words(client.get(LEAGUE).text)
        with sqlite3.connect(copy) as connection:
            connection.execute("UPDATE seasons SET frozen = NULL, final = NULL")
        leagues.end_first_season(store, league)
        assert f'href="{LEAGUE}/seasons/1"' in client.get(LEAGUE).text
        final = client.get(f"{LEAGUE}/seasons/1").text
        page = words(final)
    assert 'data-sort="24.5">24.5 of 40<' in final, "a table is sorted by it"
    assert "Season 1 leagues › spring › season 1" in page
    assert "1 club/owl v2 club +12 30 24.5 of 40 40 +31" in page
    assert "left the final" in page


def test_how_far_a_batch_is_that_is_played(league_database: Path, tmp_path: Path) -> None:
    with open_store(shutil.copy(league_database, tmp_path / "arena.db")) as store:
        client, now = Client(store, Access()), datetime.now(UTC).isoformat()
        row = newest(store, "leased")
        address, words_of = f"{LEAGUE}/batches/{row.number}", f"3 of {row.matches} matches have ended"
        assert "have ended" not in words(client.get(address).text)
        for attempt, expected, is_shown in (
            (row.attempt + 1, None, False),
            (row.attempt, None, True),
            (row.attempt, "2026-12-01T17:35:00+00:00", True),
        ):
            far = json.dumps([BatchProgress(row.number, attempt, 3, expected)])
            LeagueRuns(store).write([LeagueRunRow(row.league, row.runner, now, now, under_way=far)], "")
            for path in (address, f"{LEAGUE}/batches"):
                page = words(client.get(path).text)
                assert (words_of in page) == is_shown
                assert ("expected to end at 17:35 UTC" in page) == (expected is not None)
            shown = client.get(f"/api/v1{address}", "application/json").json()["batch"]
            assert (shown["played"], shown["expected_end"]) == (3 if is_shown else None, expected)
            batches = client.get(f"/api/v1{LEAGUE}/batches", "application/json").json()["batches"]
            [listed] = [one for one in batches if one["batch"] == row.number]
            assert listed == shown
        status = words(client.get("/status").text)
        assert f"3 / {row.matches}" in status
        assert "2026-12-01 17:35" in status


def test_organisers_see_on_the_board_why_nothing_is_played(league_database: Path, tmp_path: Path) -> None:
    with open_store(shutil.copy(league_database, tmp_path / "arena.db")) as store:
        reason, now = "bots cannot be unpacked into /<cache>: Permission denied", datetime.now(UTC).isoformat()
        league = Leagues(store).named("spring")
        LeagueRuns(store).write([LeagueRunRow(league.id, "here", now, now, False, now, reason)], forgotten="9")
        sentence = f"the league spring has drawn or played nothing for 0 minutes: {reason}"
        assert sentence in words(Client(store, Access()).get(LEAGUE).text)
        assert "cannot be unpacked" not in Client(store, Access(organiser=False)).get(LEAGUE).text
        LeagueRuns(store).write([LeagueRunRow(league.id, "here", now, now)], "")
        assert 'class="problem"' not in Client(store, Access()).get(LEAGUE).text
