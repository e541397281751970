"""What organisers grant entries of leagues: given to one entry alone, from the next lease on, and seen by everybody."""

import json
import re
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import pytest

from arena.league.control import LeagueError, close
from arena.league.grants import grant, revoke, unmet_needs
from arena.league.results.batch_report import batch_grants
from arena.league.run.scheduler import LeagueScheduler, Leased
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchRow, EntryRow, LeagueRow
from arena.league.store.leagues import Leagues
from arena.league.verification import league_problems
from arena.packs.manifest import Manifest
from arena.run.hosting import Hosting
from arena.store import Store, open_store
from arena.values.canonical_json import hash_of_definition
from arena.values.definition import Definition
from arena.values.rows import now_ms
from arena.values.tournament_errors import FieldError
from referee.sandbox import Confinement, choose
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")

KEY = "a-key-of-the-organiser"

TRUSTED = Hosting(trusted=True)

DIALS = """
import os
import socket

from arena.sdk import Bot


def dial(who):
    try:
        with socket.create_connection(("127.0.0.1", {port}), 5) as line:
            line.sendall(who.encode())
            line.shutdown(socket.SHUT_WR)
            return line.recv(9).decode()
    except OSError:
        return "nobody"


class Dials(Bot):
    reached = dial("{who}")

    def choose(self, question):
        question.note(f"reached {{self.reached}} with {{os.environ.get('THE_KEY', 'no key')}}")
        return question.legal[0]


Dials().run()
"""


class Stub:
    """A server on this machine that remembers who dialled it.

    port: where it listens.
    callers: what they sent.
    """

    def __init__(self) -> None:
        self.callers: list[str] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        with suppress(OSError):  # it is closed
            while True:
                line, _ = self._server.accept()
                with line:
                    self.callers.append(line.makefile().read())
                    line.sendall(b"the stub")

    def close(self) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join()


@pytest.fixture
def stub() -> Iterator[Stub]:
    served = Stub()
    yield served
    served.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture
def league(store: Store, tmp_path: Path) -> LeagueRow:
    """A league with two bots of two owners, of which nothing was played: club/owl@1 and town/jay@1."""
    league = leagues.cambio(store)
    for name in ("club/owl", "town/jay"):
        hand_in(store, tmp_path, name)
    scheduler(store).update()
    return league


def hand_in(store: Store, folder: Path, name: str, port: int = 1) -> None:
    file = folder / f"{name.replace('/', '-')}-{len(store.submissions.versions(name))}.py"
    file.write_text(DIALS.format(port=port, who=name))
    leagues.submit_file(store, name, file)


def scheduler(store: Store, hosting: Hosting | None = TRUSTED, lines: list[str] | None = None) -> LeagueScheduler:
    [league] = Leagues(store).all()
    return LeagueScheduler(store, store.where, league, hosting, (lines if lines is not None else []).append)


def entry(store: Store, name: str) -> EntryRow:
    return next(each for each in Leagues(store).entries(1) if each.name == name)


def lease(scheduled: LeagueScheduler, runner: str = "a", until: int = 60) -> Leased | None:
    """Have a runner lease the next batch.

    until: in seconds from now.
    """
    scheduled.update()
    return scheduled.lease(runner, now_ms(), now_ms(until), [])


def grants_of(batch: BatchRow, definition: Definition) -> dict[int, tuple[str, ...]]:
    """What the entries of a batch get, by number."""
    return {entry: bot.grants for entry, bot in zip(batch.entries, definition.field, strict=True) if bot.grants}


def notes(store: Store, number: int) -> dict[str, set[str]]:
    """What each bot noted in a stored batch."""
    batch = Batches(store).get(1, number)
    assert batch is not None
    names = {each.number: each.name for each in Leagues(store).entries(1)}
    found: dict[str, set[str]] = {}
    for id in range(batch.first_match, batch.first_match + batch.matches):
        row = store.match(id).row
        for note in row.notes:
            name = names[batch.entries[row.seats[note.seat].entrant]]
            found.setdefault(name, set()).add(note.text)
    return {name: texts for name, texts in found.items() if not name.startswith("samples/")}


