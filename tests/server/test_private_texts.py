"""What bots of an owner noted, printed and failed with, and what their checks found, at every address of the site."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.bots.hand_in_rows import HandInEnd, HandInStep
from arena.bots.hand_in_worker import HandInWorker
from arena.bots.hand_ins import HandIns
from arena.league.results.league_sums import LeagueSums
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchResult, Lease
from arena.league.store.leagues import Leagues
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.run.remote.tokens import new_token, token_hash
from arena.server.access import VISITOR
from arena.server.play.hosted_matches import PlaySessions
from arena.store import Store, open_store
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import MatchRow, NoteRow, OutputRow
from referee.games.cambio import CAMBIO
from tests import installed, leagues, played
from tests.server.conftest import Client
from tests.server.walking import addresses, ask, paths_of

MOMENT = 1_700_000_000_000_000

OF_OWNER = {
    f"secret-{what}"
    for what in (
        "note", "output", "failure", "league-note", "league-output", "league-failure", "file", "step", "verdict",
        "report", "finding", "question", "log",
    )
}  # fmt: skip
"""What club, its owner, and organisers may read, and nobody else."""

OF_ORGANISERS = {
    "secret-live-note",
    "secret-live-output",
    "secret-live-failure",
    *installed.of("webhooks", "secret-hook"),
}
"""What is noted and printed in a tournament that is not over, and the address of a webhook of ann, the organiser."""

UNREACHED = {
    "/invitations/{secret}", "/leagues/{league}/divisions", "/leagues/{league}/snapshots/{number}", "/play/{game}",
    "/sittings/{key}", "/sittings/{key}/events", "/sittings/{key}/seats/{seat}", "/static/{name}",
}  # fmt: skip
"""Routes that nothing answers here, besides those of other moves: matches under way, snapshots and files."""


def noted(row: MatchRow, entrant: int, mark: str) -> MatchRow:
    """The match with notes of the seat of an entrant."""
    seat = next(number for number, seat in enumerate(row.seats) if seat.entrant == entrant)
    return replace(row, notes=(NoteRow(seat, 0, f"{mark}-note"),))


def failed(mark: str, entrant: int, player: int) -> ProcessFailureRow:
    text = f"{mark}-failure"
    return ProcessFailureRow(0, player, entrant, MOMENT, "crash", "it ended", 3, None, (0,), None, text)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Store]:
    """Tournament 1, of which the first bot is club/owl, is over, and tournament 2 is not; so is a batch of a league.

    A hand-in of club was refused.
    """
    with open_store(tmp_path / "arena.db", create=True) as store:
        new = played.tournament(CAMBIO, matches=8)
        new = replace(new, entrants=(replace(new.entrants[0], name="club/owl"), *new.entrants[1:]))
        for mark in ("secret", "secret-live"):
            number = store.add_tournament(new)
            rows = [noted(played.match(CAMBIO, place), 0, mark) for place in range(8)]
            player = rows[0].seats[0].player
            store.add_matches(
                number, rows, [OutputRow(0, player, 0, f"{mark}-output")], failures=[failed(mark, 0, player)]
            )
            if mark == "secret":
                store.finish_tournament(number)
        league = leagues.cambio(store)
        for name in ("club/owl", "fox/hen"):
            Leagues(store).enter(league.id, leagues.entry(leagues.submit(store, name)), "arena")
        numbers = [entry.number for entry in Leagues(store).entries(league.id)][-2:]
        event = played.tournament(CAMBIO, bots=2, matches=8)
        event = replace(event, entrants=(replace(event.entrants[0], name="club/owl"), event.entrants[1]))
        batch = replace(leagues.batch(numbers), event=event)
        assert Batches(store).add(league.id, batch, 1)
        assert Batches(store).lease(league.id, "runner", 0, 2**40) is not None
        rows = [noted(played.match(CAMBIO, place, bots=2, seats=2), 0, "secret-league") for place in range(8)]
        player = rows[0].seats[0].player
        result = BatchResult(
            rows,
            LeagueSums().to_bytes(),
            1.5,
            [OutputRow(0, player, 0, "secret-league-output")],
            [failed("secret-league", 0, player)],
        )
        assert Batches(store).finish(Lease(league.id, 1, 1), result) == 1
        for name, token in TOKENS.items():
            store.accounts.add(name, "organiser" if name == "ann" else "author", token_hash(token))
        HandIns(store).receive("club", "club/owl", "secret-file", b"")
        found = HandIns(store).claim("worker", 60)
        assert found is not None
        HandIns(store).add_step(found.claim, HandInStep("builds", "failed", "secret-step"))
        finding = {"step": "builds", "sentence": "secret-finding", "name": "owl"}
        finding |= {"question": "secret-question", "log": "secret-log"}
        report = {"output": ["secret-report"], "found": [finding]}
        assert HandIns(store).finish(found.claim, "refused", "is refused: secret-verdict", HandInEnd(1, report))
        if "webhooks" in installed.FEATURES:
            from arena_webhooks.store import Webhooks

            Webhooks(store).add("ann", "https://example.com/secret-hook", "whsec_secret", ("entry.placed",))
        yield store


TOKENS = {name: new_token() for name in ("club", "fox", "ann")}


def crawl(own: Store, name: str) -> tuple[set[str], set[str], set[str]]:
    """The secrets that an account finds at all addresses, the paths that answered, and all paths. "": a visitor."""
    worker = HandInWorker(own, Hosting(), BuildTerms(), print)
    client = Client(own, VISITOR, play_sessions=PlaySessions(own, Hosting()), hand_ins=worker)
    site: Any = client.transport.app
    page, api = {"host": "arena", "accept": "text/html"}, {"host": "arena"}
    if name:
        scopes = ("read", "submit", "manage") if name == "ann" else ("read", "submit")
        token = new_token()
        assert own.account_tokens.add(name, "test", scopes, token_hash(token), None) is not None
        api["authorization"] = f"Bearer {token}"
        answer = client.post("/sign-in", data={"token": TOKENS[name]})
        page["cookie"] = answer.headers["set-cookie"].partition(";")[0]
    found: set[str] = set()
    answered: set[str] = set()
    paths = paths_of(site)

    async def ask_all() -> None:
        async with site.router.lifespan_context(site):
            for path, prefix in paths.items():
                for address in addresses(path):
                    status, text = await ask(site, address, api if prefix else page)
                    assert status < 500, (address, text)
                    if status == 200:
                        answered.add(path)
                        found.update(re.findall(r"secret(?:-[a-z]+)+", text))

    trio.run(ask_all)
    return found, answered, set(paths)


@pytest.mark.parametrize(
    ("name", "readable"),
    [("", set()), ("fox", set()), ("club", OF_OWNER), ("ann", OF_OWNER | OF_ORGANISERS)],
)
def test_private_texts_are_at_no_address_but_for_their_owner_and_organisers(
    own: Store, name: str, readable: set[str]
) -> None:
    found, answered, paths = crawl(own, name)
    assert found == readable
    if name == "ann":
        unreached = {path for path in paths - answered if "/what-if/" not in path}
        assert unreached == UNREACHED, sorted(unreached)
