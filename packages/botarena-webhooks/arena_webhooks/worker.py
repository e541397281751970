"""Delivers what is due, several deliveries side by side, and tries again what failed.

Pauses grow from seconds to a day, for three days; after that a delivery has failed. They vary at random, so that the
deliveries that failed together do not come together again.
"""

import random
import ssl
from collections.abc import Callable
from functools import cached_property
from time import monotonic, time
from typing import TypeVar

import trio

from arena.run.awaited_writes import awaited_writes
from arena.store import StoreError, StoreUnavailable
from arena.values.rows import now_ms
from arena.values.server_log import Notice, report_bug
from arena_webhooks.addresses import AddressRules
from arena_webhooks.kinds import TEST
from arena_webhooks.rows import ClaimedDelivery
from arena_webhooks.sending import Sender
from arena_webhooks.signature import signed_headers
from arena_webhooks.store import Webhooks
from referee.process.awake_clock import awake_clock

PAUSES = (5.0, 60.0, 300.0, 1800.0, 7200.0, 18000.0, 36000.0, 50400.0, 72000.0, 86400.0)
"""Seconds between the attempts of a delivery: three days and four hours together."""

JITTER = 0.2
"""By which part of it a pause is longer or shorter, at most."""

LEASE_SECONDS = 60.0
"""How long a claim holds; an attempt takes a fraction of it."""

LOOK_SECONDS = 30.0
"""The longest time between two looks at an outbox in which nothing is due, and to which nothing is written."""

POLL_SECONDS = 1.0
"""The shortest: what is due waits while its account has another delivery under way."""

RETRY_SECONDS = 10.0
"""After the database could not be used."""

ALIVE_SECONDS = 120.0
"""Between two looks, also where all requests are under way and slow."""

MOST_REQUESTS = 16
"""Deliveries that are made side by side."""

Value = TypeVar("Value")


def retry_pause(attempt: int, kind: str) -> float | None:
    """Return the seconds between a failed attempt and the next one; None if it was the last.

    attempt: the number of the failed attempt, from 1.
    """
    if kind == TEST or attempt > len(PAUSES):
        return None
    return PAUSES[attempt - 1] * random.uniform(1 - JITTER, 1 + JITTER)


class WebhookWorker:
    """Delivers events of a database, until it is cancelled.

    say: called with what the organiser should know.
    """

    def __init__(
        self, webhooks: Webhooks, rules: AddressRules, say: Callable[[str], None], *, sender: Sender | None = None
    ) -> None:
        """Prepare it.

        rules: which addresses may be reached.
        sender: makes the requests.
        """
        self._webhooks = webhooks
        self._say = say
        self._rules = rules
        self._given_sender = sender
        self._free = trio.CapacityLimiter(MOST_REQUESTS)
        self._threads = trio.CapacityLimiter(2)
        self._looked = monotonic()
        self._told = False

    @cached_property
    def _sender(self) -> Sender:
        """What makes the requests; to read all certificates takes long, and many servers have no webhooks."""
        return self._given_sender or Sender(self._rules, ssl.create_default_context())

    async def run(self) -> None:
        """Deliver what is due, now and later."""
        with awaited_writes(self._webhooks.writes) as writes:
            async with trio.open_nursery() as nursery:
                while True:
                    try:
                        await self._start_due(nursery)
                        await writes.wait(await self._pause())
                    except StoreError:  # told already
                        await trio.sleep(RETRY_SECONDS)
                    except Exception as error:  # a mistake of ours must not end the pages
                        report_bug(error)
                        await trio.sleep(RETRY_SECONDS)

    async def _pause(self) -> float:
        """Return for how many seconds to look for nothing, unless something is written."""
        due = await self._with_database(self._webhooks.next_due)
        seconds = LOOK_SECONDS if due is None else (due - now_ms()) / 1000
        return min(max(seconds, POLL_SECONDS), LOOK_SECONDS)

    def is_alive(self) -> bool:
        """Return whether it has looked for what is due lately."""
        return monotonic() - self._looked < ALIVE_SECONDS

    async def deliver_due(self) -> None:
        """Deliver what is due now."""
        while True:
            async with trio.open_nursery() as nursery:
                started = await self._start_due(nursery)
            if not started:
                return

    async def _start_due(self, nursery: trio.Nursery) -> int:
        """Start to deliver what is due, as far as requests are free; return how many were started."""
        started, clock = 0, awake_clock()
        while True:
            self._looked = monotonic()
            token = object()
            await self._free.acquire_on_behalf_of(token)
            claimed = None
            try:
                lost = 0.0 if clock is None else clock.lost_within(LEASE_SECONDS)
                claimed = await self._with_database(self._webhooks.claim, now_ms(), now_ms(LEASE_SECONDS), lost)
            finally:
                if claimed is None:
                    self._free.release_on_behalf_of(token)
            if claimed is None:
                return started
            nursery.start_soon(self._deliver, claimed, token)
            started += 1

    async def _deliver(self, claimed: ClaimedDelivery, token: object) -> None:
        """Make one attempt and note how it went; if it cannot be noted, another attempt follows."""
        webhooks = self._webhooks
        try:
            body = claimed.body.encode()
            headers = signed_headers(claimed.secret, claimed.message, round(time()), body)
            answer = await self._sender.send(claimed.url, headers, body)
            if not answer.error and answer.status is not None:
                await self._with_database(webhooks.note_delivered, claimed.claim, answer.status)
                return
            pause = retry_pause(claimed.claim.attempt, claimed.kind)
            retry = None if pause is None else now_ms(pause)
            await self._with_database(webhooks.note_failure, claimed.claim, answer.status, answer.error, retry)
        except StoreError:  # told already; the delivery is made again once its lease is over
            pass
        except Exception as error:  # a mistake of ours must not end the deliveries of all others
            report_bug(error)
        finally:
            self._free.release_on_behalf_of(token)

    async def _with_database(self, function: Callable[..., Value], *arguments: object) -> Value:
        """Call a function in a thread. Raises StoreError, and tells it once until the database can be used again."""
        try:
            value = await trio.to_thread.run_sync(function, *arguments, limiter=self._threads)
        except StoreError as error:
            if not self._told:
                problem = error.problem if isinstance(error, StoreUnavailable) else str(error)
                self._say(Notice(f"{problem}; webhooks wait until it can be used again", "database_unavailable"))
            self._told = True
            raise
        self._told = False
        return value
