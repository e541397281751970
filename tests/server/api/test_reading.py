"""What the API shows, and to whom."""

import json

import httpx
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.league.grants import grant
from arena.league.store.leagues import Leagues
from arena.server.access import Access
from arena.server.api import match_operations
from arena.server.site import application
from arena.store import Store, StoreUnavailable
from arena.store.engine import time_limit
from tests import leagues
from tests.messages import in_english
from tests.server.api.conftest import API, Account, Asker
from tests.server.conftest import Client

pytestmark = pytest.mark.usefixtures("in_process")


def test_the_leagues_and_the_board_are_those_of_the_commands(visitor: Asker, own: Store) -> None:
    (listed,) = visitor("GET", "/leagues").json()["leagues"]
    assert (listed["league"], listed["game"], listed["state"], listed["batches"]) == ("cambio", "cambio", "open", 1)
    board = visitor("GET", "/leagues/cambio/board").json()
    printed = CliRunner().invoke(main, ["league", "board", "cambio", "--json", "--db", own.where])
    command = json.loads(printed.stdout)
    assert {key: board[key] for key in command if key != "rows"} == {k: command[k] for k in command if k != "rows"}
    for row, shown in zip(command["rows"], board["rows"], strict=True):
        assert {key: shown[key] for key in row} == row
    assert [row["bot"] for row in board["rows"][:2]] == ["fox/hen@1", "club/owl@1"]
    assert board["rows"][0]["elo"] == 31.25


def test_a_league_shows_its_definition_and_no_secret_of_a_day_that_is_played(visitor: Asker, own: Store) -> None:
    league = visitor("GET", "/leagues/cambio")
    assert league.json()["definition"]["seats"] == 2
    (season,) = league.json()["seasons"]
    assert season["published"] is None
    (stored,) = Leagues(own).seasons(Leagues(own).named("cambio").id)
    assert stored.commitment == season["commitment"]
    assert stored.secret.hex() not in league.text


def test_entries_come_in_parts_that_stay_the_same_as_others_enter(visitor: Asker, own: Store) -> None:
    whole = [row["entry"] for row in visitor("GET", "/leagues/cambio/entries").json()["entries"]]
    first = visitor("GET", "/leagues/cambio/entries?limit=2")
    assert first.headers["link"] == f'<{first.json()["next"]}>; rel="next"'
    league = Leagues(own).named("cambio")
    Leagues(own).enter(league.id, leagues.entry(leagues.submit(own, "elk/moose")), "arena")
    seen, following = [row["entry"] for row in first.json()["entries"]], first.json()["next"]
    while following:
        part = visitor("GET", following.removeprefix(API)).json()
        seen, following = seen + [row["entry"] for row in part["entries"]], part["next"]
    assert seen == whole == sorted(whole, reverse=True)


def test_an_entry_and_a_batch_show_what_is_known_of_them(visitor: Asker) -> None:
    rows = visitor("GET", "/leagues/cambio/board").json()["rows"]
    entry = visitor("GET", f"/leagues/cambio/entries/{rows[0]['entry']}").json()
    assert entry == rows[0]
    stored, waiting = (visitor("GET", f"/leagues/cambio/batches/{number}").json() for number in (1, 2))
    assert (stored["batch"]["state"], waiting["batch"]["state"]) == ("stored", "waiting")
    assert waiting["first_match"] is None
    assert [attempt["outcome"] for attempt in stored["attempts"]] == ["stored"]
    assert "runner" not in str(stored), "the name of a machine is nobody's business"
    batches = visitor("GET", "/leagues/cambio/batches?limit=1").json()
    assert [row["batch"] for row in batches["batches"]] == [2]
    assert batches["next"] == f"{API}/leagues/cambio/batches?limit=1&before=2"


def test_grants_are_shown_and_no_operation_gives_one(visitor: Asker, account: Account, own: Store) -> None:
    owl = grant(own, "cambio", "club/owl", ["network"], secrets=["THE_KEY"])
    rows = visitor("GET", "/leagues/cambio/board").json()["rows"]
    assert {row["entry"]: row["grants"] for row in rows if row["grants"]} == {owl.number: ["network"]}
    assert visitor("GET", f"/leagues/cambio/entries/{owl.number}").json()["grants"] == ["network"]
    assert visitor("GET", "/leagues/cambio/batches/2").json()["grants"] == {}, "it was drawn before"
    assert "THE_KEY" not in visitor("GET", "/leagues/cambio/board").text
    paths = visitor("GET", "/openapi.json").json()["paths"]
    assert not [path for path in paths if "grant" in path or "revoke" in path]
    for asker in (account("club"), account("boss", "organiser")):
        for kind in ("grant", "revoke"):
            address = f"/leagues/cambio/entries/{owl.number}/{kind}"
            assert asker("POST", address, json={"words": ["network"]}).status_code == 404


