"""The worker: with a clock of its own and a server that answers as it likes; with a real one, and killed in between."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from threading import Event

import pytest
import trio
from arena_mail import worker as module
from arena_mail.kinds import KINDS
from arena_mail.settings import MailSettings, parse_sender
from arena_mail.smtp import Attempt, Outcome
from arena_mail.store import Mails
from arena_mail.tables import mails
from arena_mail.texts import Texts
from arena_mail.worker import ALIVE_SECONDS, MOST_SECONDS, PAUSES, TROUBLE_PAUSES, MailWorker
from mail.mail_server import PATIENCE, Received, receiving
from sqlalchemy import update
from trio.testing import MockClock

from arena.store import Store, StoreUnavailable, open_store
from arena.store.engine.outbox import add_event
from arena.values.rows import now_ms
from arena.values.server_log import Notice
from tests.tournament.processes import wait_until

SITE = "https://arena.example.org"
SENDER = "Arena <arena@example.org>"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with open_store(path, create=True) as opened:
        for name in ("club", "fox"):
            opened.accounts.add(name, "author", name.zfill(64))
            opened.accounts.describe(name, email=f"{name}@example.org")
        Mails(opened).listen()
        yield opened


def happen(store: Store, account: str = "club", times: int = 1) -> None:
    with store.write() as connection:
        for number in range(times):
            data = {"league": "spring", "entry": number, "name": f"{account}/owl@{number}", "reason": "it crashed"}
            add_event(connection, "entry.suspended", account, data)


class Scripted:
    """A conversation that goes as a test says."""

    def __init__(self, answer: Callable[[str], Attempt]) -> None:
        self.answer = answer
        self.sent: list[str] = []
        self.closed = 0
        self.broken_off = 0

    def send(self, message: EmailMessage, sender: str, address: str) -> Attempt:
        attempt = self.answer(address)
        if attempt.outcome is Outcome.SENT:
            self.sent.append(address)
        return attempt

    def close(self) -> None:
        self.closed += 1

    def break_off(self) -> None:
        self.broken_off += 1


def worker(store: Store, script: Scripted, said: list[str] | None = None, *, per_minute: int = 60) -> MailWorker:
    with_server = settings(None, per_minute)
    say = print if said is None else said.append
    return MailWorker(Mails(store), with_server, Texts(), SITE, say, talk=lambda: script)


def settings(received: Received | None, per_minute: int = 60) -> MailSettings:
    from arena_mail.settings import MailServer

    server = MailServer("mail.example.org", 587, "starttls") if received is None else received.server
    return MailSettings(server, parse_sender(SENDER), per_minute=per_minute)


def state(store: Store) -> list[tuple[str, int]]:
    return [(row.state, row.attempt) for row in reversed(Mails(store).newest(None, 1000))]


@pytest.fixture
def usual_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_varied", lambda pause: pause)


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return by how many seconds the clock of the database is ahead."""
    ahead = [0.0]
    monkeypatch.setattr(module, "now_ms", lambda seconds=0.0: now_ms(seconds + ahead[0]))
    return ahead


async def test_no_more_are_sent_within_a_minute_than_the_organiser_lets(store: Store, mock_clock: MockClock) -> None:
    happen(store, times=5)
    script = Scripted(lambda _: Attempt(Outcome.SENT))
    limited = worker(store, script, per_minute=2)
    await limited.send_due()
    assert len(script.sent) == 2
    mock_clock.jump(59)
    await limited.send_due()
    assert len(script.sent) == 2
    mock_clock.jump(2)
    await limited.send_due()
    await limited.send_due()
    assert len(script.sent) == 4
    assert script.closed == 2, "no connection stays open while nothing is sent"


