"""What a deadline costs a server: many hand-ins of many owners within a minute, and the order of their checks.

    python -m bench.hand_in_deadline [--owners 200] [--each 5] [--kilobytes 100]

Owners hand in by the API, as fast as the server takes it, with some requests at a time: the real application, called
in this process, with a database in a file. Meanwhile nothing is checked. Then a list and the queue are asked for with
all of them waiting, and the queue is emptied without checks, which shows whose turn it is.
"""

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click
import httpx
import trio

from arena.bench.figures import BenchError
from arena.bots.hand_in_rows import HandInEnd
from arena.bots.hand_in_worker import HandInWorker
from arena.bots.hand_ins import HandIns
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.run.remote.tokens import new_token, token_hash
from arena.server.access import VISITOR
from arena.server.site import application
from arena.store import Store, open_store
from arena.store.engine.worker_name import worker_name

AT_ONCE = 8
"""Requests at a time."""

LONGEST = 60.0
"""Seconds within which all are to be taken."""

MOST_AHEAD = 1
"""Turns: what is handed in, or ended, within the same second has no order."""

LIST = "/hand-ins?limit=200"


def make_account(store: Store, name: str, role: str, *scopes: str) -> str:
    """Make an account; return a token of it."""
    secret = new_token()
    store.accounts.add(name, role, token_hash(new_token()))
    store.account_tokens.add(name, "bench", scopes, token_hash(secret), None)
    return secret


async def hand_in_all(client: httpx.AsyncClient, tokens: dict[str, str], each: int, content: bytes) -> None:
    """Hand in so many bots of every owner, those of all owners in turn. Raises BenchError if one is not taken."""
    send, receive = trio.open_memory_channel[tuple[str, int]](0)

    async def hand_in() -> None:
        async for owner, number in receive:
            address = f"/hand-ins?name={owner}/bot{number}&file=bot.py"
            headers = {"authorization": f"Bearer {tokens[owner]}", "content-type": "text/x-python"}
            answer = await client.post(address, content=content, headers=headers)
            if answer.status_code != 202:
                raise BenchError(f"a hand-in of {owner} was answered with {answer.status_code}: {answer.text}")

    async with trio.open_nursery() as nursery:
        for _ in range(AT_ONCE):
            nursery.start_soon(hand_in)
        async with send:
            for number in range(each):
                for owner in tokens:
                    await send.send((owner, number))


def checked_owners(store: Store) -> list[str]:
    """Empty the queue without checks; return whose hand-ins were taken, in their order."""
    owners = []
    while (claimed := HandIns(store).claim(worker_name(), 60.0)) is not None:
        owners.append(claimed.row.owner)
        HandIns(store).finish(claimed.claim, "refused", "is refused", HandInEnd(10_000))
    return owners


def turns_ahead(order: list[str]) -> list[int]:
    """Return by how many turns each hand-in was taken before that of the owner who had the fewest by then."""
    taken = dict.fromkeys(order, 0)
    ahead = []
    for owner in order:
        ahead.append(taken[owner] - min(taken.values()))
        taken[owner] += 1
    return ahead


def cost(function: Callable[[], object], times: int = 5) -> float:
    """Return the milliseconds of CPU that a call takes, on average, after a first one."""
    function()
    began = time.process_time()
    for _ in range(times):
        function()
    return (time.process_time() - began) / times * 1000


@click.command()
@click.option("--owners", default=200, show_default=True, type=click.IntRange(min=2))
@click.option("--each", default=5, show_default=True, type=click.IntRange(1, 5), help="Hand-ins of each owner.")
@click.option("--kilobytes", default=100, show_default=True, type=click.IntRange(1, 8000), help="Size of each.")
def main(owners: int, each: int, kilobytes: int) -> None:
    """Measure a deadline."""
    content = b"import arena.sdk\n".ljust(kilobytes * 1000, b"#")
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "arena.db", create=True) as store:
        tokens = {f"o{number}": make_account(store, f"o{number}", "author", "submit") for number in range(owners)}
        reader = make_account(store, "organiser", "organiser", "read")
        worker = HandInWorker(store, Hosting(), BuildTerms(), click.echo)
        transport = httpx.ASGITransport(application(store, VISITOR, hand_ins=worker))

        async def main() -> tuple[float, float]:
            async with httpx.AsyncClient(transport=transport, base_url="http://arena/api/v1") as client:
                began, used = time.monotonic(), time.process_time()
                await hand_in_all(client, tokens, each, content)
                return time.monotonic() - began, time.process_time() - used

        async def ask() -> None:
            async with httpx.AsyncClient(transport=transport, base_url="http://arena/api/v1") as client:
                answer = await client.get(LIST, headers={"authorization": f"Bearer {reader}"})
                if answer.status_code != 200:
                    raise BenchError(f"the list was answered with {answer.status_code}: {answer.text}")

        seconds, used = trio.run(main)
        count = owners * each
        waiting = len(HandIns(store).queue_places(1))
        click.echo(f"{waiting} of {count} hand-ins taken in {seconds:.1f} s, {used / count * 1000:.1f} ms of CPU each")
        click.echo(f"a list of 200: {cost(partial(trio.run, ask)):.1f} ms of CPU")
        click.echo(f"the queue: {cost(partial(HandIns(store).queue_places, 2)):.1f} ms of CPU")
        began = time.monotonic()
        order = checked_owners(store)
        click.echo(f"a claim and an end: {(time.monotonic() - began) / count * 1000:.1f} ms")
    ahead = turns_ahead(order)
    early = sum(turns > 0 for turns in ahead)
    click.echo(f"taken before another owner's turn: {early}, by {max(ahead)} at most")
    if waiting != count or seconds > LONGEST or max(ahead) > MOST_AHEAD:
        raise BenchError("a deadline is too much for this server")


if __name__ == "__main__":
    main()
