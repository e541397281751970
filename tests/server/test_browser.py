"""The pages in a real browser: Debian's chromium, controlled by Playwright."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any
from xml.etree import ElementTree

import pytest

from arena.league.control import create
from arena.league.plan.definition import define_league
from arena.league.store.leagues import Leagues
from arena.replay import document
from arena.replay.readable import reader_of
from arena.sdk.recorded_question import parse_question
from arena.store import open_store
from referee.engine.game import Game
from referee.engine.registry import game
from referee.engine.scenario import judge
from referee.games.cambio import CAMBIO
from sample_bots import SAMPLES
from tests import leagues, played
from tests.owl import OWL
from tests.replay.replays import GAMES, replay
from tests.server.conftest import EVIL, Open, Serve

pytestmark = pytest.mark.toolchain

LONG = {"max_sets": "200", "chips": "120"}
"""Options of Cambio with which a match of random moves takes thousands of moves."""

CHOSEN_IN_SIGHT = """() => {
    const chosen = document.querySelector("#question .moves [aria-current]").getBoundingClientRect();
    const list = document.querySelector("#question .moves").getBoundingClientRect();
    return chosen.top >= list.top - 1 && chosen.bottom <= list.bottom + 1;
}"""


def at(page: Any, number: int) -> None:
    """Wait until a frame is shown."""
    page.wait_for_function(
        "number => document.querySelector('#log > [aria-current]')?.dataset.move === String(number)", arg=number
    )


def choose(page: Any, action: str) -> None:
    """Click an entry of the menu "more"."""
    page.click("#more")
    page.click(action)


def number_of(game: Game) -> int:
    """Return the id of the game's match in the database."""
    return 49 + GAMES.index(game)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1440, 900), (1280, 720), (390, 844)], ids=str)
def test_a_pause_of_the_machine_is_told_at_all_sizes(
    visit: Open, address: str, size: tuple[int, int], theme: str
) -> None:
    page = visit(f"{address}/matches/2", viewport={"width": size[0], "height": size[1]}, color_scheme=theme)
    at(page, 0)
    told = page.locator("#replay .paused")
    assert told.is_visible()
    assert told.text_content() == "the machine stood still for 1.0 s"
    box = told.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size[0]
    assert told.evaluate("told => told.scrollWidth <= told.clientWidth || told.clientWidth === 0"), "nothing is cut off"
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_match_of_every_game_is_played_by_keyboard(visit: Open, address: str, game: Game) -> None:
    page = visit(f"{address}/matches/{number_of(game)}")
    at(page, 0)
    last = int(page.text_content("#last"))
    assert last == len(replay(game).frames()) - 1
    for key, number in ((".", 1), (".", 2), (",", 1), ("End", last), ("Home", 0)):
        page.keyboard.press(key)
        at(page, number)
    assert page.locator("#table .place").count() == game.recommended
    assert page.locator("#question .moves li[aria-current]").count() == 1
    assert page.evaluate(CHOSEN_IN_SIGHT)
    page.keyboard.press("End")
    at(page, last)
    assert "The match is over" in page.text_content("#question")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_a_seat_did_not_know_is_not_sent_to_its_page(visit: Open, address: str, game: Game) -> None:
    sent: list[Any] = []
    page = visit("about:blank")
    page.on("response", lambda response: sent.append(response))
    page.goto(f"{address}/matches/{number_of(game)}#seat=1")
    at(page, 0)
    for key in ("r", "r", "m", "End"):
        page.keyboard.press(key)
    at(page, int(page.text_content("#last")))
    asked = [response for response in sent if re.search(r"/matches/\d+/", response.url)]
    assert asked
    assert all("seat=1" in response.url for response in asked)
    sent_text = "".join(response.text() for response in sent) + page.content()
    assert set(re.findall(r"thought \d+ of seat (\d+)", sent_text)) == {"1"}
    own = {line for frame in replay(game).frames(1) for line in frame.events}
    secret = {line for frame in replay(game).frames() for line in frame.events} - own
    assert not {line for line in secret if f'"{line}"' in sent_text or f">{line}<" in sent_text}


