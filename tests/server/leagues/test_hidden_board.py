"""A board that is hidden before the end of its season: what visitors find at every address, and what organisers do."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.bots.hand_in_worker import HandInWorker
from arena.league.control import close, end_season
from arena.league.dates.control import GivenDates, set_dates
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.league.verification import league_problems
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.run.remote.tokens import new_token, token_hash
from arena.server.access import VISITOR, Access
from arena.server.play.hosted_matches import PlaySessions
from arena.store import Store, open_store
from arena.store.engine.blobs import compress, decompress
from sample_bots import SAMPLES
from tests import leagues
from tests.server.conftest import CRASHES, Client
from tests.server.walking import FILLS, addresses, ask, paths_of

pytestmark = pytest.mark.usefixtures("in_process")

NOW = datetime.now(UTC)
CREATED, PLAYED, HIDES = ((NOW - timedelta(hours=hours)).isoformat(timespec="seconds") for hours in (3, 2, 1))
"""When the league was created, when its first batches ended, and since when its board is hidden."""

BEFORE = 4
"""Batches that were played before."""

SCORE, ELO, TEXT = 7_654_321, 54_321, "planted-text"
"""What is planted in results after the bound: the score of a seat, what is added to ratings, and what bots print."""

SAME = (
    "/leagues/cambio/board.json", "/leagues/cambio/board.csv", "/api/v1/leagues/cambio/board", "/bots/club/owl",
    "/api/v1/matches", "/failures",
)  # fmt: skip
"""Addresses at which visitors find the same whatever is played after the bound."""


def change(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league whose board is hidden since an hour ago, with results that all ended before."""
    folder = tmp_path_factory.mktemp("hidden")
    (folder / "crashes.py").write_text(CRASHES.replace("not today", TEXT))
    path = folder / "arena.db"
    with open_store(path, create=True) as store:
        league = leagues.cambio(store, divisions=2, division_size=2, division_moves=1, division_days=7)
        for name, bot in {"club/owl": "counter", "fox/jay": "cautious"}.items():
            leagues.submit_file(store, name, SAMPLES[bot].path)
        leagues.play(store, BEFORE)
        for name, role in {"club": "author", "ann": "organiser"}.items():
            store.accounts.add(name, role, token_hash(name))
        change(path, "UPDATE leagues SET created = ?", CREATED)
        for table, column in (("batches", "ended"), ("league_ratings", "created"), ("snapshots", "created")):
            change(path, f"UPDATE {table} SET {column} = ? WHERE {column} IS NOT NULL", PLAYED)
        change(path, "UPDATE entries SET placed = ? WHERE placed IS NOT NULL", PLAYED)
        set_dates(store, league.name, GivenDates(hides=HIDES), "ann", "as announced")
    return path


