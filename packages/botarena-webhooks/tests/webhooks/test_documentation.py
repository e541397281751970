"""The receiver of docs/webhooks.md, as a process of its own."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
import trio
from arena_webhooks.addresses import AddressRules
from arena_webhooks.kinds import EVENTS, KINDS, WORDS
from arena_webhooks.registration import add_webhook
from arena_webhooks.store import Webhooks
from arena_webhooks.worker import WebhookWorker

from arena.store import open_store

PAGE = Path(__file__).parents[4] / "docs" / "webhooks.md"


@pytest.mark.processes
def test_the_receiver_accepts_what_is_signed_and_nothing_else(tmp_path: Path) -> None:
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    listener = socket.create_server(("127.0.0.1", 0))  # so that its port is free, and connections wait for it
    port = listener.getsockname()[1]
    code = code.replace(
        'HTTPServer(("127.0.0.1", 8080), Receiver)',
        f"server = HTTPServer(('', 0), Receiver, False); server.socket.close(); "
        f"server.socket = __import__('socket').socket(fileno={listener.fileno()}); server",
    ).replace("print(", "print(flush=True, *[", 1)
    code = code.replace("json.loads(body))", "json.loads(body)])", 1)
    with open_store(tmp_path / "arena.db", create=True) as store:
        store.accounts.add("club", "author", "0" * 64)
        url = f"http://127.0.0.1:{port}/"
        row, secret = add_webhook(Webhooks(store), "club", url, ())
        other, _ = add_webhook(Webhooks(store), "club", url, ())
        Webhooks(store).add_test(row.id)
        Webhooks(store).add_test(other.id)
        environment = os.environ | {"ARENA_WEBHOOK_SECRET": secret}
        with subprocess.Popen(
            [sys.executable, "-c", code],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            pass_fds=[listener.fileno()],
        ) as process:
            trio.run(WebhookWorker(Webhooks(store), AddressRules(local=True), print).deliver_due)
            process.terminate()
            output = process.communicate()[0]
        listener.close()
        [good], [wrong] = Webhooks(store).deliveries(row.id, 2), Webhooks(store).deliveries(other.id, 2)
    assert (good.status, wrong.status) == (204, 401)
    assert output.count("webhook.test") == 1


def test_the_table_of_events_is_what_is_sent() -> None:
    rows = re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \| .* \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    fields = {kind: re.findall(r"`(\w+)`", data) for kind, data in rows}
    sent = {kind: msgspec.structs.fields(EVENTS[kind])[-1].type for kind in KINDS}
    assert fields == {kind: [field.name for field in msgspec.structs.fields(data)] for kind, data in sent.items()}
    assert WORDS.keys() == set(KINDS)
