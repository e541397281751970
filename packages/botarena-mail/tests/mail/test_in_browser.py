"""The pages of mail in a real browser, for people who cannot see well, or have no mouse."""

from pathlib import Path
from typing import Any

import pytest
from arena_mail.events import secret_of
from arena_mail.kinds import KINDS
from arena_mail.store import Mails

from arena.run.remote.tokens import token_hash
from arena.store import open_store
from tests.server.conftest import browser
from tests.server.test_accessible import audited_in_both
from tools.serving import served

__all__ = ["browser"]  # a fixture

pytestmark = pytest.mark.toolchain


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_the_pages_are_accessible(tmp_path: Path, browser: Any, size: tuple[int, int]) -> None:
    db = tmp_path / "arena.db"
    with open_store(db, create=True) as store:
        store.accounts.add("club", "author", token_hash("club"))
        store.accounts.describe("club", email="club@example.org")
        mails = Mails(store)
        mails.choose("club", KINDS)
        mails.add_test("club")
        claimed = mails.claim(2**45, 2**46)
        assert claimed is not None
        mails.note_refused(claimed.claim, claimed.address, "550 5.1.1 <club@example.org>: User unknown in a table")
        with store.write() as connection:
            secret = secret_of(connection, "club")
    words = (
        "--mail-server",
        "smtp+plain://127.0.0.1:1",
        "--mail-from",
        "a@example.org",
        "--public-url",
        "http://localhost",
    )
    with served(db, "--sign-in", *words) as server:
        page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        page.goto(f"{server.address}/sign-in")
        page.fill("input[name=token]", "club")
        page.click("button.main")
        for path in ("/mail", "/mail?lang=ko", "/mail?lang=ja", f"/mail/unsubscribe/{secret}?lang=en"):
            page.goto(server.address + path)
            assert audited_in_both(page) == [], path
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        page.click("button.main")
        assert "gets no more mail" in page.inner_text("main")
        page.close()
