"""The commands: settings of accounts, what was sent, a test, invitations, and the check of the machine."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from arena_mail.plugin import arena_doctor
from arena_mail.store import Mails
from click.testing import CliRunner, Result
from mail.mail_server import receiving

from arena.cli import main
from arena.cli.doctor_checks.checks import run_checks
from arena.store import open_store

Arena = Callable[..., Result]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with open_store(tmp_path / "arena.db", create=True) as store:
        store.accounts.add("club", "author", "1" * 64)
        store.accounts.describe("club", email="club@example.org")
    return tmp_path / "arena.db"


@pytest.fixture
def arena(path: Path) -> Arena:
    return lambda *words, **how: CliRunner().invoke(main, [*words, "--db", str(path)], **how)


def test_what_accounts_get(arena: Arena) -> None:
    chosen = arena("accounts", "mail", "choose", "club", "--event", "placed", "--language", "ko")
    assert (chosen.exit_code, chosen.output) == (0, "club (club@example.org) gets: placed\n")
    [row] = json.loads(arena("accounts", "mail", "list", "--json").stdout)["accounts"]
    assert row == {
        "account": "club",
        "address": "club@example.org",
        "mail": "placed",
        "language": "ko",
        "refused": "",
    }
    assert arena("accounts", "mail", "choose", "club", "--again").output.endswith("gets: placed\n")
    assert arena("accounts", "mail", "choose", "club", "--none").output.endswith("gets: nothing\n")
    for words, error in (
        (("club",), "say what to change"),
        (("club", "--none", "--event", "placed"), "--none excludes --event"),
        (("owl", "--none"), "there is no account owl"),
    ):
        refused = arena("accounts", "mail", "choose", *words)
        assert refused.exit_code == 2
        assert error in refused.output
    assert "nothing was sent yet" in arena("accounts", "mail", "sent").output


def test_an_invitation_by_mail(arena: Arena, path: Path) -> None:
    refused = arena("accounts", "invite", "--mail", "ann@example.org\nBcc: x@example.org")
    assert refused.exit_code == 2
    assert "is no address for mail" in refused.output
    invited = arena("accounts", "invite", "fox", "--mail", "fox@example.org", "--json")
    link = json.loads(invited.stdout)["link"]
    with open_store(path, write=True) as store:
        claimed = Mails(store).claim(2**45, 2**46)
        assert claimed is not None
        assert (claimed.kind, claimed.account, claimed.address) == ("invitation", None, "fox@example.org")
        assert link.endswith(f"/invitations/{claimed.data['secret']}")
        assert claimed.data["name"] == "fox"
        assert Mails(store).note_sent(claimed.claim)
    assert claimed.data["secret"].encode() not in path.read_bytes()
    [row] = json.loads(arena("accounts", "mail", "sent", "--json").stdout)["mails"]
    assert (row["kind"], row["state"]) == ("invitation", "sent")


def test_a_test_is_sent_at_once() -> None:
    with receiving() as received:
        words = ["accounts", "mail", "test", "ann@example.org", "--language", "ja"]
        server = ["--mail-server", f"smtp+plain://{received.server}", "--mail-from", "Arena <arena@example.org>"]
        sent = CliRunner().invoke(main, [*words, *server])
        assert (sent.exit_code, sent.output) == (0, f"{received.server} has taken the mail to ann@example.org\n")
        assert "メール" in received.next().get_content()
        by_environment = CliRunner(env={"ARENA_MAIL_SERVER": server[1], "ARENA_MAIL_FROM": "arena@example.org"}).invoke(
            main, words
        )
        assert by_environment.exit_code == 0, by_environment.output
        received.on_recipient = lambda _: "550 5.1.1 No such user"
        refused = CliRunner().invoke(main, [*words, *server])
        assert refused.exit_code == 2
        assert "the mail was not sent: 550 5.1.1 No such user" in str(refused.exception) + refused.output
    assert "name the server by --mail-server" in CliRunner().invoke(main, words).output


def test_the_doctor_checks_the_server(path: Path, tmp_path: Path) -> None:
    def mail(**options: object) -> list[tuple[str, str]]:
        """Return the result, without the checks that follow, which start processes."""
        checked = run_checks(str(path), packages=options)
        return [next((result.verdict, result.sentence) for result in checked if result.name == "mail")]

    assert arena_doctor({}) == []
    with receiving() as received:
        url = f"smtp+plain://{received.server}"
        assert mail(mail_server=url, mail_from="arena@example.org") == [
            ("good", f"{received.server} takes mail, without TLS")
        ]
        assert received.mails.empty()
    assert mail(mail_server=url, mail_from="arena@example.org") == [
        ("less", f"no mail: {received.server} cannot be reached (Connection refused)")
    ]
    assert mail(mail_server=url)[0][0] == "less"


def test_pages_without_accounts_send_no_mail(arena: Arena) -> None:
    environment = {"ARENA_MAIL_SERVER": "smtp://mail.example.org", "ARENA_MAIL_FROM": "arena@example.org"}
    away = ["web", "--host", "192.0.2.1"]
    assert "cannot listen on 192.0.2.1:8000" in arena(*away, env=environment).output
    refused = arena(*away, "--mail-server", "smtp://mail.example.org")
    assert "--mail-server needs --sign-in" in refused.output
