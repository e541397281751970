"""Playing by hand on the pages; pages of other sites cannot start a match or answer."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.play.hosted_match import HostedMatch
from arena.replay.match_verification import check_match
from arena.store import Store, open_store
from arena.tournament.run.hosting import Hosting
from arena.viewer.replay import Replay
from arena.web.access import Access
from arena.web.hosted_matches import AT_ONCE, PlaySessions
from referee.engine.record import unpack_answers
from referee.games.cambio import CAMBIO
from tests import played
from tests.tournament.processes import descendants
from tests.viewer.replays import GAMES
from tests.web.conftest import Client

PATIENCE = 60.0
SHORT = {"seat-0": "person", "seat-1": "counter", "option-chips": "4"}


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Store]:
    """A database with a finished single match, and one of a tournament under way."""
    with open_store(tmp_path / "arena.db", create=True) as store:
        store.add_single(played.tournament(CAMBIO, matches=1), played.match(CAMBIO))
        number = store.add_tournament(played.tournament(CAMBIO, matches=9))
        store.add_matches(number, [played.match(CAMBIO)])
        yield store


@pytest.fixture
def play_sessions(own: Store) -> Iterator[PlaySessions]:
    made = PlaySessions(own, Hosting())
    yield made
    made.close()


@pytest.fixture
def house(own: Store, play_sessions: PlaySessions) -> Client:
    return Client(own, Access(), play_sessions=play_sessions)


def begun(answer: Any) -> str:
    """Return the address of a match that was begun."""
    assert answer.status_code == 303, answer.text
    found: str = answer.headers["location"]
    return found


def waited(match: HostedMatch) -> None:
    """Wait until a person is asked, or the match is over."""
    version = -1
    while not (match.waiting or match.over):
        now = match.wait(version, PATIENCE)
        assert now != version, "nothing happens"
        version = now


def playout(house: Client, play_sessions: PlaySessions, at: str, *, first: str = "") -> int:
    """Play a match to its end by the first moves; return the number under which it is stored."""
    match = play_sessions.find(at.rpartition("/")[2]).match
    while True:
        waited(match)
        if match.over:
            assert match.match_id is not None, match.trouble
            return match.match_id
        for seat in match.waiting:
            told = house.get(f"{at}/seats/{seat}").json()
            answer = {"number": told["number"], "move": first or told["legal"][0]}
            first = ""
            assert house.post(f"{at}/seats/{seat}", json=answer).status_code == 200


def test_a_match_is_played_stored_and_verified(house: Client, play_sessions: PlaySessions, own: Store) -> None:
    at = begun(house.post("/play/cambio", data=SHORT))
    page = house.get(at).text
    assert 'data-people="[0]"' in page
    waited(play_sessions.find(at.rpartition("/")[2]).match)
    told = house.get(f"{at}/seats/0").json()
    assert told["waits"]
    assert len(told["scene"]["places"]) == 2
    assert not any("seat 1 is dealt" in line for line in told["log"]), "the cards of others stay theirs"
    match = own.match(playout(house, play_sessions, at))
    assert match.players == ["person", "counter"]
    assert match.event.options == {"chips": "4"}
    assert check_match(match).wrong == ()


def test_the_list_of_games_has_player_counts(house: Client) -> None:
    cells = re.findall(r"<tr><td><a href=./play/(\w+).>.*?<td>([^<]*)</td></tr>", house.get("/play").text)
    assert dict(cells).items() >= {"coch": "4", "torionfo": "2, 4", "cambio": "2-15 (to 30)"}.items()


def test_several_people_take_turns(house: Client, play_sessions: PlaySessions, own: Store) -> None:
    at = begun(house.post("/play/cambio", data=SHORT | {"seat-1": "person", "seat-2": ""}))
    match = own.match(playout(house, play_sessions, at))
    assert match.players == ["person", "person#2"]
    assert all(seat.decisions for seat in match.row.seats)


def test_a_stored_match_is_continued_in_the_seat_that_was_shown(
    house: Client, play_sessions: PlaySessions, own: Store
) -> None:
    at = begun(house.post("/play/cambio", data=SHORT))
    first = own.match(playout(house, play_sessions, at))
    at = begun(house.post(f"/matches/{first.id}/continue", data={"frame": "1", "seat": "0"}))
    second = own.match(playout(house, play_sessions, at))
    assert second.event.definition.opening is not None
    _, begins = second.event.definition.opening
    assert unpack_answers(second.row.answers)[:begins] == unpack_answers(first.row.answers)[:begins]
    assert second.row.seed == first.row.seed
    assert check_match(second).wrong == ()


def test_a_continued_match_is_redealt_on_request(house: Client, play_sessions: PlaySessions, own: Store) -> None:
    first = own.match(playout(house, play_sessions, begun(house.post("/play/cambio", data=SHORT))))
    asked = next(number for number, frame in enumerate(Replay(first).frames()) if frame.asked == (0,))
    for form in ({"frame": "1", "seat": "0"}, {"frame": str(asked), "seat": ""}):
        at = begun(house.post(f"/matches/{first.id}/continue", data=form | {"unseen": "anew"}))
        match = own.match(playout(house, play_sessions, at))
        assert check_match(match).wrong == ()
        assert match.event.definition.redeal["seat"] == 0
        then, now = (Replay(each).frames(0)[0] for each in (first, match))
        assert (then.events, then.asked) == (now.events, now.asked)
    refused = house.post(f"/matches/{first.id}/continue", data={"frame": "1", "unseen": "x"})
    assert (refused.status_code, "must be anew or same" in refused.text) == (400, True)


def test_leaving_ends_the_match_and_its_processes(house: Client, play_sessions: PlaySessions, own: Store) -> None:
    others = set(descendants(os.getpid()))  # such as those that earlier tests started for this whole process
    at = begun(house.post("/play/cambio", data=SHORT))
    match = play_sessions.find(at.rpartition("/")[2]).match
    waited(match)
    assert set(descendants(os.getpid())) - others
    assert house.post(f"{at}/leave").status_code == 303
    assert match.over
    assert match.match_id is None
    assert not set(descendants(os.getpid())) - others


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"seat-0": "counter", "seat-1": "counter"}, "nobody plays by hand"),
        ({"seat-0": "person", "seat-1": "/bin/sh"}, "/bin/sh is not one of the available bots"),
        ({"seat-0": "person", "seat-1": "sh -c true"}, "is not one of the available bots"),
        ({"seat-0": "person"}, "seats"),
        (SHORT | {"option-chips": "x"}, "chips is a whole number"),
        (SHORT | {"option-none": "1"}, "there is no option"),
    ],
)
def test_matches_that_cannot_start_have_error_messages(house: Client, fields: dict[str, str], sentence: str) -> None:
    answer = house.post("/play/cambio", data=fields)
    assert answer.status_code == 422
    assert sentence in answer.text


def test_the_number_of_open_matches_is_limited(house: Client) -> None:
    for _ in range(AT_ONCE):
        begun(house.post("/play/cambio", data=SHORT))
    assert "4 matches are already open here" in house.post("/play/cambio", data=SHORT).text


def test_refused_answers_have_error_messages(house: Client, play_sessions: PlaySessions) -> None:
    at = begun(house.post("/play/cambio", data=SHORT))
    waited(play_sessions.find(at.rpartition("/")[2]).match)
    number = house.get(f"{at}/seats/0").json()["number"]
    for answer_json, status, sentence in (
        ({"number": number, "move": "fold"}, 422, "fold is not a legal move here: "),
        ({"number": number + 1, "move": "keep"}, 422, "is no longer open"),
        ({"move": "keep"}, 400, "an answer needs a number and a move"),
        ([], 400, "is not a JSON object"),
    ):
        answer = house.post(f"{at}/seats/0", json=answer_json)
        assert (answer.status_code, sentence in answer.text) == (status, True)
    assert house.get(f"{at}/seats/1").status_code == 404
    assert house.get("/sittings/nothing").status_code == 404
    assert house.post(f"{at}/seats/0", content=b"x" * 70_000).status_code == 413


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_cross_site_requests_are_refused(house: Client, site: str) -> None:
    assert house.post("/play/cambio", site, data=SHORT).status_code == 403
    elsewhere = {"origin": "http://evil.example"}
    assert house.ask("POST", "/play/cambio", data=SHORT, headers=elsewhere).status_code == 403
    assert house.ask("POST", "/play/cambio", data=SHORT).status_code == 403


def test_the_origin_header_is_checked_without_sec_fetch_site(house: Client) -> None:
    begun(house.ask("POST", "/play/cambio", data=SHORT, headers={"origin": "http://arena"}))


def test_other_host_names_are_refused(own: Store) -> None:
    house = Client(own, Access(), hosts=("127.0.0.1",))
    assert house.get("/").status_code == 403
    assert house.get("/", host="127.0.0.1:8000").status_code == 200


@pytest.mark.parametrize(
    ("address", "fields", "sentence"),
    [
        ("/matches/2/continue", {"frame": "1"}, "once tournament 1 is over"),
        ("/matches/1/continue", {"frame": "99999"}, "the match is over at this move"),
        ("/matches/1/continue", {"frame": "1", "seat": "9"}, "has the seats 0 to 3"),
        ("/matches/1/continue", {"frame": "x"}, "must be numbers"),
        ("/matches/9/continue", {"frame": "1"}, "no match 9"),
    ],
)
def test_matches_that_cannot_be_continued_have_error_messages(
    house: Client, address: str, fields: dict[str, str], sentence: str
) -> None:
    answer = house.post(address, data=fields)
    assert answer.status_code in (400, 404, 422)
    assert sentence in answer.text


def test_only_a_match_that_is_over_has_the_button(house: Client, own: Store) -> None:
    assert 'id="continue"' in house.get("/matches/1").text
    assert 'id="continue"' not in house.get("/matches/2").text
    assert 'id="continue"' not in Client(own, Access()).get("/matches/1").text


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_has_a_form(house: Client, game: Any) -> None:
    page = house.get(f"/play/{game.name}").text
    assert page.count('value="person" selected') == 1
    assert f'href="/play/{game.name}"' in house.get("/play").text


def test_playing_can_be_switched_off(own: Store) -> None:
    looking = Client(own, Access())
    assert looking.get("/play").status_code == 404
    assert looking.post("/play/cambio", data=SHORT).status_code in (404, 405)
    assert "Play" not in looking.get("/").text
