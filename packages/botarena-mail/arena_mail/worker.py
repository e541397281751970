"""Sends what is due, one message after the other, and tries again what failed.

Messages go over one connection, as fast as the organiser lets them. A message that the server takes later waits for
minutes, then hours, for three days. A server that takes nothing is left alone for a while, and the messages wait.
"""

import random
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from email.message import EmailMessage
from functools import partial
from time import monotonic
from typing import Protocol, TypeVar

import trio

from arena.run.awaited_writes import awaited_writes
from arena.store import StoreError, StoreUnavailable
from arena.values.rows import now_ms
from arena.values.server_log import Notice, report_bug
from arena_mail.messages import message_for
from arena_mail.rows import ClaimedMail
from arena_mail.settings import MailSettings
from arena_mail.smtp import Attempt, Conversation, Outcome
from arena_mail.store import Mails
from arena_mail.texts import Texts
from referee.process.awake_clock import awake_clock

PAUSES = (120.0, 300.0, 600.0, 1800.0, 3600.0, 7200.0, 14400.0)
"""Seconds between the attempts of a message; the last holds until three days are over. Greylisting asks for minutes."""

TROUBLE_PAUSES = (15.0, 60.0, 300.0, 900.0)
"""Seconds for which a server is left alone that takes nothing; the last holds on."""

JITTER = 0.2
"""By which part of it a pause is longer or shorter, at most."""

MOST_SECONDS = 60.0
"""For one message, from the connection to the answer."""

LEASE_SECONDS = 180.0
"""How long a claim holds."""

LOOK_SECONDS = 10.0
"""Between two looks at an outbox in which nothing is due, and to which nothing was written."""

POLL_SECONDS = 1.0
"""Between two looks while the server is left alone, or has had enough messages in this minute."""

RETRY_SECONDS = 10.0
"""After the database could not be used."""

ALIVE_SECONDS = 180.0
"""Between two looks, also where the server is slow."""

Value = TypeVar("Value")


class Talks(Protocol):
    """What sends messages over a connection: a `Conversation`."""

    def send(self, message: EmailMessage, sender: str, address: str) -> Attempt:
        """Send a message, and tell how that went."""

    def close(self) -> None:
        """End the conversation."""

    def break_off(self) -> None:
        """Have what waits for the server fail."""


