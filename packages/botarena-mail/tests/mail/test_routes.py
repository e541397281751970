"""Mail on the pages: chosen by owners, addresses confirmed, ended by a link; nobody else's."""

import re
from typing import Any

import pytest
from arena_mail.events import add_mail
from arena_mail.kinds import KINDS, TEST, USUAL
from arena_mail.plugin import arena_site
from arena_mail.rows import MailRefused
from arena_mail.store import Mails

from arena.bots.hand_in_worker import HandInWorker
from arena.server.access import VISITOR
from arena.store import Store
from arena.values.rows import utc_now
from tests.server.api.conftest import own, worker
from tests.server.conftest import Client, signed_in

__all__ = ["own", "worker"]  # fixtures

OPTIONS = {"mail_server": "smtp+plain://127.0.0.1:1", "mail_from": "arena@example.org"}
SITE = "https://arena.example.org"


@pytest.fixture
def client(own: Store, worker: HandInWorker) -> Client:
    part = arena_site(own, OPTIONS, print, SITE)
    assert part is not None
    Mails(own).listen()

    async def nothing() -> None:
        pass

    part = type(part)(**{name: getattr(part, name) for name in part.__slots__} | {"run": nothing})
    return Client(own, VISITOR, hand_ins=worker, parts=[part])


def claimed(store: Store) -> Any:
    mail = Mails(store).claim(2**45, 2**46)
    assert mail is not None
    assert Mails(store).note_sent(mail.claim)
    return mail


@pytest.mark.parametrize("kind", [*KINDS, TEST])
def test_mail_of_each_kind_is_listed(own: Store, client: Client, kind: str) -> None:
    club = signed_in(own, client, "club")
    own.accounts.describe("club", email="club@example.org")
    with own.write() as connection:
        add_mail(connection, kind, {}, "x", utc_now(), account="club")
    assert client.get("/mail", **club).status_code == 200


def test_owners_choose_what_they_get(own: Store, client: Client) -> None:
    club = signed_in(own, client, "club")
    assert client.get("/mail").status_code == 403
    assert 'href="/mail"' in client.get("/sign-in", **club).text
    page = client.get("/mail", **club)
    assert page.headers["cache-control"] == "no-store"
    assert page.text.count("checkbox") == len(KINDS)
    assert page.text.count(" checked>") == len(USUAL)
    assert client.post("/mail", "cross-site", data={}, headers=club).status_code == 403
    answer = client.post("/mail", data={"placed": "on", "language": "ja", "owl": "on"}, headers=club)
    assert (answer.status_code, answer.headers["location"]) == (303, "/mail")
    owner = Mails(own).owner("club")
    assert (owner.kinds, owner.language) == (("placed",), "ja")
    client.post("/mail", data={"language": "../en"}, headers=club)
    assert (Mails(own).owner("club").kinds, Mails(own).owner("club").language) == ((), "")


def test_an_address_is_confirmed_by_whoever_reads_it(own: Store, client: Client) -> None:
    club = signed_in(own, client, "club")
    wrong = client.post("/mail/address", data={"address": 'ann@x.org\r\nBcc: "<b>'}, headers=club)
    assert wrong.status_code == 422
    assert "is no address for mail" in wrong.text
    assert "<b>" not in wrong.text
    assert client.post("/mail/address", data={"address": "club@new.example"}, headers=club).status_code == 303
    assert "club@new.example" in client.get("/mail", **club).text
    path = f"/mail/confirm/{claimed(own).data['secret']}"
    assert "club@new.example" in client.get(path).text
    assert Mails(own).owner("club").address == "", "to look at a link changes nothing"
    assert client.post(path, "cross-site").status_code == 403
    assert client.post(path).status_code == 200
    assert Mails(own).owner("club").address == "club@new.example"
    assert client.post(path).status_code == client.get(path).status_code == 404
    assert client.post("/mail/test", headers=club).status_code == 303
    assert claimed(own).kind == "test"
    client.post("/mail/address", data={"address": ""}, headers=club)
    assert Mails(own).owner("club").address == ""
    assert client.post("/mail/test", headers=club).status_code == 422


def test_nobody_floods_others_with_mails_to_confirm(own: Store, client: Client) -> None:
    club = signed_in(own, client, "club")
    answers = [
        client.post("/mail/address", data={"address": f"ann{number}@example.org"}, headers=club) for number in range(6)
    ]
    assert [answer.status_code for answer in answers] == [303] * 5 + [429]


def test_a_link_ends_all_mail_also_for_mail_programs(own: Store, client: Client) -> None:
    signed_in(own, client, "club")
    Mails(own).choose("club", KINDS)
    with own.write() as connection:
        from arena_mail.events import secret_of

        path = f"/mail/unsubscribe/{secret_of(connection, 'club')}"
    page = client.get(path)
    assert page.status_code == 200
    assert Mails(own).owner("club").kinds == KINDS, "programs that look at links end nothing"
    assert "club" in page.text
    one_click = client.post(path, "cross-site", content="List-Unsubscribe=One-Click")
    assert one_click.status_code == 200
    assert Mails(own).owner("club").kinds == ()
    assert "set-cookie" not in one_click.headers
    assert client.post(f"{path}x", "cross-site").status_code == 404
    assert client.post("/mail", "cross-site").status_code == 403


@pytest.mark.parametrize("language", ["en", "ko", "ja"])
def test_pages_are_in_all_languages(own: Store, client: Client, language: str) -> None:
    club = signed_in(own, client, "club")
    own.accounts.describe("club", email="club@example.org")
    Mails(own).add_test("club")
    mail = Mails(own).claim(2**45, 2**46)
    assert mail is not None
    Mails(own).note_refused(mail.claim, "club@example.org", "550 5.1.1 <b>Who?")
    page = client.get(f"/mail?lang={language}", **club)
    assert f'lang="{language}"' in page.text
    assert "550 5.1.1 &lt;b&gt;Who?" in page.text
    assert bool(
        re.search("[가-힣ぁ-ん]", page.text.partition("<main")[2].replace("한국어", "").replace("日本語", ""))
    ) == (language != "en")
    client.post("/mail/again", headers=club)
    assert Mails(own).owner("club").refused == ""


def test_a_server_is_told_what_it_lacks(own: Store) -> None:
    assert arena_site(own, {}, print, SITE) is None
    with pytest.raises(MailRefused, match="--mail-server needs --public-url"):
        arena_site(own, OPTIONS, print, None)
    with pytest.raises(MailRefused, match="--mail-server needs --mail-from"):
        arena_site(own, {"mail_server": "smtp://a"}, print, SITE)
    with pytest.raises(MailRefused, match="--mail-from needs --mail-server"):
        arena_site(own, {"mail_from": "a@b.c"}, print, SITE)