@pytest.fixture
def own(hidden: Path, tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "arena.db"
    path.write_bytes(hidden.read_bytes())
    with open_store(path, write=True) as store:
        yield store


def play_on(store: Store, folder: Path) -> None:
    """Play after the bound: rated batches, a challenge, a bot that crashes, and the end of a span of divisions."""
    path, league = Path(store.where), Leagues(store).named("cambio")
    leagues.submit_file(store, "lab/crow", folder / "crashes.py")
    leagues.challenge(store, "club/owl", "fox/jay")
    leagues.play(store, 6)
    for entry in Leagues(store).entries(league.id):
        if entry.state == "placing":
            Leagues(store).change_entry(league.id, entry.number, "standing", "arena", f"{TEXT} ± {ELO}")
    change(path, "UPDATE seasons SET first_day = date('now', '-8 days')")
    LeagueScheduler(store, store.where, league).update()
    assert Leagues(store).log(league.id, "divide")
    after = "(SELECT event_id FROM batches WHERE ended > ?)"
    seats = f"match_id IN (SELECT id FROM matches WHERE event_id IN {after})"
    change(path, f"UPDATE seats SET score = ? WHERE {seats}", SCORE, HIDES)
    with closing(sqlite3.connect(path)) as connection, connection:
        for number, packed in connection.execute(
            "SELECT number, packed FROM league_ratings WHERE created > ?", (HIDES,)
        ).fetchall():
            values = json.loads(decompress(packed))
            for row in values["rows"]:
                row["elo"] += ELO
            planted = compress(json.dumps(values).encode())
            connection.execute("UPDATE league_ratings SET packed = ? WHERE number = ?", (planted, number))


def hidden_matches(store: Store) -> set[int]:
    league = Leagues(store).named("cambio")
    return {
        number
        for batch in Batches(store).of(league.id)
        if batch.state == "stored" and (batch.ended or "") > HIDES
        for number in range(batch.first_match, batch.first_match + batch.matches)
    }


def crawl(own: Store, name: str) -> dict[str, tuple[int, str]]:
    """What an account finds at all addresses: status and text. "": a visitor."""
    worker = HandInWorker(own, Hosting(), BuildTerms(), print)
    client = Client(own, VISITOR, play_sessions=PlaySessions(own, Hosting()), hand_ins=worker)
    site: Any = client.transport.app
    page, api = {"host": "arena", "accept": "text/html"}, {"host": "arena"}
    if name:
        token = new_token()
        scopes = ("read", "submit", *(("manage",) if name == "ann" else ()))
        own.account_tokens.add(name, "test", scopes, token_hash(token), None)
        api["authorization"] = f"Bearer {token}"
        answer = client.post("/sign-in", data={"token": name})
        page["cookie"] = answer.headers["set-cookie"].partition(";")[0]
    league = Leagues(own).named("cambio")
    batches = Batches(own).of(league.id)
    ids = tuple(str(batch.first_match) for batch in batches)
    numbers = tuple(str(number) for number in range(1, 12))
    entries = tuple(str(entry.number) for entry in Leagues(own).entries(league.id))
    fills = FILLS | {
        "id": ids,
        "match": ids,
        "number": numbers,
        "batch": numbers,
        "entry": entries,
        "name": ("club/owl", "lab/crow"),
    }
    found: dict[str, tuple[int, str]] = {}

    async def ask_all() -> None:
        async with site.router.lifespan_context(site):
            for path, prefix in paths_of(site).items():
                for address in (*addresses(path, fills), *(f"{path}?{query}" for query in MORE.get(path, ()))):
                    found[address] = await ask(site, address, api if prefix else page)

    trio.run(ask_all)
    assert not [address for address, (status, _) in found.items() if status >= 500]
    return found


MORE = {
    "/matches": ("league=cambio", "bot=club/owl", "bot=club/owl&order=worst", "fault=any"),
    "/api/v1/matches": ("league=cambio", "bot=lab/crow"),
    "/leagues/{league}/batches": (),
    "/failures": ("bot=lab/crow",),
}
"""What else is asked for at some paths."""


def planted(text: str, matches: set[int]) -> set[str]:
    """What is found in a text of what is hidden."""
    words = set(re.findall(rf"{SCORE}|\b5[34]\d\d\d\.?\d*\b(?= *[<,\"|])|{TEXT}", text.replace(",", "")))
    links = {
        int(id)
        for id in re.findall(r'/matches/(\d+)|data-match="(\d+)"|"(?:match|first_match)": ?(\d+)', text)
        for id in id
        if id
    }
    return words | {f"match {id}" for id in links & matches}


def test_nothing_that_is_hidden_is_at_any_address_but_for_organisers(own: Store, hidden: Path) -> None:
    before = crawl(own, "")
    play_on(own, hidden.parent)
    matches = hidden_matches(own)
    found = {name: crawl(own, name) for name in ("", "club", "ann")}
    for name in ("", "club"):
        told = {address: words for address, (_, text) in found[name].items() if (words := planted(text, matches))}
        assert {address: words for address, words in told.items() if not is_own_address(address, words)} == {}, name
        assert {found[name][f"/matches/{id}"][0] for id in batch_starts(own, matches)} == {403}
        assert json.loads(found[name]["/api/v1/leagues/cambio/divisions"][1])["decisions"] == []
        assert "this is how it stood then" in found[name]["/leagues/cambio"][1]
        assert "its results are hidden until the season ends" in found[name][f"/leagues/cambio/batches/{BEFORE + 1}"][1]
    for address in SAME:
        assert found[""][address] == before[address], address
    of_organiser = set().union(*(planted(text, matches) for _, text in found["ann"].values()))
    assert of_organiser >= {str(SCORE), TEXT}
    assert {found["ann"][f"/matches/{id}"][0] for id in batch_starts(own, matches)} == {200}
    assert re.search(r'"elo":54\d\d\d', found["ann"]["/api/v1/leagues/cambio/board"][1])
    assert json.loads(found["ann"]["/api/v1/leagues/cambio/divisions"][1])["decisions"]
    assert "You see the present board" in found["ann"]["/leagues/cambio"][1]
    assert [problem for problem in league_problems(own, Leagues(own).named("cambio")) if "hidden" in problem] == []


def test_the_list_of_matches_says_that_some_are_hidden_until_when(own: Store) -> None:
    leagues.play(own, 1)
    asked = f"/matches?league=cambio&batch={BEFORE + 1}"
    visitor, organiser = Client(own, VISITOR), Client(own, Access())
    page = visitor.get(asked).text
    assert "New results of cambio are hidden since 2026-" in page
    assert "until its season ends: only matches from before are listed." in page
    assert "No matches are shown." in page
    ends = (NOW + timedelta(days=2)).isoformat(timespec="seconds")
    set_dates(own, "cambio", GivenDates(ends=ends), "ann")
    assert f"until its season ends ({ends[:10]}" in visitor.get(asked).text
    for client, address in ((organiser, asked), (visitor, "/matches"), (visitor, "/matches?league=nothing")):
        assert "New results of" not in client.get(address).text
    assert "No matches are shown." not in organiser.get(asked).text


def batch_starts(store: Store, matches: set[int]) -> list[int]:
    """The first match of each batch of which there are matches."""
    rows = Batches(store).of(Leagues(store).named("cambio").id)
    return [row.first_match for row in rows if row.first_match in matches]


def is_own_address(address: str, words: set[str]) -> bool:
    """Whether what was found is only the number that was asked for, as in the sentence that it is hidden."""
    asked = re.search(r"/matches/(\d+)", address)
    return asked is not None and words == {f"match {asked[1]}"}


def results(client: Client) -> int:
    return int(client.get("/leagues/cambio/board.json", "application/json").json()["batches"])


def test_what_was_seen_is_hidden_by_a_moment_in_the_past_and_is_seen_again_once_it_is_taken_back(own: Store) -> None:
    """In one server, whose caches are filled."""
    league = Leagues(own).named("cambio")
    set_dates(own, league.name, GivenDates(hides="none"), "ann")
    leagues.play(own, 2)
    whole = Leagues(own).named("cambio").results
    visitor, organiser = Client(own, VISITOR), Client(own, Access())
    [match] = {row.first_match for row in Batches(own).of(league.id) if row.result == whole}
    addresses = [f"/matches/{match}", f"/matches/{match}/story", f"/matches/{match}/tables?first=0"]
    pages = ["/", "/leagues/cambio", "/leagues/cambio/live", "/leagues/cambio/batches", "/leagues/cambio/feed.atom"]
    for address in (*addresses, *pages):
        assert visitor.get(address).status_code == 200
    assert results(visitor) == whole

    set_dates(own, league.name, GivenDates(hides=HIDES), "ann")
    assert [visitor.get(address).status_code for address in addresses] == [403] * 3
    assert f"match {match} is hidden until the season of its league ends" in visitor.get(addresses[0]).text
    for page in pages:
        assert f"/matches/{match}" not in visitor.get(page).text
        assert f'data-match="{match}"' not in visitor.get(page).text
    assert (results(visitor), results(organiser)) == (BEFORE, whole)
    assert [organiser.get(address).status_code for address in addresses] == [200] * 3

    set_dates(own, league.name, GivenDates(hides="none"), "ann", "revealed early")
    assert [visitor.get(address).status_code for address in addresses] == [200] * 3
    assert results(visitor) == whole
    told = [(row.details["hides"], row.reason) for row in Leagues(own).log(league.id, "dates")]
    assert told == [(HIDES, "as announced"), ("", ""), (HIDES, ""), ("", "revealed early")]
    with own.read() as connection:
        events = connection.exec_driver_sql("SELECT data FROM outbox WHERE kind = 'league.dates' AND account = 'club'")
        assert [json.loads(row.data)["hides"] for row in events] == [HIDES, "", HIDES, ""]


@pytest.mark.parametrize("end", ["freeze", "close"])
def test_the_end_of_the_season_reveals_at_once(own: Store, end: str) -> None:
    leagues.play(own, 2)
    visitor, whole = Client(own, VISITOR), Leagues(own).named("cambio").results
    assert results(visitor) == BEFORE
    if end == "freeze":
        end_season(own, "cambio", top=None, deals=None, closes=False, by="ann", reason="")
    else:
        close(own, "cambio", "ann", "")
    assert results(visitor) == whole
    assert "hidden since" not in re.sub(r"<p[^>]* hidden></p>", "", visitor.get("/leagues/cambio").text)


def test_until_the_moment_all_is_seen_and_later_results_are_not_even_where_clocks_differ(own: Store) -> None:
    league = Leagues(own).named("cambio")
    later = (NOW + timedelta(hours=1)).isoformat(timespec="seconds")
    set_dates(own, league.name, GivenDates(hides=later), "ann")
    leagues.play(own, 1)
    visitor = Client(own, VISITOR)
    assert results(visitor) == BEFORE + 1
    assert visitor.get("/leagues/cambio/board.json", "application/json").json()["hidden_since"] is None
    leagues.play(own, 2)
    change(Path(own.where), "UPDATE batches SET ended = ? WHERE result = ?", later, BEFORE + 2)
    shown = own.for_visitors()
    rows = {row.number: row for row in Batches(shown).of(league.id) if row.state == "stored"}
    assert [row.number for row in rows.values() if row.is_hidden] == [BEFORE + 3, BEFORE + 2]
    assert [row.result for row in Batches(shown).played(league.id)] == list(range(1, BEFORE + 2))
    assert [result for result, _, _ in Batches(shown).sums(league.id)] == list(range(1, BEFORE + 2))


def test_what_follows_from_hidden_ratings_is_told_to_nobody(own: Store) -> None:
    leagues.play(own, 1)
    with own.write() as connection:
        connection.exec_driver_sql("DELETE FROM outbox")
    league = Leagues(own).named("cambio")
    change(Path(own.where), "UPDATE entries SET state = 'placing', placed = NULL WHERE owner != ''")
    first, second = (entry.number for entry in Leagues(own).entries(league.id) if not entry.is_anchor)
    for number, state in ((first, "standing"), (second, "suspended")):
        assert Leagues(own).change_entry(league.id, number, state, "arena", "3 faults")  # type: ignore[arg-type]
    with own.read() as connection:
        events = connection.exec_driver_sql("SELECT kind, account FROM outbox")
        assert [tuple(row) for row in events] == [("entry.suspended", "fox")]
    for store, told in ((own.for_visitors(), ("placing", "")), (own, ("standing", "3 faults"))):
        states = {entry.number: (entry.state, entry.reason) for entry in Leagues(store).entries(league.id)}
        assert (states[first], states[second]) == (told, ("suspended", "3 faults"))


def test_a_page_of_an_organiser_is_kept_by_nobody(own: Store) -> None:
    worker = HandInWorker(own, Hosting(), BuildTerms(), print)
    client = Client(own, VISITOR, hand_ins=worker)
    cookie = client.post("/sign-in", data={"token": "ann"}).headers["set-cookie"].partition(";")[0]
    leagues.play(own, 1)
    ours = client.get("/leagues/cambio/board.json", "application/json", cookie=cookie)
    assert ours.json()["batches"] == BEFORE + 1
    assert ours.headers["cache-control"] == "no-store"
    assert results(client) == BEFORE


def test_a_tag_of_the_api_tells_visitors_of_no_change(own: Store) -> None:
    visitor, address = Client(own, VISITOR), "/api/v1/leagues/cambio/board"
    tag = visitor.get(address, "application/json").headers["etag"]
    leagues.play(own, 2)
    assert visitor.ask("GET", address, headers={"if-none-match": tag}).status_code == 304
    assert Client(own, Access()).ask("GET", address, headers={"if-none-match": tag}).status_code == 200
