"""`arena accounts webhooks`."""

import json
from pathlib import Path

import pytest
from arena_webhooks.store import Webhooks
from click.testing import CliRunner

from arena.cli import main
from arena.store import open_store
from tests.cli.test_accounts import run


@pytest.fixture
def db(tmp_path: Path) -> str:
    path = str(tmp_path / "arena.db")
    run(path, "create", "club")
    return path


def test_a_webhook_is_added_shown_tested_and_removed(db: str) -> None:
    secret = run(db, "webhooks", "add", "club", "https://example.org/", "--event", "season.over").stdout.strip()
    assert secret.startswith("whsec_")
    other = json.loads(run(db, "webhooks", "add", "club", "https://example.org/2", "--json").stdout)
    assert (other["webhook"], len(other["events"])) == (2, 12)
    listed = run(db, "webhooks", "list", "--json").stdout
    assert secret not in listed
    first, _ = json.loads(listed)["webhooks"]
    assert (first["events"], first["switched_off"]) == ("season.over", "")
    assert "nothing was sent yet" in run(db, "webhooks", "deliveries", "1").output
    run(db, "webhooks", "test", "1")
    [sent] = json.loads(run(db, "webhooks", "deliveries", "1", "--json").stdout)["deliveries"]
    assert (sent["event"], sent["state"], sent["status"]) == ("webhook.test", "waiting", "")
    with open_store(db, write=True) as store:
        claimed = Webhooks(store).claim(2**45, 2**46)
        assert claimed is not None
        Webhooks(store).note_failure(claimed.claim, 410, "the answer is 410", None)
    assert "its receiver answers that it is gone" in run(db, "webhooks", "list").output
    assert "switched off" in run(db, "webhooks", "test", "1", code=2).output
    run(db, "webhooks", "enable", "1")
    run(db, "webhooks", "remove", "1")
    assert [
        each["webhook"] for each in json.loads(run(db, "webhooks", "list", "club", "--json").stdout)["webhooks"]
    ] == ["2"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("add", "elk", "https://example.org/"), "there is no account elk"),
        (("add", "club", "http://example.org/"), "must begin with https://"),
        (("add", "club", "https://example.org/", "--event", "born"), "Invalid value for '--event'"),
        (("test", "7"), "there is no webhook 7"),
        (("enable", "7"), "there is no webhook 7"),
        (("remove", "7"), "there is no webhook 7"),
        (("deliveries", "7"), "there is no webhook 7"),
    ],
)
def test_mistakes_are_sentences(db: str, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in run(db, "webhooks", *words, code=2).output


def test_pages_without_accounts_take_no_options_of_webhooks(db: str) -> None:
    done = CliRunner().invoke(main, ["web", "--local-webhooks", "--db", db])
    assert (done.exit_code, "--local-webhooks needs --sign-in" in done.output) == (2, True)
