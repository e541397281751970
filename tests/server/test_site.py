"""The HTML and JSON of every page: access, hidden knowledge, errors."""

import csv
import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
from starlette.routing import Route

from arena.bots.hand_in_worker import HandInWorker
from arena.bots.question_export import recorded_question
from arena.packs.build import BuildTerms
from arena.replay.json_values import FRAMES_PER_PART
from arena.replay.replay import Replay
from arena.run.hosting import Hosting
from arena.sdk.recorded_question import parse_question
from arena.server.access import VISITOR, Access
from arena.server.bots import bot as bots
from arena.server.bots import bot_list
from arena.server.bots.answer_time_chart import bins
from arena.server.bots.answer_times import sample
from arena.server.matches import match_list as matches
from arena.server.matches import replay_cache
from arena.server.pages.numbers import ordinal
from arena.server.play.hosted_matches import PlaySessions
from arena.server.site import application
from arena.server.templates import TEMPLATES
from arena.server.tournaments import downloads
from arena.store import Store, open_store
from arena.store.engine import time_limit
from arena.store.engine.errors import StoreUnavailable
from arena.values.rows import OutputRow, StoredMatch
from referee.engine.game import Game
from referee.games.cambio import CAMBIO
from tests import played
from tests.messages import in_english
from tests.replay.replays import GAMES
from tests.server.conftest import EVIL, Client

PAGES = (
    "/",
    "/tournaments/1",
    "/tournaments/2",
    "/matches",
    "/matches?tournament=1&fault=any",
    "/matches/1",
    "/bots",
    "/bots/a",
)


@pytest.mark.parametrize("address", PAGES)
def test_every_page_has_the_headers_and_no_markup_of_bots(site: Client, address: str) -> None:
    answer = site.get(address)
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    for tag, attributes in tags(answer.text):
        assert tag != "img" or attributes["src"].startswith("/static/")
        assert tag != "script" or attributes["src"].startswith("/static/")
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        assert attributes.get("href", "/").startswith(("/", "#content", "?lang="))


def test_the_page_of_a_match_tells_of_a_pause_of_the_machine(site: Client, store: Store) -> None:
    for id in (1, 2):
        row = store.match(id).row
        told = f"the machine stood still for {row.standstill_ms / 1000:.1f} s"
        assert (told in site.get(f"/matches/{id}").text) == (row.standstill_ms > 0)
    assert {store.match(id).row.standstill_ms for id in (1, 2)} == {0, 1000}


def tags(page: str) -> list[tuple[str, dict[str, str]]]:
    """Return every tag of a page with its attributes, as a browser reads them."""
    found = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, {name: value or "" for name, value in attrs}))

    Reader().feed(page)
    return found


@pytest.mark.parametrize("address", PAGES)
def test_all_files_of_a_page_exist_and_are_small(site: Client, address: str) -> None:
    page = site.get(address).text
    loaded = re.findall(r'(?:src|href|data-art)="(/static/[^"]+)"', page)
    assert loaded
    weight = len(page)
    for file in set(loaded):
        answer = site.get(file)
        assert answer.status_code == 200
        weight += len(answer.content)
    assert weight < 200_000


def test_ordinal_numbers(site: Client) -> None:
    assert [ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21, 30, 102)] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "30th", "102nd")
    ]
    assert re.search(
        r"<li class=.first.><span class=.seat-mark. [^>]*><a [^>]*>\w</a></span><span class=.soft.> 1st, -?\d",
        site.get("/matches?tournament=1").text,
    )


def test_no_link_is_broken(site: Client) -> None:
    met: set[str] = set()
    waiting = ["/"]
    while waiting:
        address = waiting.pop()
        answer = site.get(address)
        assert answer.status_code == 200, address
        links = {unescape(link) for link in re.findall(r'<a[^>]* href="(/[^"]*)"', answer.text)}
        new = {link for link in links if link not in met and not re.match(r"/matches(/|\?)", link)}
        met |= links
        waiting += sorted(new)
    assert {"/tournaments/1", "/tournaments/2", "/bots/a", "/matches"} <= met
    assert any(link.startswith("/bots/%3Cimg") for link in met)