def test_matches_are_filtered_by_what_they_belong_to(visitor: Asker) -> None:
    def numbers(query: str) -> list[int]:
        return [row["match"] for row in visitor("GET", f"/matches?limit=200&{query}").json()["matches"]]

    assert numbers("tournament=1") == list(range(8, 0, -1))
    of_league = numbers("league=cambio")
    assert len(of_league) == 8
    assert numbers("league=cambio&batch=1") == of_league
    assert numbers("league=cambio&batch=2") == []
    assert numbers("tournament=1&fault=timeout") == list(range(8, 1, -1))
    parts, following = [], "/matches?tournament=1&limit=3"
    while following:
        part = visitor("GET", following.removeprefix(API)).json()
        parts.append([row["match"] for row in part["matches"]])
        following = part["next"]
    assert parts == [[8, 7, 6], [5, 4, 3], [2, 1]]


def test_a_search_that_takes_too_long_says_so(visitor: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_operations, "SEARCH_SECONDS", 0.0)
    monkeypatch.setattr(time_limit, "_STEPS", 1)
    answer = visitor("GET", "/matches?seat=0")
    assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json")
    assert "took longer than 0 s: choose a bot, a league or a tournament as well" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/leagues/elk", 404, "there is no league elk: /api/v1/leagues lists them"),
        ("/leagues/cambio/entries/99", 404, "the league cambio has no entry 99"),
        ("/leagues/cambio/batches/99", 404, "the league cambio has no batch 99"),
        ("/leagues/elk/events", 404, "there is no league elk"),
        ("/matches/99999", 404, "there is no match 99999"),
        ("/matches/nine", 404, "there is nothing at this address"),
        ("/matches?league=elk", 404, "there is no such league, batch or tournament"),
        ("/matches?tournament=99", 404, "there is no such league, batch or tournament"),
        ("/matches?batch=1", 400, "batch needs a league"),
        ("/matches?limit=201", 400, "the parameter limit: expected int <= 200"),
        ("/matches?fault=bad", 400, "the parameter fault: invalid enum value 'bad'; it may be any, crash, "),
        ("/matches?limit=1&limit=2", 400, "the parameter limit is given twice"),
        ("/matches?bot", 400, "the parameters cannot be read"),
        ("/matches?colour=red", 400, "there is no parameter 'colour': those known are tournament, league"),
        ("/matches/1/replay?seat=4", 400, "this match has the seats 0 to 3"),
        ("/matches/1/output", 400, "bject missing required field seat"),
        ("/tournaments/99", 404, "there is no tournament 99"),
        ("/bots/club/elk", 404, "there is no submitted bot club/elk"),
        ("/nothing", 404, "/api/v1/openapi.json lists what there is"),
    ],
)
def test_errors_are_problem_documents_that_say_what_to_do(
    visitor: Asker, path: str, status: int, sentence: str
) -> None:
    answer = visitor("GET", path)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["status"], problem["type"]) == (status, "about:blank")
    assert sentence in problem["detail"]
    assert "arena.db" not in answer.text


def test_notes_and_output_are_shown_to_their_owner_alone(visitor: Asker, account: Account) -> None:
    author, other, organiser = account("a"), account("elk"), account("boss", "organiser")
    players = [seat["player"] for seat in visitor("GET", "/matches/1").json()["seats"]]
    mine = players.index("a")

    def seats_with_notes(asker: Asker) -> set[int]:
        return {note["seat"] for note in asker("GET", "/matches/1").json()["notes"]}

    assert [seats_with_notes(asker) for asker in (visitor, other, author)] == [set(), set(), {mine}]
    assert seats_with_notes(organiser) == {0, 1, 2, 3}
    output = "/matches/1/output?seat=0"
    whose = players[0]
    assert visitor("GET", output).json()["text"] == ""
    assert organiser("GET", output).json()["text"] == "printed by a"
    assert author("GET", output).json()["text"] == ("printed by a" if whose == "a" else "")
    assert "thought" not in visitor("GET", "/matches/1/replay").text
    assert "thought" in author("GET", "/matches/1/replay").text


def test_a_token_without_read_sees_what_a_visitor_sees(account: Account) -> None:
    assert account("a", "author", "submit")("GET", "/matches/1").json()["notes"] == []


def test_deals_in_play_are_shown_to_nobody_but_organisers(visitor: Asker, account: Account) -> None:
    running = visitor("GET", "/matches?tournament=2").json()["matches"][0]["match"]
    for path in (f"/matches/{running}", f"/matches/{running}/replay", f"/matches/{running}/output?seat=0"):
        assert visitor("GET", path).status_code == 403
        assert account("a")("GET", path).status_code == 403
        assert account("boss", "organiser")("GET", path).status_code == 200
    assert visitor("GET", "/tournaments/2").json()["secret"] is None
    assert len(visitor("GET", "/tournaments/1").json()["secret"]) == 64


def test_a_replay_has_the_values_that_the_player_loads(visitor: Asker, client: Client) -> None:
    for query in ("", "?seat=1"):
        replay = visitor("GET", f"/matches/1/replay{query}").json()
        answers = [answer for frame in replay["frames"] for answer in frame.get("answers", ())]
        plies = [answer.pop("ply") for answer in answers if "ply" in answer]
        assert plies == ([] if query else list(range(len(answers)))), "a seat is not told how many answers there were"
        assert replay == in_english(client.get(f"/matches/1/story{query}").json()), "pages ask for numbers later"
    pages = in_english(client.get("/matches/1/tables?first=0").json())
    assert visitor("GET", "/matches/1/replay/tables").json() == pages
    assert visitor("GET", "/matches/1/replay/tables?first=99999").json()["first"] > 0