async def test_what_is_greylisted_comes_again_and_others_do_not_wait(
    store: Store, mock_clock: MockClock, usual_pauses: None, wall: list[float]
) -> None:
    happen(store)
    happen(store, "fox")
    script = Scripted(
        lambda address: Attempt(Outcome.LATER, "450 greylisted") if "club" in address else Attempt(Outcome.SENT)
    )
    patient = worker(store, script)
    await patient.send_due()
    assert script.sent == ["fox@example.org"]
    [waiting] = Mails(store).newest("club", 9)
    assert (waiting.state, waiting.error, waiting.attempt) == ("waiting", "450 greylisted", 1)
    for attempt, pause in enumerate((*PAUSES, PAUSES[-1]), 2):
        wall[0] += pause - 5
        await patient.send_due()
        assert state(store)[0] == ("waiting", attempt - 1)
        wall[0] += 6
        await patient.send_due()
        assert state(store)[0] == ("waiting", attempt)
    script.answer = lambda _: Attempt(Outcome.SENT)
    wall[0] += PAUSES[-1]
    await patient.send_due()
    assert script.sent == ["fox@example.org", "club@example.org"]


async def test_a_server_in_trouble_is_left_alone_and_nothing_is_lost(
    store: Store, mock_clock: MockClock, usual_pauses: None, wall: list[float]
) -> None:
    happen(store, times=3)
    said: list[str] = []
    asked = []

    def down(address: str) -> Attempt:
        asked.append(address)
        return Attempt(Outcome.TROUBLE, "it is away")

    script = Scripted(down)
    patient = worker(store, script, said)
    for pause in (*TROUBLE_PAUSES, TROUBLE_PAUSES[-1]):
        asked.clear()
        await patient.send_due()
        await patient.send_due()
        assert len(asked) == 1
        mock_clock.jump(pause + 1)
        wall[0] += pause + 1
    assert said == ["no mail is sent, and it waits: it is away"]
    assert isinstance(said[0], Notice)
    assert said[0].event == "mail_failed"
    script.answer = lambda _: Attempt(Outcome.SENT)
    await patient.send_due()
    assert len(script.sent) == 3
    assert said[1:] == ["mail.example.org:587 takes mail again"]


async def test_refusals_are_told_and_given_up(store: Store, mock_clock: MockClock) -> None:
    happen(store, times=2)
    happen(store, "fox")
    said: list[str] = []
    outcomes = {
        "club@example.org": Attempt(Outcome.REFUSED, "550 5.1.1 Who?"),
        "fox@example.org": Attempt(Outcome.FAILED, "554 5.7.1 Spam"),
    }
    await worker(store, Scripted(outcomes.__getitem__), said).send_due()
    assert state(store) == [("failed", 1), ("failed", 0), ("failed", 1)]
    assert said == [
        "the mail server refuses the address of club, which gets no more mail: 550 5.1.1 Who?",
        "the mail server refuses mail 3: 554 5.7.1 Spam",
    ]
    assert "example.org" not in str(said)


async def test_a_slow_server_is_broken_off(store: Store, autojump_clock: MockClock) -> None:
    happen(store)
    release = Event()

    def hang(_: str) -> Attempt:
        release.wait(PATIENCE)
        return Attempt(Outcome.SENT)

    script = Scripted(hang)
    script.break_off = release.set  # type: ignore[method-assign]
    began = trio.current_time()
    await worker(store, script).send_due()
    assert trio.current_time() - began == pytest.approx(MOST_SECONDS, abs=5)
    [row] = Mails(store).newest(None, 9)
    assert (row.state, row.error) == ("waiting", f"mail.example.org:587 took longer than {MOST_SECONDS:.0f} s")