def test_the_ranking_has_error_bars(site: Client) -> None:
    page = site.get("/tournaments/1").text
    assert page.count('class="elo-bar"') == 4
    assert page.count('class="interval"') == 4
    assert 'class="heat-' in page
    assert EVIL in unescape(page)


@pytest.mark.parametrize(
    ("elo", "ci95", "ends", "arrows"),
    [
        (0, 50, 2, ""),
        (-80, 50, 1, "M6 4"),
        (80, 50, 1, "M124 4"),
        (0, 150, 0, "M6 4 M124 4"),
        (200, None, 0, "M124 4"),
        (-600, 40, 0, "M6 4"),
    ],
)
def test_an_arrow_says_that_a_bar_goes_on_beyond_the_scale(elo: int, ci95: int | None, ends: int, arrows: str) -> None:
    bar = str(TEMPLATES.macro("macros.html", "elo_bar")(elo, ci95, -100, 100, 130))
    assert bar.count('class="end"') == ends
    assert " ".join(re.findall(r'class="beyond" d="(M\d+ 4)', bar)) == arrows


def test_the_home_page_shows_tournaments_in_which_nobody_is_rated(tmp_path: Path) -> None:
    with open_store(tmp_path / "arena.db", create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, bots=2, matches=4))
        store.add_matches(number, [played.match(CAMBIO, n, seats=2, bots=2) for n in range(4)])
        left_out = {"place": 1, "remaining": "drop", "results": "omit"}
        store.append_decision(number, "club", "withdraw", left_out, "a copy of a")
        text = Client(store, Access()).get("/").text
    assert f'href="/tournaments/{number}"' in text
    assert "leaders" not in text


def test_matrices_of_meetings_and_seat_neighbours(site: Client) -> None:
    def cells(page: str) -> dict[str, tuple[str, str]]:
        found = re.findall(r'<td class="(heat-\d+)" title="([^"]+)">([\d,]+)</td>', page.partition('id="meetings"')[2])
        return {unescape(words): (heat, number) for heat, words, number in found}

    whole = cells(site.get("/tournaments/1").text)
    assert len(whole) == 24
    assert whole["a with b: 48 matches"] == ("heat-5", "48")
    assert whole["a right before b: 48 times"] == ("heat-10", "48")
    assert whole["b right before a: 0 times"] == ("heat-0", "0")


def test_answer_times_are_shown_as_a_histogram(site: Client, store: Store) -> None:
    found = sample(store, Access(), [store.tournament(2), store.tournament(1)], "a")
    assert found is not None
    assert (found.game, found.matches) == ("cambio", 20)
    rows = [store.match(listed.id).row for listed in store.matches(bot="a", tournament=2)]
    assert len(rows) == 8
    part = sample(store, Access(), [store.tournament(2)], "a")
    assert part is not None
    assert len(part.micros) == sum(seat.decisions for row in rows for seat in row.seats if seat.entrant == 0)
    page = site.get("/bots/a").text.partition('id="times"')[2].partition("</section>")[0]
    assert f"{len(found.micros):,} answers in 20 of its newest matches of cambio" in page
    counts = re.findall(r'<td class="number">([\d,]+)</td><td class="number">[\d.]+</td><td><svg', page)
    assert sum(int(number.replace(",", "")) for number in counts) == len(found.micros)
    assert "100 µs to 200 µs" in page


def test_answer_times_of_a_running_tournament_are_for_the_organiser(store: Store) -> None:
    both = [store.tournament(2), store.tournament(1)]
    for access in (VISITOR, Access(organiser=False, owner="a")):
        assert sample(store, access, both, "a") == sample(store, Access(), both[1:], "a")
        assert sample(store, access, both[:1], "a") is None


def test_bins_are_logarithmic() -> None:
    counts = bins((0.0, 0.9, 1.0, 1.9, 2.0, 99.0, 100.0, 1e12))
    assert {number: times for number, times in enumerate(counts) if times} == {0: 2, 1: 2, 2: 1, 6: 1, 7: 1, 27: 1}