@pytest.mark.processes
@pytest.mark.usefixtures("with_processes")
def test_only_the_granted_bot_of_a_league_reaches_a_server(
    store: Store, stub: Stub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_KEY", KEY)
    league = leagues.cambio(store)
    for name in ("club/owl", "town/jay"):
        hand_in(store, tmp_path, name, stub.port)
    scheduled = scheduler(store)
    scheduled._entries.enter_submissions(is_frozen=False)
    grant(store, "cambio", "club/owl", ["network"], secrets=["THE_KEY"], by="ann")
    leagues.play(store, 1)
    [first] = [row for row in Batches(store).of(league.id) if row.number == 1]
    assert first.state == "stored"
    assert notes(store, 1) == {
        "club/owl@1": {"reached the stub with [secret]"},
        "town/jay@1": {"reached nobody with no key"},
    }
    assert set(stub.callers) == {"club/owl"}
    owl = entry(store, "club/owl@1")
    assert batch_grants(store, first) == {owl.number: ("network",)}

    revoke(store, "cambio", "club/owl", by="ann", reason="the key has run out")
    known = {row.number for row in Batches(store).of(league.id) if row.state == "stored"}
    leagues.play(store, 1)
    new = next(row for row in Batches(store).of(league.id) if row.state == "stored" and row.number not in known)
    assert notes(store, new.number).get("club/owl@1") == {"reached nobody with no key"}
    assert batch_grants(store, new) == {}
    assert list(league_problems(store, Leagues(store).named("cambio"))) == []
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert not kept, "the key is stored nowhere"


def test_a_batch_has_the_grants_of_its_lease(store: Store, league: LeagueRow) -> None:
    scheduled, number = scheduler(store), entry(store, "club/owl@1").number
    [drawn] = Batches(store).of(league.id)
    plain = store.event(drawn.event).definition_hash
    leased = lease(scheduled)
    assert leased is not None
    grant(store, "cambio", "club/owl", ["network"])
    assert grants_of(leased.row, leased.definition) == {}
    assert batch_grants(store, leased.row) == {}, "it keeps what it was leased with"

    Batches(store).give_back(leagues.lease(leased.row), "released")
    again = lease(scheduled)
    assert again is not None
    assert again.row.number == drawn.number
    assert grants_of(again.row, again.definition) == {number: ("network",)} == batch_grants(store, again.row)
    event = store.event(drawn.event)
    assert event.definition_hash == hash_of_definition(event.definition.to_json()) != plain

    revoke(store, "cambio", "club/owl")
    assert batch_grants(store, again.row) == {number: ("network",)}
    Batches(store).give_back(leagues.lease(again.row), "expired", "its runner is gone")
    last = lease(scheduled)
    assert last is not None
    assert last.row.number == drawn.number
    assert grants_of(last.row, last.definition) == {} == batch_grants(store, last.row)
    assert store.event(drawn.event).definition_hash == plain
    assert not Batches(store).redefine(leagues.lease(again.row), event.definition), "that lease is lost"
    assert store.event(drawn.event).definition_hash == plain


def test_a_batch_that_is_drawn_later_has_them_in_its_definition(store: Store, league: LeagueRow) -> None:
    grant(store, "cambio", "club/owl", ["network"])
    leagues.challenge(store, "club/owl", "town/jay")
    [drawn] = [row for row in Batches(store).of(league.id) if row.kind == "challenge"]
    assert batch_grants(store, drawn) == {entry(store, "club/owl@1").number: ("network",)}
    assert list(league_problems(store, Leagues(store).named("cambio"))) == []


@pytest.mark.processes
def test_a_new_version_gets_nothing_unless_the_organiser_said_so(
    store: Store, league: LeagueRow, tmp_path: Path
) -> None:
    grant(store, "cambio", "club/owl", ["network"], secrets=["THE_KEY"], by="ann")
    grant(store, "cambio", "town/jay", ["network"], later=True, by="ann")
    for name in ("club/owl", "town/jay"):
        hand_in(store, tmp_path, name)
    scheduler(store).update()
    assert not entry(store, "club/owl@2").grants
    assert entry(store, "town/jay@2").grants == entry(store, "town/jay@1").grants
    told = [(row.who, row.details["entry"], row.reason) for row in Leagues(store).log(league.id, "grant")]
    assert told[-1] == ("arena", entry(store, "town/jay@2").number, "as the version before it")

    revoke(store, "cambio", "town/jay@2")
    hand_in(store, tmp_path, "town/jay")
    scheduler(store).update()
    assert not entry(store, "town/jay@3").grants, "the newest version decides, not an older one"
    assert list(league_problems(store, Leagues(store).named("cambio"))) == []


@pytest.mark.parametrize(
    ("hosting", "word", "reason"),
    [
        (Hosting(trusted=True, grants=False), "network", "could use the ports of a cluster"),
        (TRUSTED, "device:/dev/nothing-here", "the device /dev/nothing-here cannot be granted"),
    ],
)
def test_where_a_grant_cannot_be_given_the_others_play_on(
    store: Store, league: LeagueRow, hosting: Hosting, word: str, reason: str
) -> None:
    [waiting] = Batches(store).of(league.id)
    owl, lines = entry(store, "club/owl@1"), list[str]()
    assert owl.number in waiting.entries
    grant(store, "cambio", "club/owl", [word])
    here = scheduler(store, hosting, lines)
    leased = lease(here)
    assert leased is None, "the batch that waits is for another program"
    for number in [each.number for each in Leagues(store).entries(league.id)]:
        Leagues(store).change_entry(league.id, number, "standing", "test", expected=["placing"])
    leased = lease(here)
    assert leased is not None
    assert owl.number not in leased.row.entries
    assert [line for line in lines if line.startswith("club/owl@1 does not play here in the league cambio: ")] == lines
    assert len(lines) == 1
    assert reason in lines[0]
    assert entry(store, "club/owl@1").state == "standing", "it is not its fault"

    elsewhere = scheduler(store, None)
    other = lease(elsewhere, "b")
    assert other is not None
    assert grants_of(other.row, other.definition) == {owl.number: (word,)}


def test_how_bots_are_confined_is_found_out_once_for_all_updates(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    grant(store, "cambio", "club/owl", ["network"])
    scheduled = scheduler(store)
    scheduled.update()
    looked = list[str]()

    def noted(mode: str) -> Confinement:
        looked.append(mode)
        return choose(mode)

    monkeypatch.setattr("arena.run.hosting.choose", noted)
    for _ in range(3):
        scheduled.update()
    assert looked == []


def test_a_grant_since_the_last_look_is_heeded(store: Store, league: LeagueRow) -> None:
    on_cluster = scheduler(store, Hosting(trusted=True, grants=False))
    on_cluster.update()
    grant(store, "cambio", "club/owl", ["network"])
    assert on_cluster.lease("a", now_ms(), now_ms(60), []) is None
    [batch] = Batches(store).of(league.id)
    assert (batch.state, batch.failed) == ("waiting", 0)
    assert Batches(store).attempts(league.id, batch.number)[0].outcome == "released"


def test_a_variable_that_is_not_set_is_said_once_and_the_bot_plays_without(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("THE_KEY", raising=False)
    grant(store, "cambio", "club/owl", [], secrets=["THE_KEY"])
    lines: list[str] = []
    scheduled = scheduler(store, TRUSTED, lines)
    for _ in range(2):
        leased = lease(scheduled)
        assert leased is not None
        assert leased.secrets == ()
        Batches(store).give_back(leagues.lease(leased.row), "released")
    assert lines == [
        "club/owl@1 plays without THE_KEY in the league cambio: the variable is not set; stop this program, export it, "
        "and start again"
    ]
    monkeypatch.setenv("THE_KEY", KEY)
    leased = lease(scheduled)
    assert leased is not None
    assert leased.secrets == (("club/owl@1", "THE_KEY", KEY),)
    hosting = Hosting(secrets=leased.secrets)
    secrets = {bot.name: hosting.secrets_of(bot, leased.definition.field) for bot in leased.definition.field}
    assert {name: values for name, values in secrets.items() if values} == {"club/owl@1": {"THE_KEY": KEY}}
    assert KEY not in repr(hosting)


def test_what_a_bot_asks_for_is_unmet_until_it_is_granted(store: Store, league: LeagueRow, tmp_path: Path) -> None:
    pack = leagues.pack(tmp_path / "club-owl-0.py")
    manifest = Manifest("python", ("python3", "main.py"), needs=("network",)).to_json()
    store.submissions.add("fox/hen", pack, pack, manifest, {"steps": []})
    scheduler(store).update()
    assert not entry(store, "fox/hen@1").grants, "to ask gives nothing"
    assert unmet_needs(store, entry(store, "fox/hen@1")) == ("network",)
    assert unmet_needs(store, grant(store, "cambio", "fox/hen", ["network"])) == ()


def test_what_cannot_be_granted_is_said(store: Store, league: LeagueRow) -> None:
    for words, secrets, bot, error, sentence in (
        (["internet"], [], "club/owl", FieldError, 'there is no grant "internet"'),
        ([], ["A KEY"], "club/owl", LeagueError, '"A KEY" is no name of an environment variable'),
        ([], [], "club/owl", LeagueError, "club/owl@1 is granted nothing yet: name a grant"),
        (["network"], [], "club/elk", LeagueError, "no bot club/elk takes part"),
        (["network"], [], "samples/random", LeagueError, "it gets what every bot has"),
    ):
        with pytest.raises(error, match=re.escape(sentence)):
            grant(store, "cambio", bot, words, secrets=secrets)
    with pytest.raises(LeagueError, match="club/owl@1 is granted nothing in the league cambio"):
        revoke(store, "cambio", "club/owl")
    grant(store, "cambio", "club/owl", ["device:/dev/full", "network"], secrets=["B", "A"])
    with pytest.raises(LeagueError, match="club/owl@1 is not granted device:/dev/null: it has network, device:"):
        revoke(store, "cambio", "club/owl", ["device:/dev/null"])
    assert revoke(store, "cambio", "club/owl", ["network"]).grants.words == ("device:/dev/full",)
    assert entry(store, "club/owl@1").grants.secrets == ("A", "B")
    close(store, "cambio", "ann", "")
    with pytest.raises(LeagueError, match="is closed"):
        grant(store, "cambio", "club/owl", ["network"])


def test_verification_finds_grants_that_nobody_decided(store: Store, league: LeagueRow) -> None:
    grant(store, "cambio", "club/owl", ["device:/dev/full"])
    assert lease(scheduler(store)) is not None
    assert list(league_problems(store, Leagues(store).named("cambio"))) == []
    connection = sqlite3.connect(store.where)
    forged = json.dumps({"later": False, "secrets": [], "words": ["network"]})
    connection.execute("UPDATE entries SET grants = ? WHERE name = 'club/owl@1'", [forged])
    connection.execute("UPDATE events SET definition = replace(definition, 'device:/dev/full', 'network')")
    connection.commit()
    connection.close()
    assert list(league_problems(store, Leagues(store).named("cambio"))) == [
        "the grants of club/owl@1 are not those that the log gives it",
        "batch 1: club/owl@1 has network, which no decision of the log grants it",
        "batch 1: the definition is not the one whose hash was published at the start",
    ]


def test_the_log_says_who_granted_what_and_when(store: Store, league: LeagueRow) -> None:
    grant(store, "cambio", "club/owl", ["network"], secrets=["THE_KEY"], by="ann", reason="the cup")
    grant(store, "cambio", "club/owl", ["network"], by="ann")  # it has that already
    revoke(store, "cambio", "club/owl@1", by="ben")
    number = entry(store, "club/owl@1").number
    told = [row for row in Leagues(store).log(league.id) if row.kind in ("grant", "revoke")]
    assert [(row.kind, row.who, row.reason, row.details) for row in told] == [
        ("grant", "ann", "the cup", {"entry": number, "words": ["network"], "secrets": ["THE_KEY"], "later": False}),
        ("revoke", "ben", "", {"entry": number, "words": [], "secrets": [], "later": False}),
    ]
    assert all(datetime.fromisoformat(row.created).tzinfo is not None for row in told)