def test_the_perspective_changes_at_the_same_position_and_the_link_restores_it(visit: Open, address: str) -> None:
    page = visit(f"{address}/matches/1#move=20")
    at(page, 20)
    page.keyboard.press("2")
    page.wait_for_function("() => location.hash.endsWith('&seat=2')")
    link, text = page.url, page.text_content("#table")
    assert page.input_value("#of") == "2"
    assert page.locator("#table .back").count() > 0
    again = visit(link)
    again.wait_for_function("() => document.querySelectorAll('#table .place').length > 0")
    assert again.text_content("#table") == text
    assert again.input_value("#perspective") == "2"
    page.keyboard.press("o")
    page.wait_for_function("() => !location.hash.includes('seat')")
    assert int(re.findall(r"move=(\d+)", page.url)[0]) >= 20


class Gate:
    """Holds back the answers to some requests of a page until it is opened."""

    def __init__(self, page: Any, address: re.Pattern[str]) -> None:
        self._page = page
        self._held: list[Any] | None = []
        page.route(address, self._handle)

    def _handle(self, route: Any) -> None:
        if self._held is None:
            route.continue_()
        else:
            self._held.append(route)

    def release_one(self) -> None:
        """Release the oldest held answer, and wait until the page has processed it."""
        assert self._held
        route = self._held.pop(0)
        with self._page.expect_response(route.request.url) as response:
            route.continue_()
        response.value.finished()
        self._page.evaluate("() => new Promise((done) => setTimeout(done, 0))")

    def open(self) -> None:
        held, self._held = self._held or [], None
        for route in held:
            route.continue_()


WHOLE = re.compile(r"/story\?(seat=\d+)?$")
"""The request for all frames of a match."""


def test_actions_before_a_change_of_perspective_apply_to_the_new_one(visit: Open, address: str) -> None:
    page = visit("about:blank")
    gate = Gate(page, WHOLE)
    page.goto(f"{address}/matches/{number_of(CAMBIO)}")
    at(page, 0)
    page.keyboard.press("f")  # there is none, which all frames are looked through for
    page.fill("#search", "the match is over")
    page.press("#search", "Enter")
    page.select_option("#perspective", "2")
    page.wait_for_function("() => location.hash.endsWith('&seat=2')")
    gate.release_one()
    gate.open()
    last = len(replay(CAMBIO).frames(2)) - 1
    at(page, last)
    page.wait_for_url(f"**#move={last}&seat=2")
    assert page.input_value("#perspective") == "2"


def test_a_jump_without_a_target_stays_and_shows_a_message(visit: Open, address: str) -> None:
    page = visit(f"{address}/matches/{number_of(CAMBIO)}#move=7")
    at(page, 7)
    choose(page, "#next-fault")
    page.wait_for_function("() => document.getElementById('search-result').textContent === 'not found'")
    assert page.url.endswith("#move=7")


def test_a_step_does_not_cancel_a_change_of_perspective(visit: Open, address: str) -> None:
    page = visit(f"{address}/matches/{number_of(CAMBIO)}")
    at(page, 0)
    gate = Gate(page, re.compile(r"/moment\?"))
    for key in ("1", "2", ".", "."):
        page.keyboard.press(key)
    gate.open()
    there = replay(CAMBIO).nearest_frame(0, None, 2)
    page.wait_for_function("hash => location.hash === hash", arg=f"#move={there + 2}&seat=2")
    assert page.input_value("#perspective") == "2"


def test_what_happens_between_two_moves_is_shown_event_by_event(visit: Open, address: str) -> None:
    film = replay(CAMBIO)
    number = next(n for n, frame in enumerate(film.frames()) if sum("reveals" in line for line in frame.events) > 2)
    events = film.event_frames(number)
    lines, read = film.frames()[number].events, reader_of(film.match).of
    page = visit(f"{address}/matches/{number_of(CAMBIO)}#move={number - 1}")
    at(page, number - 1)
    start = 0
    for place, event in enumerate(events[:-1], start=1):
        page.keyboard.press("ArrowRight")
        page.wait_for_function("hash => location.hash === hash", arg=f"#move={number}&event={place}")
        assert page.locator("#question .event").all_text_contents() == list(map(read, lines[start : event.end]))
        assert page.locator("#log [aria-current] > :not(.later)").count() == event.end
        assert page.locator("#table .asked").count() == 0
        for seat, drawn in enumerate(event.scene.places):
            chips = page.text_content(f'#table [data-seat="{seat}"] [data-fact="chips"] dd')
            assert chips == next(fact.value for fact in drawn.facts if fact.label == "chips")
        start = event.end
    page.keyboard.press("ArrowRight")
    page.wait_for_function("hash => location.hash === hash", arg=f"#move={number}")
    assert page.locator("#table .asked").count() == 1
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("hash => location.hash === hash", arg=f"#move={number}&event={len(events) - 1}")
    page.reload()
    at(page, number)
    assert page.url.endswith(f"&event={len(events) - 1}")
    assert page.locator("#question .event").count() == events[-2].end - (events[-3].end if len(events) > 2 else 0)