def test_matches_are_filtered(site: Client, store: Store) -> None:
    def found(query: str) -> list[int]:
        return list(map(int, re.findall(r'<a href="/matches/(\d+)">', site.get(f"/matches?{query}").text)))

    assert found("tournament=1&fault=timeout") == [4]
    assert set(found("tournament=1")) <= set(range(1, 49))
    assert found("tournament=2&bot=a&seat=0") == [64, 60]
    assert found("tournament=1&before=5") == [4, 3, 2, 1]
    worst = found("tournament=1&bot=a&order=worst")
    assert sorted(worst) == sorted(found("tournament=1&bot=a"))
    scores = {each.id: each.scores[each.players.index("a")] for each in store.matches(tournament=1, bot="a")}
    assert [scores[id] for id in worst] == sorted(scores.values())
    assert found("tournament=1&order=worst") == found("tournament=1")
    assert "No matches found" in site.get("/matches?fault=hung").text
    assert len(found("")) == 50
    assert "older matches" in site.get("/matches").text


def test_one_of_thousands_of_bots_is_typed(site: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert '<select name="bot">' in site.get("/matches").text
    monkeypatch.setattr(matches, "MOST_LISTED", 1)
    page = site.get("/matches?bot=%22a%22&against=b").text
    assert '<input name="bot" value="&#34;a&#34;" placeholder="any" size="20" autocapitalize="off">' in page
    assert '<input name="against" value="b"' in page
    assert '<option value="b"' not in page


def test_among_many_bots_a_part_of_a_name_is_typed(site: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = site.get("/bots").text
    assert "part of a name" not in whole
    assert 'href="/bots/a"' in whole
    assert 'href="/bots/b"' in whole
    monkeypatch.setattr(bot_list, "MOST_LISTED", 1)
    first = site.get("/bots").text
    number = len(set(re.findall(r'href="(/bots/[^"]+)"', whole)))
    assert f"1 of {number} bots" in first
    assert len(set(re.findall(r'href="(/bots/[^"]+)"', first))) == 1
    found = site.get("/bots?name=B").text
    assert 'href="/bots/b"' in found
    assert 'href="/bots/a"' not in found
    assert f"1 of {number} bots" in found
    nothing = site.get("/bots?name=%22%3Ci%3E").text
    assert "No bot has this in its name." in nothing
    assert 'value="&#34;&lt;i&gt;"' in nothing


def test_the_list_of_bots_has_the_newest_tournaments_of_each(site: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_list, "NEWEST", 1)
    rows = [row for row in site.get("/bots").text.split("<tr>") if 'href="/bots/a"' in row]
    assert [re.findall(r'href="/tournaments/(\d+)"', row) for row in rows] == [["2"]]
    assert "and 1 more" in rows[0]


def test_a_search_that_takes_too_long_says_so(site: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for page in (matches, bots):
        monkeypatch.setattr(page, "SEARCH_SECONDS", 0.0)
    monkeypatch.setattr(time_limit, "_STEPS", 1)
    found = site.get("/matches?seat=0").text
    assert "Not found: the search took longer than 0 s: choose a bot, a league or a tournament as well." in found
    assert '<select name="seat">' in found, "the filters are there to be changed"
    assert "There are too many matches to search them all." in site.get("/bots/a").text


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_response_reveals_what_a_seat_did_not_know(site: Client, game: Game) -> None:
    id = 49 + GAMES.index(game)
    page, rules = re.subn(r"(?s)<aside.*?</aside>", "", site.get(f"/matches/{id}").text)
    assert rules == 1
    page, tables = re.subn(r' data-codes="[^"]*"', "", page)  # how texts are read, the same for all matches of a game
    assert tables == 1
    assert not re.search(r"is dealt|rolls|thought", page)
    story = site.get(f"/matches/{id}/story?seat=1").text
    told = json.loads(story)
    assert told["game"] == game.name
    assert set(re.findall(r"thought \d+ of seat (\d+)", story)) == {"1"}
    assert not {
        line
        for frame in told["frames"]
        for line in in_english(frame.get("events", []))
        if re.match(r"seat [^1]+ (is dealt -?\w|rolls)", line) and game.name not in ("cambio", "cucco")
    }
    everything = site.get(f"/matches/{id}/story").json()
    assert len(everything["frames"]) >= len(told["frames"])
    for first in range(0, len(told["frames"]), FRAMES_PER_PART):
        part = site.get(f"/matches/{id}/tables?seat=1&first={first}").json()
        # Between two questions and at the end cards and dice are shown; that no more is, twin matches prove.
        asked = [bool(frame.get("asked")) for frame in told["frames"][first : first + FRAMES_PER_PART]]
        places = {place for (*_, places), asks in zip(part["scenes"], asked, strict=True) if asks for place in places}
        hands = [
            zone
            for piece in map(part["pieces"].__getitem__, places)
            if piece.get("seat") not in (None, 1)
            for zone in piece.get("zones", ())
            if zone["label"] in ("hand", "cup")
        ]
        assert {item["kind"] for zone in hands for item in zone.get("items", ())} <= {"back", "cup"}


def test_one_frame_is_sent_without_the_rest_of_the_match(site: Client) -> None:
    whole = site.get("/matches/1/story?seat=2").json()
    last = len(whole["frames"]) - 1
    assert (whole["first"], whole["count"]) == (0, last + 1)
    for move in (0, FRAMES_PER_PART + 1, last, 999_999):
        told = site.get(f"/matches/1/story?seat=2&move={move}").json()
        part = min(move, last) // FRAMES_PER_PART * FRAMES_PER_PART
        assert told.pop("tables") == site.get(f"/matches/1/tables?seat=2&first={part}").json()
        first, frames = told.pop("first"), told.pop("frames")
        assert first == max(0, part - FRAMES_PER_PART)
        assert frames == whole["frames"][first : first + 3 * FRAMES_PER_PART]
        window = range(first, first + len(frames))
        assert [score_at(told["scores"], number) for number in window] == [
            score_at(whole["scores"], number) for number in window
        ]
        del told["scores"]
        assert told.pop("story") is None, "the page asks for the whole, which has it"
        assert told == {
            name: value for name, value in whole.items() if name not in ("first", "frames", "scores", "story")
        }


def score_at(changes: list[Any], number: int) -> Any:
    """Return the scores in a frame: those of the last change up to it."""
    return next(scores for at, scores in reversed(changes) if at <= number)


def test_files_requested_by_digest_are_cached(site: Client) -> None:
    address = re.findall(r'src="(/static/words.js[^"]+)"', site.get("/matches/1").text)[0]
    answer = site.get(address)
    assert "immutable" in answer.headers["cache-control"]
    assert "const Dom = " in answer.text
    assert "const Log = " in answer.text
    older = site.get(re.sub("v=.*", "v=0", address))
    assert (older.text, older.headers["cache-control"]) == (answer.text, "no-cache")


def test_concurrent_requests_replay_a_match_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made, under_way, go_on = [], Event(), Event()

    class Slow(Replay):
        def __init__(self, match: StoredMatch) -> None:
            made.append(match.id)
            under_way.set()
            assert go_on.wait(60)
            super().__init__(match)

    monkeypatch.setattr(replay_cache, "Replay", Slow)
    kept = replay_cache.ReplayCache(store)
    with ThreadPoolExecutor(3) as threads:
        found = [threads.submit(kept.of, Access(), 1) for _ in range(3)]
        assert under_way.wait(60)
        go_on.set()
        assert len({id(each.result()) for each in found}) == 1
    assert made == [1]
    kept.prepare(Access(organiser=False), 60)
    for number in range(2, 2 + replay_cache.KEPT):
        kept.of(Access(), number)
    kept.of(Access(), 1)
    assert made.count(1) == 2


def test_a_cached_replay_is_dropped_when_its_match_is_void_or_withheld(tmp_path: Path) -> None:
    rows = [played.match(CAMBIO, number) for number in range(4)]
    again = replace(rows[1], answers=rows[2].answers, times=rows[2].times, seed=rows[2].seed, digest=rows[2].digest)
    with open_store(tmp_path / "own.db", create=True) as own:
        number = own.add_tournament(played.tournament(CAMBIO, matches=4))
        own.add_matches(number, rows)
        own.finish_tournament(number)
        everybody, organiser = Client(own, VISITOR), Client(own, Access())
        told = {client: client.get("/matches/2/story").json()["count"] for client in (everybody, organiser)}
        assert own.append_decision(number, "o", "void", {"match": 1, "replay": True}) is not None
        for path in ("", "/story", "/tables?first=0", "/moment?frame=3&other=1", "/output?seat=0", "/verdict"):
            assert [client.get(f"/matches/2{path}").status_code for client in (everybody, organiser)] == [404, 404]
            assert everybody.get(f"/matches/1{path}").status_code == 403, "its deal is played again"
        own.add_matches(number, [again])
        assert organiser.get("/matches/2/story").json()["count"] != told[organiser]
        assert everybody.get("/matches/2/story").status_code == 403
        own.finish_tournament(number)
        assert everybody.get("/matches/2/story").json() == organiser.get("/matches/2/story").json()


def test_output_that_is_stored_later_is_shown(tmp_path: Path) -> None:
    row = played.match(CAMBIO)
    with open_store(tmp_path / "own.db", create=True) as own:
        number = own.add_tournament(played.tournament(CAMBIO, matches=2))
        own.add_matches(number, [row])
        site = Client(own, Access())
        assert site.get("/matches/1/output?seat=0").json()["text"] == ""
        seat = row.seats[0]
        own.add_matches(number, [], [OutputRow(row.phase, seat.player, seat.entrant, "printed late")])
        assert site.get("/matches/1/output?seat=0").json()["text"] == "printed late"


def test_a_frame_is_found_from_another_perspective(site: Client) -> None:
    there = site.get("/matches/1/moment?frame=20&other=2").json()["frame"]
    assert site.get(f"/matches/1/moment?frame={there}&seat=2").json()["frame"] >= 20


def test_a_question_is_downloaded_as_a_file(site: Client, public: Client, store: Store) -> None:
    answer = site.get("/matches/1/question?move=5")
    assert answer.headers["content-disposition"] == 'attachment; filename="match-1-move-5.json"'
    assert parse_question(answer.content) == recorded_question(store.match(1), 5)
    assert public.get("/matches/1/question?move=5").content == answer.content
    assert site.get("/matches/1/question?move=99999").status_code == 400
    assert site.get("/matches/1/question").status_code == 400
    assert public.get("/matches/60/question?move=5").status_code == 403, "its tournament is not over"


def test_a_match_is_verified(site: Client) -> None:
    assert site.get("/matches/1/verdict").json() == {"wrong": [], "remarks": []}


@pytest.mark.parametrize(
    ("address", "status", "sentence"),
    [
        ("/matches/999", 404, "no match 999"),
        ("/tournaments/9", 404, "no tournament 9"),
        ("/bots/nobody", 404, "no bot nobody"),
        ("/nowhere", 404, "there is no page at this address"),
        (f"/matches/{10**18}", 404, "there is no page at this address"),
        (f"/matches/{'9' * 5000}/story", 404, "there is no page at this address"),
        (f"/tournaments/{10**19}", 404, "there is no page at this address"),
        ("/tournaments/9/events", 404, "no tournament 9"),
        ("/static/site.py", 404, "there is no such file"),
        ("/static/..%2Fsite.css", 404, "there is no page at this address"),
        ("/static/base.css+dom.js", 404, "there is no such file"),
        ("/matches/1/story?move=-1", 400, "move must be a number from 0 to"),
        ("/matches/1/story?seat=4", 400, "seat must be a number from 0 to 3"),
        ("/matches/1/tables?first=x", 400, "first must be a number"),
        ("/matches/1/moment?frame=99999999999", 400, "frame must be a number"),
    ],
)
def test_errors_have_messages(site: Client, address: str, status: int, sentence: str) -> None:
    answer = site.get(address)
    assert (answer.status_code, sentence in unescape(answer.text)) == (status, True)
    asked = site.get(address, "application/json")
    assert (asked.status_code, sentence in asked.json()["error"]) == (status, True)
    assert not re.search(r"\.db|`arena", answer.text + asked.text), "visitors have no use for a path or a command"


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "TRACE"])
def test_a_method_that_a_page_lacks_is_said(site: Client, method: str) -> None:
    answer = site.ask(method, "/")
    assert answer.status_code == 405
    assert answer.json()["error"] == f"{method} is not possible here: use {answer.headers['allow']}"
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD"}


def test_only_post_changes_anything(store: Store) -> None:
    """What comes from other sites is refused for POST alone."""
    worker = HandInWorker(store, Hosting(), BuildTerms(), print)
    site = application(store, VISITOR, play_sessions=PlaySessions(store, Hosting()), hand_ins=worker)
    routes = [route for route in site.routes if isinstance(route, Route)]
    assert len(routes) > 60
    assert {method for route in routes for method in route.methods or ["any"]} == {"GET", "HEAD", "POST"}


def test_visitors_see_no_details_of_database_errors(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaks() -> list[object]:
        raise StoreUnavailable("/srv/arena.db is locked", ": try again")

    monkeypatch.setattr(store, "tournaments", breaks)
    answer = Client(store, VISITOR).get("/")
    assert answer.status_code == 503
    assert "the database cannot be read at the moment" in answer.text
    assert "/srv" not in answer.text
    assert capsys.readouterr().err == "/srv/arena.db is locked: try again\n", "one line, as nothing is wrong with arena"


async def test_a_database_that_is_away_while_visitors_are_recognised_is_no_bug(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaks(_cache: object) -> bool:
        raise StoreUnavailable("/srv/arena.db is locked", ": try again")

    monkeypatch.setattr("arena.server.readings.LeagueCache.has_any", breaks)
    transport = httpx.ASGITransport(application(store, VISITOR), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://arena") as client:
        answer = await client.get("/bots", headers={"accept": "text/html"})
    assert answer.status_code == 503
    assert "the database cannot be read at the moment" in answer.text
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["retry-after"] == "10"
    assert capsys.readouterr().err == "/srv/arena.db is locked: try again\n"


def test_visitors_see_the_match_without_notes_and_output(public: Client) -> None:
    assert "thought" not in public.get("/matches/1/story").text
    assert public.get("/matches/1/output?seat=0").json() == {"text": "", "truncated": False}


def test_matches_of_a_running_tournament_are_for_the_organiser(public: Client, site: Client) -> None:
    for path in ("", "/story", "/tables?first=0", "/verdict", "/output?seat=0"):
        answer = public.get(f"/matches/60{path}")
        assert answer.status_code == 403
        assert "once tournament 2 is over" in answer.text
        assert site.get(f"/matches/60{path}").status_code == 200
    assert public.get("/tournaments/2").status_code == 200


def test_the_page_of_a_tournament_links_to_its_tables(site: Client) -> None:
    page = site.get("/tournaments/1").text
    for file, kind in (("matches.csv", "text/csv"), ("matches.parquet", "parquet"), ("ranking.tex", "x-tex")):
        assert f'href="/tournaments/1/{file}"' in page
        answer = site.get(f"/tournaments/1/{file}")
        assert answer.status_code == 200
        assert kind in answer.headers["content-type"]
        assert answer.headers["content-disposition"] == f'attachment; filename="tournament-1-{file}"'
    assert len(site.get("/tournaments/1/matches.csv").text.splitlines()) == 1 + 48 * 4
    assert site.get("/tournaments/1/matches.parquet").content[:4] == b"PAR1"
    assert r"\begin{tabular}" in site.get("/tournaments/1/ranking.tex").text


def test_seeds_of_a_running_tournament_are_for_the_organiser(public: Client, site: Client) -> None:
    def seeds(client: Client, number: int) -> set[str]:
        rows = csv.DictReader(client.get(f"/tournaments/{number}/matches.csv").text.splitlines())
        return {row["seed"] for row in rows}

    assert seeds(public, 2) == {""}
    assert seeds(public, 1) == seeds(site, 1)
    assert "" not in seeds(public, 1) | seeds(site, 2)


def test_without_pyarrow_there_is_no_link_to_parquet(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "find_spec", lambda name: None)
    site = Client(store, Access())
    assert "matches.parquet" not in site.get("/tournaments/1").text
    answer = site.get("/tournaments/1/matches.parquet")
    assert answer.status_code == 404
    assert "cannot write Parquet: download the CSV file" in answer.text


def test_too_many_downloads_at_a_time_wait(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "DOWNLOADS", 0)
    answer = Client(store, Access()).get("/tournaments/1/matches.csv")
    assert answer.status_code == 503
    assert "too many downloads" in answer.text


def test_an_owner_reads_their_own_notes_and_output(store: Store) -> None:
    site = Client(store, Access(organiser=False, owner="b"))
    assert set(re.findall(r"thought \d+ of seat (\d+)", site.get("/matches/1/story").text)) == {"1"}
    assert "printed by seat 1" in site.get("/matches/1/output?seat=1").json()["text"]
    assert site.get("/matches/1/output?seat=2").json()["text"] == ""


def test_the_organiser_reads_what_bots_printed(site: Client) -> None:
    assert site.get("/matches/1/output?seat=2").json()["text"] == f"printed by seat 2 {EVIL}"


@pytest.mark.parametrize("wish", ["tournament", "seat", "before"])
@pytest.mark.parametrize("digits", [19, 5000])
def test_a_filter_with_a_number_too_large_is_ignored(site: Client, wish: str, digits: int) -> None:
    answer = site.get(f"/matches?{wish}={'9' * digits}")
    assert answer.status_code == 200
    assert 'href="/matches/1' in answer.text


def test_an_internal_error_is_a_page_and_a_traceback_on_stderr(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaks(*_: object) -> str:
        raise ZeroDivisionError("nobody expected this")

    monkeypatch.setattr("arena.server.tournaments.home.show", breaks)
    client = Client(store, Access())
    client.transport.raise_app_exceptions = False  # as a server does
    answer = client.get("/")
    assert answer.status_code == 500
    assert "this page failed" in answer.text
    assert "nobody expected" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "ZeroDivisionError: nobody expected this" in capsys.readouterr().err


def test_numbers_with_words_are_told_to_who_sorts_a_table(site: Client) -> None:
    assert re.search(r'data-sort="(\d+)">\1 of \d+<', site.get("/bots/a").text)
    assert re.search(r'data-sort="(\d+)">\1 of [\d,]+<', site.get("/").text)


def test_matches_are_filtered_by_game(site: Client, store: Store) -> None:
    assert store.games() == sorted({"cambio", *(game.name for game in GAMES)})
    ids = [match.id for match in store.matches(game="hypp")]
    assert ids
    assert [match.id for match in store.matches(game="hypp", bot="a")] == ids
    assert store.matches(game="nothing") == []
    page = site.get("/matches?game=hypp").text
    assert '<option value="hypp" selected>' in page
    assert re.findall(r'<td class="number"><a href="/matches/(\d+)"', page) == [str(id) for id in ids]
    assert 'href="/matches">show all matches' in site.get("/matches?game=nothing").text


def test_faults_are_told_of_bots_by_name_with_the_mark_of_their_seat(site: Client) -> None:
    page = site.get("/matches?tournament=1&fault=timeout").text
    faulty = re.findall(r'<li><span class="seat-mark" data-seat="(\d)">([^<]+)</span>: timeout 1</li>', page)
    assert [(seat, name in "abcd" or name == escape(EVIL)) for seat, name in faulty] == [("2", True)]


@pytest.mark.parametrize(
    ("address", "ways"),
    [
        ("/matches/999", {"/matches"}),
        ("/bots/nobody", {"/bots"}),
        ("/tournaments/9", {"/"}),
        ("/nowhere", {"/matches", "/bots", "/join"}),
    ],
)
def test_an_error_leads_on(public: Client, address: str, ways: set[str]) -> None:
    page = public.get(address).text
    listed = page[page.index('<ul class="ways">') :].partition("</ul>")[0]
    assert set(re.findall(r'href="([^"]+)"', listed)) == ways | {"/"}


def test_visitors_are_told_how_to_take_part(store: Store) -> None:
    page = Client(store, Access(organiser=False)).get("/join").text
    assert "arena init mybot --game cambio" in page
    assert "takes no bots by itself" in page
    worker = HandInWorker(store, Hosting(), BuildTerms(), print)
    taking = Client(store, Access(organiser=False), hand_ins=worker)
    page = taking.get("/join").text
    assert "arena submit ./mybot --to http://arena --insecure" in page
    assert 'href="/sign-in"' in page
    assert '<a href="/join">Take part</a>' in taking.get("/matches").text
    assert '<a href="/join" aria-current="page">참가하기</a>' in taking.get("/join?lang=ko").text
