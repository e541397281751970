"""Playing by hand on the pages; pages of other sites cannot start a match or answer."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.language.message import parts
from arena.record.match_verification import check_match
from arena.replay.replay import Replay
from arena.run.hosting import Hosting
from arena.run.people.hosted_match import HostedMatch
from arena.server.access import Access
from arena.server.play.hosted_matches import AT_ONCE, PlaySessions
from arena.store import Store, open_store
from referee.engine.record import unpack_answers
from referee.games.cambio import CAMBIO
from tests import played
from tests.messages import in_english
from tests.replay.replays import GAMES
from tests.server.conftest import Client
from tests.tournament.processes import descendants

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


def links(page: str) -> list[str]:
    """Return the paths of the links for friends on the page of a match; it shows them with the address of the site."""
    return re.findall(r'value="http://arena(/sittings/[^"]+)"', page)


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


@pytest.mark.promise
def test_a_match_is_played_stored_and_verified(house: Client, play_sessions: PlaySessions, own: Store) -> None:
    at = begun(house.post("/play/cambio", data=SHORT))
    page = house.get(at).text
    assert 'data-people="[0]"' in page
    waited(play_sessions.find(at.rpartition("/")[2]).match)
    told = house.get(f"{at}/seats/0").json()
    assert told["waits"]
    assert len(told["table"]["scene"]["places"]) == 2
    assert not any("seat 1 is dealt" in line for line in told["log"]), "the cards of others stay theirs"
    match = own.match(playout(house, play_sessions, at))
    assert match.players == ["person", "counter"]
    assert match.event.options == {"chips": "4"}
    assert check_match(match).wrong == ()


def test_the_list_of_games_has_player_counts(house: Client) -> None:
    tiles = re.findall(r'href="/play/(\w+)".*?<p class="soft">\s*(.*?) players', house.get("/play").text, re.DOTALL)
    assert dict(tiles).items() >= {"coch": "4", "torionfo": "2, 4", "cambio": "2-15 (to 30)"}.items()


@pytest.mark.processes
def test_several_people_take_turns(house: Client, play_sessions: PlaySessions, own: Store) -> None:
    at = begun(house.post("/play/cambio", data=SHORT | {"seat-1": "person", "seat-2": ""}))
    match = own.match(playout(house, play_sessions, at))
    assert match.players == ["person", "person#2"]
    assert all(seat.decisions for seat in match.row.seats)


@pytest.mark.processes
def test_what_happened_since_the_last_question_is_shown_event_by_event_to_the_end(
    house: Client, play_sessions: PlaySessions, own: Store
) -> None:
    at = begun(house.post("/play/cambio", data=SHORT))
    match = play_sessions.find(at.rpartition("/")[2]).match
    between = []
    while True:
        waited(match)
        told = house.get(f"{at}/seats/0").json()
        between += told["between"]
        logged = [table["logged"] for table in told["between"]]
        assert logged == sorted(logged)
        assert all(
            len(told["log"]) - told.get("new_events", len(told["log"])) < end <= len(told["log"]) for end in logged
        )
        if match.over:
            break
        assert told["waits"]
        heard = told["log"]
        house.post(f"{at}/seats/0", json={"number": told["number"], "move": told["legal"][-1]})
    words = [place.get("recent", "") for table in between for place in table["scene"]["places"]]
    assert any("reveals" in str(said) for said in words)
    assert any(movement["item"]["kind"] == "card" for table in between for movement in table["moved"])
    assert match.match_id is not None
    stored = own.match(match.match_id)
    final = Replay(stored)
    chips = [place["facts"][0]["value"] for place in told["table"]["scene"]["places"]]
    assert chips == [str(seat.score) for seat in stored.row.seats]
    assert [row["score"] for row in told["result"]] == [seat.score for seat in stored.row.seats]
    assert [row["player"] for row in told["result"]] == ["person", "counter"]
    log = [line for frame in final.frames(0) for line in frame.events]
    assert in_english(told["log"]) == log
    assert heard == list(map(parts, log[: len(heard)]))


@pytest.mark.processes
def test_friends_play_in_browsers_of_their_own(house: Client, play_sessions: PlaySessions, own: Store) -> None:
    at = begun(house.post("/play/cambio", data=SHORT | {"seat-2": "friend"}))
    page = house.get(at).text
    [link] = links(page)
    assert 'data-people="[0]"' in page
    friend = house.get(link).text
    assert 'data-people="[2]"' in friend
    assert link not in friend.replace(f'data-base="{link}"', "")
    assert 'id="leave"' not in friend
    assert [house.get(f"{at}/seats/{seat}").status_code for seat in (0, 1, 2)] == [200, 404, 404]
    assert [house.get(f"{link}/seats/{seat}").status_code for seat in (0, 1, 2)] == [404, 404, 200]
    assert house.post(f"{at}/seats/2", json={"number": 1, "move": "keep"}).status_code == 404
    assert house.post(f"{link}/leave").status_code == 404
    match = play_sessions.find(at.rpartition("/")[2]).match
    while not match.over:
        waited(match)
        for seat in match.waiting:
            way = link if seat == 2 else at
            told = house.get(f"{way}/seats/{seat}").json()
            answer = {"number": told["number"], "move": told["legal"][0]}
            assert house.post(f"{way}/seats/{seat}", json=answer).status_code == 200
    assert match.match_id is not None
    assert own.match(match.match_id).players == ["person", "counter", "person#2"]


@pytest.mark.processes
def test_open_matches_are_listed_and_can_be_ended(house: Client, play_sessions: PlaySessions) -> None:
    assert "Open matches" not in house.get("/play").text
    at = begun(house.post("/play/cambio", data=SHORT))
    waited(play_sessions.find(at.rpartition("/")[2]).match)
    page = house.get("/play", cookie=f"sitting-1={at.rpartition('/')[2]}").text
    assert "waits for seat 0" in page
    assert f'href="{at}"' in page
    assert f'href="{at}"' not in house.get("/play").text, "only the browser that started a match has its key"
    assert at.rpartition("/")[2] not in house.get("/play").text
    [end] = re.findall(r'action="(/play/matches/\d+/end)"', page)
    assert house.post(end).status_code == 303
    assert house.post(end).status_code == 404
    assert "Open matches" not in house.get("/play").text


@pytest.mark.processes
def test_a_friend_is_told_only_when_their_own_seat_is_asked(house: Client, play_sessions: PlaySessions) -> None:
    at = begun(house.post("/play/cambio", data=SHORT | {"seat-2": "friend", "option-chips": "40"}))
    link = links(house.get(at).text)[0].rpartition("/")[2]
    session, friend = play_sessions.find(at.rpartition("/")[2]), play_sessions.find(link)
    seen = set()
    for _ in range(6):
        waited(session.match)
        [seat] = session.match.waiting
        seen.add(seat)
        assert session.state()["waiting"] == ([0] if seat == 0 else [])
        assert friend.state()["waiting"] == ([2] if seat == 2 else [])
        assert "version" not in friend.state()
        player = session if seat == 0 else friend
        told = player.seat_state(seat)
        player.person(seat).answer(told["number"], told["legal"][0])
    assert seen == {0, 2}


@pytest.mark.processes
def test_a_friend_among_bots_cannot_end_the_match(house: Client) -> None:
    at = begun(house.post("/play/cambio", data=SHORT | {"seat-0": "friend"}))
    [link] = links(house.get(at).text)
    assert 'id="leave"' in house.get(at).text
    assert 'id="leave"' not in house.get(link).text
    assert house.get(link).headers["cache-control"] == "no-store"


@pytest.mark.processes
def test_the_link_of_a_friend_does_not_seat_whoever_started_the_match(house: Client) -> None:
    started = house.post("/play/cambio", data=SHORT | {"seat-2": "friend"})
    at = begun(started)
    [link] = links(house.get(at).text)
    assert f'href="{link}"' not in house.get(at).text, "a link is copied, and not followed by accident"
    kept = started.headers.get_list("set-cookie")
    assert [re.findall(r"(?i)path=([^;]+).*samesite=(\w+)", cookie) for cookie in kept] == [
        [("/play", "strict")],
        [("/sittings", "lax")],
    ]
    cookie = kept[1].partition(";")[0]
    own = house.get(link, cookie=cookie).text
    assert "for your friend at seat 2" in own
    assert f'href="{at}"' in own
    assert "data-people" not in own
    assert 'data-people="[2]"' in house.get(f"{link}?here=1", cookie=cookie).text
    assert 'data-people="[2]"' in house.get(link).text
    assert 'data-people="[2]"' in house.get(link, cookie="sitting-1=somebody").text
    assert 'data-people="[0]"' in house.get(at, cookie=cookie).text


@pytest.mark.processes
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


@pytest.mark.processes
def test_a_continued_match_is_redealt_on_request(house: Client, play_sessions: PlaySessions, own: Store) -> None:
    first = own.match(playout(house, play_sessions, begun(house.post("/play/cambio", data=SHORT))))
    asked = next(number for number, frame in enumerate(Replay(first).frames()) if frame.asked == (0,))
    for form in ({"frame": "1", "seat": "0"}, {"frame": str(asked), "seat": ""}):
        at = begun(house.post(f"/matches/{first.id}/continue", data=form | {"unseen": "anew"}))
        match = own.match(playout(house, play_sessions, at))
        assert check_match(match).wrong == ()
        assert match.event.definition.redeal is not None
        assert match.event.definition.redeal["seat"] == 0
        then, now = (Replay(each).frames(0)[0] for each in (first, match))
        assert (then.events, then.asked) == (now.events, now.asked)
    refused = house.post(f"/matches/{first.id}/continue", data={"frame": "1", "unseen": "x"})
    assert (refused.status_code, "must be anew or same" in refused.text) == (400, True)


@pytest.mark.promise
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


@pytest.mark.processes
def test_the_number_of_open_matches_is_limited(house: Client) -> None:
    for _ in range(AT_ONCE):
        begun(house.post("/play/cambio", data=SHORT))
    assert "4 matches are already open here" in house.post("/play/cambio", data=SHORT).text


@pytest.mark.processes
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


@pytest.mark.processes
def test_the_origin_header_is_checked_without_sec_fetch_site(house: Client) -> None:
    begun(house.ask("POST", "/play/cambio", data=SHORT, headers={"origin": "http://arena"}))


def test_other_host_names_are_refused(own: Store) -> None:
    house = Client(own, Access(), hosts=("127.0.0.1",))
    assert house.get("/").status_code == 403
    assert house.get("/", host="127.0.0.1:8000").status_code == 200


def test_the_api_says_so_in_a_problem_document(own: Store) -> None:
    refused = Client(own, Access(), hosts=("arena.example",)).get("/api/v1/leagues")
    assert (refused.status_code, refused.headers["content-type"]) == (403, "application/problem+json")
    assert "use its public address" in refused.json()["detail"]


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


@pytest.mark.processes
def test_what_a_person_says_is_heard_with_the_move(house: Client, play_sessions: PlaySessions) -> None:
    at = begun(house.post("/play/cucu", data={"seat-0": "person", "seat-1": "random", "option-table_talk": "on"}))
    assert 'id="say"' in house.get(at).text
    match = play_sessions.find(at.rpartition("/")[2]).match
    said: list[str] = []
    for _ in range(20):
        waited(match)
        told = house.get(f"{at}/seats/0").json()
        said = [line for line in in_english(told["log"]) if line.startswith("seat 0 says: ")]
        if said or not told["waits"]:
            break
        house.post(f"{at}/seats/0", json={"number": told["number"], "move": told["legal"][0], "say": "good luck"})
    assert said == ["seat 0 says: good luck"]
    shown = [place.get("said") for table in (*told["between"], told["table"]) for place in table["scene"]["places"]]
    assert "good luck" in shown
    house.post(f"{at}/leave")


@pytest.mark.processes
def test_a_question_names_its_section_of_the_rules_and_what_is_refused(
    house: Client, play_sessions: PlaySessions
) -> None:
    at = begun(house.post("/play/perudo", data={"seat-0": "person", "seat-1": "random"}))
    match = play_sessions.find(at.rpartition("/")[2]).match
    waited(match)
    told = house.get(f"{at}/seats/0").json()
    assert f'<section id="{told["section"]}">' in house.get(at).text
    offered = {move.split()[0] for move in in_english(told["legal"])}
    assert {words for kind, words, _ in told["refused"] if kind == "move"} == {"bid", "no", "exact"} - offered
    house.post(f"{at}/leave")


def test_the_rules_are_a_page_of_their_own(house: Client) -> None:
    assert 'id="rules-scopa-capturing"' in house.get("/rules/scopa").text
    assert house.get("/rules/chess").status_code == 404


def test_an_option_that_is_a_text_can_be_sent_as_it_is(house: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A field for numbers shows no text, and sends none: chess was refused for its own opening book."""
    monkeypatch.setattr("arena.server.play.play._option", lambda field: ("book", "the book", "short", None, None, None))
    assert '<input name="option-book" type="text" value="short">' in house.get("/play/cambio").text