class MailWorker:
    """Sends the mail of a database, until it is cancelled.

    site: where people reach the pages.
    say: called with what the organiser should know.
    """

    def __init__(
        self,
        mails: Mails,
        settings: MailSettings,
        texts: Texts,
        site: str,
        say: Callable[[str], None],
        *,
        talk: Callable[[], Talks] | None = None,
    ) -> None:
        """Prepare it.

        talk: begins a conversation with the server.
        """
        self._mails = mails
        self._settings = settings
        self._texts = texts
        self._site = site
        self._say = say
        self._talk = talk or partial(_talk, settings)
        self._talks: Talks | None = None
        self._sent: deque[float] = deque()
        self._troubles = 0
        self._rests_until = float("-inf")
        self._database = trio.CapacityLimiter(2)
        self._smtp = trio.CapacityLimiter(4)
        self._looked = monotonic()
        self._is_listening = False
        self._told = False

    async def run(self) -> None:
        """Send what is due, now and later."""
        with awaited_writes(self._mails.writes) as writes:
            while True:
                try:
                    await self.send_due()
                    await writes.wait(LOOK_SECONDS if self._is_free else POLL_SECONDS)
                except StoreError:  # told already
                    await trio.sleep(RETRY_SECONDS)
                except Exception as error:  # a mistake of ours must not end the pages
                    report_bug(error)
                    await trio.sleep(RETRY_SECONDS)

    def is_alive(self) -> bool:
        """Return whether it has looked for what is due lately."""
        return monotonic() - self._looked < ALIVE_SECONDS

    async def send_due(self) -> None:
        """Send what is due now, as far as the server takes it and the limit allows."""
        self._looked = monotonic()
        if not self._is_listening:
            await self._with_database(self._mails.listen)
            self._is_listening = True
        try:
            while self._is_free:
                self._looked = monotonic()
                clock = awake_clock()
                lost = 0.0 if clock is None else clock.lost_within(LEASE_SECONDS)
                claimed = await self._with_database(self._mails.claim, now_ms(), now_ms(LEASE_SECONDS), lost)
                if claimed is None:
                    return
                self._sent.append(trio.current_time())
                await self._deliver(claimed)
        finally:
            await self._hang_up()

    @property
    def _is_free(self) -> bool:
        """Whether the server takes mail as far as is known, and another message is within the limit of a minute."""
        return trio.current_time() >= self._rests_until and self._may_send()

    def _may_send(self) -> bool:
        """Return whether another message is within the limit of a minute."""
        while self._sent and self._sent[0] <= trio.current_time() - 60:
            self._sent.popleft()
        return len(self._sent) < self._settings.per_minute

    async def _deliver(self, claimed: ClaimedMail) -> None:
        """Make one attempt and note how it went; if it cannot be noted, another attempt follows."""
        mails, claim = self._mails, claimed.claim
        try:
            message = message_for(claimed, self._settings, self._texts, self._site)
        except Exception as error:  # an expression in a template of the organiser may raise any
            self._say(Notice(f"mail {claim.mail} ({claimed.kind}) cannot be written: {error}", "mail_failed"))
            await self._with_database(mails.note_failure, claim, f"it cannot be written: {error}", None)
            return
        attempt = await self._attempt(message, claimed.address)
        if attempt.outcome is not Outcome.TROUBLE and self._troubles:
            self._troubles = 0
            self._say(Notice(f"{self._settings.server} takes mail again", "mail_works"))
        if attempt.outcome is Outcome.SENT:
            await self._with_database(mails.note_sent, claim)
        elif attempt.outcome is Outcome.REFUSED:
            whose = f"the address of {claimed.account}" if claimed.account else "an address"
            self._say(
                Notice(f"the mail server refuses {whose}, which gets no more mail: {attempt.error}", "mail_failed")
            )
            await self._with_database(mails.note_refused, claim, claimed.address, attempt.error)
        elif attempt.outcome is Outcome.FAILED:
            self._say(Notice(f"the mail server refuses mail {claim.mail}: {attempt.error}", "mail_failed"))
            await self._with_database(mails.note_failure, claim, attempt.error, None)
        else:
            pause = _varied(PAUSES[min(claim.attempt, len(PAUSES)) - 1])
            if attempt.outcome is Outcome.TROUBLE:
                pause = self._rest(attempt.error)
            await self._with_database(mails.note_failure, claim, attempt.error, now_ms(pause))

    def _rest(self, error: str) -> float:
        """Leave the server alone for a while; return for how many seconds."""
        if self._troubles == 0:
            self._say(Notice(f"no mail is sent, and it waits: {error}", "mail_failed"))
        pause = _varied(TROUBLE_PAUSES[min(self._troubles, len(TROUBLE_PAUSES) - 1)])
        self._rests_until = trio.current_time() + pause
        self._troubles += 1
        return pause

    async def _attempt(self, message: EmailMessage, address: str) -> Attempt:
        """Send a message, within `MOST_SECONDS`."""
        talks = self._talks = self._talks or self._talk()
        sender = self._settings.sender.addr_spec
        try:
            with trio.move_on_after(MOST_SECONDS):
                return await trio.to_thread.run_sync(
                    talks.send, message, sender, address, abandon_on_cancel=True, limiter=self._smtp
                )
        except trio.Cancelled:
            self._talks = None
            talks.break_off()
            raise
        self._talks = None
        talks.break_off()
        return Attempt(Outcome.TROUBLE, f"{self._settings.server} took longer than {MOST_SECONDS:.0f} s")

    async def _hang_up(self) -> None:
        """End the conversation."""
        talks, self._talks = self._talks, None
        if talks is not None:
            with trio.CancelScope(shield=True, deadline=trio.current_time() + 2):
                await trio.to_thread.run_sync(talks.close, abandon_on_cancel=True, limiter=self._smtp)
            with suppress(OSError):
                talks.break_off()

    async def _with_database(self, function: Callable[..., Value], *arguments: object) -> Value:
        """Call a function in a thread. Raises StoreError, and tells it once until the database can be used again."""
        try:
            value = await trio.to_thread.run_sync(function, *arguments, limiter=self._database)
        except StoreError as error:
            if not self._told:
                problem = error.problem if isinstance(error, StoreUnavailable) else str(error)
                self._say(Notice(f"{problem}; mail waits until it can be used again", "database_unavailable"))
            self._told = True
            raise
        self._told = False
        return value


def _talk(settings: MailSettings) -> Conversation:
    return Conversation(settings.server, ssl.create_default_context())


def _varied(pause: float) -> float:
    """Return a pause, a little longer or shorter, so that what failed together does not come together again."""
    return pause * random.uniform(1 - JITTER, 1 + JITTER)