async def test_a_template_that_fails_harms_no_other_mail(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    (folder / "en").mkdir(parents=True)
    (folder / "en" / "suspended.txt").write_text("Subject: {{ 1 // entry }}\n")
    happen(store, times=3)
    script, said = Scripted(lambda _: Attempt(Outcome.SENT)), list[str]()
    own = MailWorker(Mails(store), settings(None), Texts(folder), SITE, said.append, talk=lambda: script)
    await own.send_due()
    assert state(store) == [("failed", 1), ("sent", 1), ("sent", 1)]
    assert said == ["mail 1 (suspended) cannot be written: integer division or modulo by zero"]


async def test_a_database_that_is_away_is_told_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    happen(store)
    said: list[str] = []
    script = Scripted(lambda _: Attempt(Outcome.SENT))
    failing = worker(store, script, said)
    await failing.send_due()
    claim = Mails.claim

    def fails(*_: object) -> None:
        raise StoreUnavailable("the database is locked", ": wait")

    monkeypatch.setattr(Mails, "claim", fails)
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            await failing.send_due()
    assert said == ["the database is locked; mail waits until it can be used again"]
    monkeypatch.setattr(Mails, "claim", claim)
    await failing.send_due()


async def test_it_is_alive_as_long_as_it_looks(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    looking = worker(store, Scripted(lambda _: Attempt(Outcome.SENT)))
    now[0] += ALIVE_SECONDS
    assert not looking.is_alive()
    await looking.send_due()
    assert looking.is_alive()


def test_two_servers_send_nothing_twice(path: Path, store: Store) -> None:
    happen(store, times=30)
    with receiving() as received, open_store(path, write=True) as other:

        async def run() -> None:
            async with trio.open_nursery() as nursery:
                for opened in (store, other):
                    sending = MailWorker(Mails(opened), settings(received), Texts(), SITE, print)
                    nursery.start_soon(sending.send_due)

        trio.run(run)
        subjects = {received.next()["Subject"] for _ in range(30)}
        assert received.mails.empty()
    assert subjects == {f"club/owl@{number} is suspended in the league spring" for number in range(30)}
    assert state(store) == [("sent", 1)] * 30


def test_a_real_server_that_greylists_and_refuses(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_varied", lambda _: 0.0)
    happen(store, times=2)
    happen(store, "fox")
    asked = {"club@example.org": 0, "fox@example.org": 0}

    def answer(address: str) -> str:
        asked[address] += 1
        if address.startswith("fox"):
            return "550 5.1.1 No such user"
        return "450 4.2.0 Greylisted" if asked[address] < 3 else "250 OK"

    with receiving() as received:
        received.on_recipient = answer
        trio.run(MailWorker(Mails(store), settings(received), Texts(), SITE, print).send_due)
        arrived = [received.next() for _ in range(2)]
        assert received.mails.empty()
    assert asked == {"club@example.org": 4, "fox@example.org": 1}
    assert len({message["Message-ID"] for message in arrived}) == 2
    assert Mails(store).owner("fox").refused == "550 5.1.1 No such user"


@contextmanager
def serving(path: Path, received: Received) -> Iterator["subprocess.Popen[str]"]:
    """Serve the pages of a database, with mail."""
    where = ["--mail-server", f"smtp+plain://{received.server}", "--mail-from", SENDER, "--public-url", SITE]
    command = [sys.executable, "-m", "arena", "web", "--sign-in", "--port", "0", "--db", str(path), *where]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("http://")
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.promise
def test_a_killed_server_loses_no_mail_and_the_same_id_tells_doubles(path: Path, store: Store) -> None:
    happen(store)  # and no server runs
    held, release = Event(), Event()
    messages: list[EmailMessage] = []

    def hold(message: EmailMessage) -> str:
        messages.append(message)
        held.set()
        release.wait(PATIENCE)
        return "250 OK"

    with receiving() as received:
        received.on_data = hold
        with serving(path, received) as process:
            assert held.wait(PATIENCE)
            process.kill()
            process.wait()
        release.set()
        assert state(store) == [("waiting", 1)], "nobody knows whether it has arrived"
        with store.write() as connection:  # minutes pass
            connection.execute(update(mails).values(lease_until=0))
        with serving(path, received) as process:
            wait_until(process, lambda: state(store) == [("sent", 2)])
    first, again = messages
    assert first["Message-ID"] == again["Message-ID"]
    assert Mails(store).owner("club").kinds != KINDS