FLYING = """() => document.getAnimations()
    .filter((one) => one.effect.target.closest("#table"))
    .filter((one) => one.effect.getKeyframes().some((frame) => frame.transform?.startsWith("translate")))
    .map((one) => one.effect.target.dataset.to)"""

PAUSED = """() => {
    const animate = Element.prototype.animate;
    Element.prototype.animate = function paused(...how) {
        const animation = animate.apply(this, how);
        animation.pause();
        return animation;
    };
}"""


def test_cards_and_chips_move_to_where_they_go(visit: Open, address: str) -> None:
    film = replay(CAMBIO)
    number = next(n for n, frame in enumerate(film.frames()) if any("exchanges with" in line for line in frame.events))
    frames = film.event_frames(number)
    place = next(n for n, event in enumerate(frames) if len(event.moved) == 2)
    page = visit(f"{address}/matches/{number_of(CAMBIO)}#move={number if place else number - 1}&event={place or 99}")
    at(page, number if place else number - 1)
    page.evaluate(PAUSED)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getAnimations().length >= 2")
    assert sorted(page.evaluate(FLYING)) == sorted(str(movement.target[0]) for movement in frames[place].moved)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"() => ({FLYING})().length === 0")
    page.emulate_media(reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    at(page, number)
    assert page.evaluate(FLYING) == []


def test_keys_jump_to_marks_and_search_the_log(visit: Open, address: str) -> None:
    page = visit(f"{address}/matches/4")
    at(page, 0)
    page.keyboard.press("f")
    at(page, 5)
    assert "timeout" in page.text_content("#question .fault")
    assert "default move" in page.text_content("#question .clock")
    asked = page.get_attribute("#table .asked", "data-seat")
    page.click("#output summary")
    page.wait_for_function("seat => document.getElementById('whose').value === seat", arg=asked)
    page.wait_for_selector("#legend .fault")
    assert page.evaluate("getComputedStyle(document.querySelector('#legend .fault')).borderLeftWidth") == "0px"
    page.keyboard.press("Home")
    page.keyboard.press("r")
    page.wait_for_function("() => document.querySelector('#log > [aria-current]').textContent.includes(' begins')")
    page.keyboard.press("/")
    page.keyboard.type("calls cuckoo")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#log > [aria-current]').textContent.includes('calls cuckoo')")
    page.keyboard.type(" of nobody")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.getElementById('search-result').textContent === 'not found'")


def test_playback_verification_and_output_as_text(visit: Open, address: str) -> None:
    page = visit(f"{address}/matches/1")
    at(page, 0)
    page.select_option("#speed", "32")
    page.click("#play")
    page.wait_for_function("() => Number(document.getElementById('number').value) > 5")
    page.click("#play")
    choose(page, "#verify")
    page.wait_for_function("() => document.getElementById('verdict').textContent.startsWith('verified: ')")
    page.click("#output summary")
    page.wait_for_function("() => document.getElementById('printed').textContent !== ''")
    page.select_option("#whose", "3")
    page.wait_for_function("() => document.getElementById('printed').textContent.includes('printed by seat 3')")
    assert EVIL in page.text_content("#printed")
    assert page.locator("#table", has_text=EVIL).count() == 1
    assert page.locator("main img").count() == 0


def test_output_that_comes_late_does_not_replace_that_of_another_seat(visit: Open, address: str) -> None:
    page = visit(f"{address}/matches/1")
    at(page, 0)
    gate = Gate(page, re.compile(r"/output\?seat=[^3]$"))
    with page.expect_request(re.compile(r"/output\?")):
        page.click("#output summary")  # of the bot to move
    page.select_option("#whose", "3")
    page.wait_for_function("() => document.getElementById('printed').textContent.includes('printed by seat 3')")
    gate.release_one()
    assert "printed by seat 3" in page.text_content("#printed")


def test_a_question_is_asked_again_with_a_command_or_a_file(visit: Open, address: str) -> None:
    page = visit(f"{address}/matches/1#move=7")
    at(page, 7)
    page.keyboard.press("a")
    page.wait_for_function("() => document.getElementById('asked').textContent.includes('--move 7')")
    assert "arena match --from 1 --move 7 · question file" in page.text_content("#asked")
    seat = parse_question(page.request.get(address + page.get_attribute("#asked a", "href")).body()).seat
    page.keyboard.press(str(seat))
    page.wait_for_function("() => document.getElementById('asked').textContent === ''")
    choose(page, "#again")  # the frames of a seat do not hold the numbers of answers, but its link is the same
    page.wait_for_function("() => document.getElementById('asked').textContent.includes('--move 7')")
    page.keyboard.press("End")
    choose(page, "#again")
    page.wait_for_function("() => document.getElementById('asked').textContent === 'nobody was asked here'")


def test_the_shown_position_is_saved_as_a_file_or_a_picture(visit: Open, address: str) -> None:
    page = visit(f"{address}/matches/1#move=0&seat=2")
    page.wait_for_function("() => document.querySelector('#log > [aria-current]')")
    page.keyboard.press("m")
    page.wait_for_function("() => document.querySelector('#table .asked[data-seat=\"2\"]')")
    (move,) = re.findall(r"move=(\d+)", page.evaluate("Address.hash()"))
    page.click("#more")
    saved = {}
    for form in ("scenario", "question", "png", "svg"):
        page.select_option("#save-form", form)
        with page.expect_download() as download:
            page.click("#save")
        assert download.value.suggested_filename.startswith(f"match-1-move-{move}.")
        saved[form] = download.value.path().read_bytes()
    assert judge(saved["scenario"].decode()).word == "ok"
    assert parse_question(saved["question"].decode()).game == "cambio"
    assert saved["png"].startswith(b"\x89PNG")
    picture = ElementTree.fromstring(saved["svg"])
    assert picture.get("width") == str(round(page.locator("#table").bounding_box()["width"]))
    words = "".join(picture.itertext())
    assert "seat 2" in words
    assert "to move" in words


@pytest.mark.parametrize("path", ["/", "/tournaments/1", "/matches", "/matches/1", "/bots", "/bots/a", "/play/cambio"])
def test_pages_fit_a_narrow_screen_in_the_dark(visit: Open, address: str, path: str) -> None:
    page = visit(address + path, viewport={"width": 360, "height": 740}, color_scheme="dark")
    if path == "/matches/1":
        at(page, 0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark


def test_the_page_of_a_running_tournament_is_live(visit: Open, tmp_path: Path, serve: Serve) -> None:
    path = tmp_path / "live.db"
    rows = [played.match(CAMBIO, n) for n in range(8)]
    with open_store(path, create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, matches=8))
        store.add_matches(number, rows[:4])
        address = serve(path)
        page = visit(f"{address}/tournaments/{number}")
        page.wait_for_function("() => document.getElementById('live').textContent === '4 of 8 matches, live'")
        decisions = page.text_content("#summary p")
        store.add_matches(number, rows[4:])
        page.wait_for_function("() => document.getElementById('live').textContent.startsWith('8 of 8')")
        assert page.locator("#newest tbody tr").count() == 8
        store.finish_tournament(number)
        page.wait_for_function("() => document.getElementById('live').textContent.endsWith('finished')")
        page.wait_for_function("before => document.querySelector('#summary p').textContent !== before", arg=decisions)
        met = store.tournament(number)
        link = page.locator("#crosstable td a").first
        link.click()
        page.wait_for_selector("h1 >> text=Matches")
        assert page.locator("tbody tr").count() == met.matches == 8


@pytest.mark.parametrize("perspectives", [[None, 0, 1, 2, 3, 4, 5], [2]])
def test_a_file_opens_without_a_server(visit: Open, tmp_path: Path, perspectives: list[int | None]) -> None:
    file = tmp_path / "match.html"
    file.write_text(document.page(replay(CAMBIO), perspectives), "utf-8")
    page = visit(file.as_uri())
    at(page, 0)
    page.keyboard.press(".")
    at(page, 1)
    page.keyboard.press("3")
    page.keyboard.press("v")
    page.wait_for_function("() => document.getElementById('verdict').textContent.startsWith('verified: ')")
    assert ("seat=3" in page.evaluate("Address.hash()")) == (3 in perspectives)


def test_a_log_stays_where_it_was_scrolled_to_as_the_rest_of_the_match_arrives(
    visit: Open, tmp_path: Path, serve: Serve
) -> None:
    with open_store(tmp_path / "long.db", create=True) as store:
        row = played.match(CAMBIO, seats=6, bots=6, options=LONG)
        store.add_single(played.tournament(CAMBIO, bots=6, matches=1, options=LONG), row)
    page, held = visit("about:blank"), list[Any]()
    page.route(re.compile(r"/story\?$"), lambda route: held.append(route))
    page.goto(f"{serve(tmp_path / 'long.db')}/matches/1")
    at(page, 0)
    while not held:
        page.evaluate("0")
    top = page.evaluate("""() => {
        const list = document.getElementById("log");
        list.firstElementChild.dataset.seen = "1";
        list.scrollTop = list.scrollHeight;
        return list.scrollTop;
    }""")
    held[0].continue_()
    page.wait_for_function("() => document.getElementById('ribbon').childElementCount > 0")
    assert page.evaluate("document.getElementById('log').scrollTop") == top
    assert page.locator("#log > li").first.get_attribute("data-seen") == "1"


def test_a_match_of_thousands_of_moves_opens_at_once_and_stays_smooth(
    visit: Open, tmp_path: Path, serve: Serve, record_property: Callable[[str, object], None]
) -> None:
    path = tmp_path / "long.db"
    with open_store(path, create=True) as store:
        row = played.match(CAMBIO, seats=6, bots=6, options=LONG)
        store.add_single(played.tournament(CAMBIO, bots=6, matches=1, options=LONG), row)
    address = serve(path)
    page = visit(f"{address}/matches/1")
    at(page, 0)
    last = int(page.text_content("#last"))
    assert last > 3000
    ready = page.evaluate("performance.now()")
    entries = page.locator("#log > li")
    few = entries.count()
    assert few < 100, "of a long log only what is near is in the page"
    page.evaluate("() => { const list = document.getElementById('log'); list.scrollTop = list.scrollHeight; }")
    page.wait_for_function("few => document.querySelectorAll('#log > li').length > few", arg=few)
    page.keyboard.press("End")
    at(page, last)
    assert entries.last.get_attribute("data-move") == str(last)
    page.evaluate("() => { document.getElementById('log').scrollTop = 0; }")
    page.wait_for_function("last => Number(document.querySelector('#log > li').dataset.move) < last - 60", arg=last)
    page.keyboard.press("Home")
    at(page, 0)
    times = page.evaluate("""async () => {
        const times = [];
        for (let step = 0; step < 300; step += 1) {
            const before = performance.now();
            const shown = new Promise((done) => addEventListener("frameshown", done, { once: true }));
            document.getElementById("step").click();
            await shown;
            times.push(performance.now() - before);
        }
        return times;
    }""")
    there = visit(f"{address}/matches/1#move={last - 500}")
    at(there, last - 500)
    there.keyboard.press("R")
    there.wait_for_function("there => Number(document.getElementById('number').value) < there", arg=last - 500)
    assert " begins" in there.text_content("#log > [aria-current]")
    record_property("moves", last)
    record_property("milliseconds until it is ready", round(ready))
    record_property("milliseconds a step, median", round(median(times), 1))


def play_to_the_end(page: Any) -> str:
    """Play a match to its end with the first legal moves; return the path of its replay."""
    page.emulate_media(reduced_motion="reduce")  # and do not wait for the events between two questions
    while True:
        page.wait_for_function("() => document.querySelector('#moves a, #moves button:not([disabled]), .cover button')")
        if page.locator("#moves a").count():
            path: str = page.locator("#moves a").first.get_attribute("href")
            return path
        if page.locator(".cover button").count():
            page.locator(".cover button").click()
            page.wait_for_selector("#moves button:not([disabled])")
        number = page.evaluate("document.querySelectorAll('#log li').length")
        page.locator("#moves button").first.click()
        page.wait_for_function(
            "number => document.querySelector('#moves a, .cover button') "
            "|| (document.querySelectorAll('#log li').length !== number && document.querySelector('#moves button'))",
            arg=number,
        )


@pytest.mark.parametrize(("game", "chosen"), [("perudo", {}), ("cambio", {"seat-1": "person", "seat-2": ""})])
def test_a_match_is_played_to_its_end_and_replayed(
    visit: Open, tmp_path: Path, serve: Serve, game: str, chosen: dict[str, str]
) -> None:
    path = tmp_path / "played.db"
    open_store(path, create=True).close()
    address = serve(path)
    page = visit(f"{address}/play/{game}")
    for seat in range(2, page.locator("select[name^=seat]").count()):
        page.select_option(f"select[name=seat-{seat}]", "")
    for name, who in chosen.items():
        page.select_option(f"select[name={name}]", who)
    if game == "cambio":
        page.click("summary")
        page.fill("input[name=option-chips]", "3")
    page.click("button.main")
    page.wait_for_url("**/sittings/*")
    if chosen:
        page.wait_for_selector(".cover button")
        assert page.locator("#table .card").count() == 0, "nobody's cards lie open while another looks"
    replayed = play_to_the_end(page)
    page.wait_for_selector("#result tbody tr")
    assert page.locator("#result tbody tr").count() == page.locator("#table .place").count()
    page.goto(address + replayed)
    at(page, 0)
    page.keyboard.press("v")
    page.wait_for_function("() => document.getElementById('verdict').textContent.startsWith('verified: ')")


def test_a_seats_cards_are_hidden_while_bots_think_and_others_look(visit: Open, tmp_path: Path, serve: Serve) -> None:
    path = tmp_path / "played.db"
    open_store(path, create=True).close()
    page = visit(f"{serve(path)}/play/cambio")
    page.add_init_script(
        "window.EventSource = class extends EventSource { constructor(at) { super(at); window.stream = this; } };"
    )
    for seat in range(2, page.locator("select[name^=seat]").count()):
        page.select_option(f"select[name=seat-{seat}]", "")
    page.select_option("select[name=seat-1]", "person")
    page.click("button.main")
    page.click(".cover button")
    page.wait_for_selector("#log li >> text=is dealt")
    page.evaluate("""() => stream.dispatchEvent(
        new MessageEvent("state", { data: JSON.stringify({ over: false, waiting: [] }) }))""")
    assert page.text_content("#prompt") == "Waiting for the others …"
    assert (page.text_content("#log"), page.text_content("#table"), page.text_content("#whose")) == ("", "", "")
    page.click("#leave")
    page.wait_for_url("**/play")


def test_a_match_is_continued_by_hand_from_the_shown_position(visit: Open, tmp_path: Path, serve: Serve) -> None:
    path = tmp_path / "played.db"
    command = [sys.executable, "-m", "arena", "match", "--game", "cambio", "random", "random", "--seed", "1"]
    subprocess.run([*command, "--db", str(path)], check=True, capture_output=True, timeout=60)
    address = serve(path)
    page = visit(f"{address}/matches/1#move=7")
    at(page, 7)
    seat = re.findall(r"seat (\d)", page.text_content("#question h2"))[0]
    heading = page.text_content(".middle .where")
    assert page.input_value("#continue select") == "same"
    page.keyboard.press(seat)
    page.wait_for_function("() => document.querySelector('#continue select').value === 'anew'")
    choose(page, "#continue button")
    page.wait_for_selector("#moves button")
    assert page.text_content("#whose") == f"you are seat {seat}"
    assert page.locator(f"#table .place.asked[data-seat='{seat}']").count() == 1
    assert page.text_content(".middle .where") == heading
    page.click("#leave")
    page.wait_for_url("**/play")


def test_a_bot_is_submitted_and_its_report_is_text(visit: Open, tmp_path: Path, serve: Serve) -> None:
    path = tmp_path / "house.db"
    made = [sys.executable, "-m", "arena", "accounts", "create", "club", "--db", str(path)]
    token = subprocess.run(made, check=True, capture_output=True, text=True, timeout=60).stdout.strip()
    with open_store(path, write=True) as store:
        rules = game("hypp")
        league = create(store, "hypp", define_league(rules, rules.options.parse({})), "", "ann")[0].id
    bad = tmp_path / "bad.py"
    bad.write_text(f"import os\nprint({EVIL!r})\n")
    address = serve(path, "--sign-in")
    page = visit(f"{address}/sign-in")
    page.fill("input[name=token]", token)
    page.click("button.main")
    page.wait_for_url("**/submit")
    assert page.input_value("#name") == "club/"
    for file, verdict in ((bad, "refused"), (SAMPLES["banker"].path, "accepted")):
        page.goto(f"{address}/submit")
        page.fill("#name", f"club/{file.stem}")
        page.set_input_files("#file", str(file))
        page.click("#send")
        page.wait_for_url("**/hand-ins/*")
        page.wait_for_selector(f"#verdict.{verdict}")
        assert page.locator("#steps tr").count() > 0
        if verdict == "refused":
            assert EVIL in page.text_content("#output")
        assert page.locator("#cancel").count() == 0
    assert page.locator("main img").count() == 0
    assert "club/banker is accepted as version 1" in page.text_content("#verdict")
    with open_store(path, write=True) as store:
        Leagues(store).enter(league, leagues.entry(store.submissions.version("club/banker", 1)), "arena")
    page.get_by_role("link", name="it is being placed").wait_for()
    page.click("#verdict a")
    page.wait_for_url("**/bots/club/banker")
    page.goto(f"{address}/sign-in")
    page.click("text=sign out")
    page.wait_for_url(f"{address}/")
    assert page.locator("nav >> text=Sign in").count() == 1


@pytest.mark.parametrize("game", ["cambio", "perudo", "scopa", "lustu"])
def test_an_author_finds_out_why_a_match_was_lost(visit: Open, tmp_path: Path, serve: Serve, game: str) -> None:
    path, bot = tmp_path / "played.db", tmp_path / "owl.py"
    bot.write_text(OWL)
    command = [sys.executable, "-m", "arena", "match", "--game", game, str(bot), "random", "--seed", "1"]
    subprocess.run([*command, "--db", str(path)], check=True, capture_output=True, timeout=60)
    address = serve(path)
    page = visit(f"{address}/matches?bot=owl&order=worst")
    page.click("td a[href^='/matches/']")
    page.wait_for_function("() => document.querySelectorAll('#table .place').length > 0")
    page.keyboard.press("End")
    page.keyboard.press("M")  # seat 0 is chosen: its last move
    page.wait_for_selector("#question .answer h2 >> text=owl")
    page.keyboard.press("0")
    page.wait_for_function("() => location.hash === `#move=${document.getElementById('scrub').value}&seat=0`")
    move = page.get_attribute("#question .moves [aria-current]", "data-move")
    assert page.locator("#question .note").all_text_contents() == [f"printedlooks at {move}", f"notethinks of {move}"]
    page.click("#output summary")
    page.wait_for_function(
        "move => document.getElementById('printed').textContent.includes(`looks at ${move}`)", arg=move
    )
    page.keyboard.press("l")
    page.wait_for_function("() => document.getElementById('search-result').textContent !== ''")
    friend = visit(page.evaluate("location.href"))
    friend.wait_for_function("() => document.querySelectorAll('#table .place').length > 0")
    assert friend.text_content("#question") == page.text_content("#question")
    heading = page.text_content(".middle .where")
    choose(page, "#continue button")
    page.wait_for_selector("#moves button")
    assert page.text_content("#whose") == "you are seat 0"
    assert page.text_content(".middle .where") == heading
    page.click("#leave")
    page.wait_for_url("**/play")


def test_keys_control_the_match_after_a_choice_by_mouse(visit: Open, address: str) -> None:
    page = visit(f"{address}/matches/1")
    at(page, 0)
    page.click("h1")
    page.evaluate("""() => {
        const list = document.getElementById("of");
        list.focus();
        list.value = "2";
        list.dispatchEvent(new Event("change"));
    }""")
    page.keyboard.press(".")
    at(page, 1)
    page.click("#output summary")
    page.keyboard.press(".")
    at(page, 2)


def test_a_live_page_shows_that_its_server_is_lost(visit: Open, address: str) -> None:
    page = visit(f"{address}/bots", refused=503)
    page.route("**/events", lambda route: route.fulfill(status=503))
    page.goto(f"{address}/tournaments/2")
    page.wait_for_function("() => document.getElementById('live').textContent === '8 of 48 matches, connection lost'")