def test_a_tournament_has_its_ranking(visitor: Asker) -> None:
    tournament = visitor("GET", "/tournaments/1").json()
    assert {row["bot"] for row in tournament["ranking"]} == {"a", "b", "c", "d"}
    assert tournament["matches"] == 8
    assert [row["tournament"] for row in visitor("GET", "/tournaments").json()["tournaments"]] == [2, 1]


def test_an_answer_that_has_not_changed_is_not_sent_again(visitor: Asker, own: Store) -> None:
    first = visitor("GET", "/leagues/cambio/board")
    tag = first.headers["etag"]
    again = visitor("GET", "/leagues/cambio/board", headers={"if-none-match": f'"other", {tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    Leagues(own).change_entry(Leagues(own).named("cambio").id, 6, "retired", "ann")
    assert visitor("GET", "/leagues/cambio/board", headers={"if-none-match": tag}).status_code == 200


def test_methods_and_media_types_are_negotiated(visitor: Asker) -> None:
    head, whole = visitor("HEAD", "/leagues"), visitor("GET", "/leagues")
    assert (head.status_code, head.headers["etag"]) == (200, whole.headers["etag"])
    assert visitor("HEAD", "/leagues/cambio/events").headers["content-type"].startswith("text/event-stream")
    wrong = visitor("PUT", "/hand-ins")
    assert wrong.status_code == 405
    assert set(wrong.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}
    assert "use" in wrong.json()["detail"]
    for accept, status in (
        ("text/html", 406),
        ("application/json;q=0", 406),
        ("application/json;q=0, */*", 406),
        ("application/*;q=0.5, text/html", 200),
        ("*/*", 200),
    ):
        assert visitor("GET", "/leagues", headers={"accept": accept}).status_code == status, accept
    assert visitor("GET", "/leagues/cambio/events", headers={"accept": "application/json"}).status_code == 406


def test_a_server_without_accounts_shows_what_its_pages_show_and_takes_no_token(own: Store) -> None:
    open_to_all = Asker(Client(own, Access()), None)
    assert open_to_all("GET", "/matches/1").json()["notes"]
    assert open_to_all("GET", "/hand-ins").status_code == 403
    assert Asker(open_to_all.client, "arena_x")("GET", "/leagues").status_code == 403


def test_a_season_shows_how_far_it_is_and_its_final_table(visitor: Asker, own: Store) -> None:
    address = "/leagues/cambio/seasons/1"
    assert visitor("GET", address).json() == {
        "league": "cambio", "season": 1, "phase": "open", "played": 0, "parts": 0, "rows": [],
    }  # fmt: skip
    leagues.end_first_season(own, Leagues(own).named("cambio"))
    shown = visitor("GET", address).json()
    assert (shown["phase"], [row["bot"] for row in shown["rows"]]) == ("ended", ["fox/hen@1", "club/owl@1"])
    assert [row["final_elo"] for row in shown["rows"]] == [12.5, None]
    league = visitor("GET", "/leagues/cambio").json()
    assert [season["phase"] for season in league["seasons"]] == ["ended", "open"]
    assert league["unplayable"] == ""
    leagues.change_definition(own, "cambio", behaviour=9)
    assert "has version" in visitor("GET", "/leagues/cambio").json()["unplayable"]
    missing = visitor("GET", "/leagues/cambio/seasons/9")
    assert (missing.status_code, "has no season 9" in missing.json()["detail"]) == (404, True)


@pytest.mark.parametrize("is_signed_in", [False, True])
def test_a_database_that_is_away_is_a_problem_worth_another_attempt(
    visitor: Asker, account: Account, own: Store, monkeypatch: pytest.MonkeyPatch, is_signed_in: bool
) -> None:
    asker = account("club") if is_signed_in else visitor

    def breaks(*_: object) -> None:
        raise StoreUnavailable("/srv/arena.db is locked", ": try again")

    for name in ("arena.server.leagues.cache.LeagueCache.has_any", "arena.league.store.leagues.Leagues.all"):
        monkeypatch.setattr(name, breaks)
    if is_signed_in:
        monkeypatch.setattr(own.account_tokens, "identify", breaks)
    answer = asker("GET", "/leagues")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "10")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"] == "the database cannot be used at the moment: try again later"


async def test_a_mistake_outside_the_api_is_a_problem_there_too(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> bool:
        raise StoreUnavailable("/srv/arena.db is locked", ": try again")

    monkeypatch.setattr(
        "arena.server.requests.middleware.is_of_api", breaks
    )  # as anything may that the site does before the API
    transport = httpx.ASGITransport(application(own, Access(organiser=False)), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://arena") as client:
        answer = await client.get(f"{API}/leagues")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "10")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-content-type-options"] == "nosniff"
