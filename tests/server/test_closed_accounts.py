"""Closing an account changes the pages of tournaments at once, whatever they had in their caches before."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import update

from arena.cli import main
from arena.league.account_closing import close_account
from arena.results.standings import standings
from arena.results.stored_tournament import StoredTournament
from arena.server.access import VISITOR
from arena.store import Store, open_store
from arena.store.engine.schema import actions, events
from arena.store.matches.row_saving import add_entrants
from arena.store.people.accounts import AUTHOR
from sample_bots import SAMPLES
from tests import leagues
from tests.server.conftest import Client

pytestmark = pytest.mark.usefixtures("in_process")

NAME = "wanda"
PAGES = (
    "/",
    "/tournaments/1",
    "/tournaments/2",
    "/tournaments/1/ranking",
    "/tournaments/1/ranking.tex",
    "/tournaments/1/matches.csv",
    "/matches?tournament=1",
    "/matches?tournament=1&bot=fox/hen",
    "/bots",
    "/bots/fox/hen",
    "/api/v1/tournaments",
    "/api/v1/tournaments/1",
    "/api/v1/matches?tournament=2",
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Swiss tournament of bots of two owners, and one of two bots that stops early."""
    path = tmp_path_factory.mktemp("played") / "arena.db"
    with open_store(path, create=True) as store:
        for name in (NAME, "fox"):
            assert store.accounts.add(name, AUTHOR, name.encode().hex().ljust(64, "0"))
        for name, bot in ((f"{NAME}/owl", "counter"), ("fox/hen", "cautious"), (f"{NAME}/owl", "random")):
            leagues.submit_file(store, name, SAMPLES[bot].path)
    game = ["--game", "cambio", "--seats", "2", "--trust-bots", "--jobs", "1", "--sandbox", "off", "--db", str(path)]
    field = ["--bots", f"{NAME}/owl@1,fox/hen,{NAME}/owl@2,random"]
    for words in (
        ["--rounds", "2", "--schedule", "swiss", "--stages", "2", *field],
        ["--rounds", "500", "--sprt", "elo0=-400,elo1=-300", "--bots", f"{NAME}/owl@1,random"],
    ):
        answer = CliRunner().invoke(main, ["tourney", *words, *game])
        assert answer.exit_code in (0, 4, 5), answer.output
    return path


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played, tmp_path / "arena.db"))


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with open_store(path, write=True) as opened:
        yield opened


def test_no_page_has_the_name_after_the_account_is_closed(store: Store) -> None:
    client, match = Client(store, VISITOR), max(row.id for row in store.matches(bot=f"{NAME}/owl"))
    replay = (f"/matches/{match}", f"/matches/{match}/story", f"/api/v1/matches/{match}/replay")
    addresses = (*PAGES, *replay)
    before = {address: client.get(address, "*/*") for address in addresses}
    assert all(answer.status_code == 200 for answer in before.values())
    assert [address for address, answer in before.items() if NAME not in answer.text] == []
    assert close_account(store, NAME) is not None
    for address, known in before.items():
        etag = {"if-none-match": known.headers["etag"]} if "etag" in known.headers else {}
        answer = client.get(address, "*/*", **etag)
        assert answer.status_code == 200, address
        assert NAME not in answer.text, address
        assert "closed-1/1" in answer.text, address
    assert "closed-1/1@1" in client.get("/bots/closed-1/1", "*/*").text


@pytest.mark.parametrize("address", ["/bots/wanda/owl", "/bots/wanda/owl@1", "/api/v1/bots/wanda/owl"])
def test_a_bot_of_a_closed_account_is_as_unknown_as_one_that_never_was(store: Store, address: str) -> None:
    client, other = Client(store, VISITOR), address.replace("owl", "emu")
    assert client.get(address, "*/*").status_code == 200
    assert close_account(store, NAME) is not None
    gone, never = client.get(address, "*/*"), client.get(other, "*/*")
    assert (gone.status_code, never.status_code) == (404, 404)
    assert gone.text.replace("owl", "emu") == never.text


def test_results_are_the_same_under_other_names(store: Store) -> None:
    def placed() -> list[object]:
        found = [standings(StoredTournament.load(store, number)) for number in (1, 2)]
        rows = [
            (row.bot, round(row.elo, 6), None if row.ci95 is None else round(row.ci95, 6), row.matches)
            for each in found
            for row in each.table.rows
        ]
        return [sorted(rows), found[0].placing, found[1].verdict]

    before = placed()
    assert close_account(store, NAME) is not None
    after = placed()
    renamed = json.loads(json.dumps(before, default=str).replace(f"{NAME}/owl", "closed-1/1"))
    assert [sorted(renamed[0]), *renamed[1:]] == json.loads(json.dumps(after, default=str))


def test_the_log_of_a_tournament_names_nobody_whose_account_is_closed(path: Path, store: Store) -> None:
    bot: dict[str, object] = {"name": f"{NAME}/owl@1", "submission": f"{NAME}/owl@1", "author": NAME}
    bot |= {"command": ["x"], "folder": ".", "sha256": "0"}
    assert store.append_decision(1, NAME, "enter", {"place": 4, "bot": bot}, f"{NAME}/owl@1 asked")
    assert close_account(store, NAME) is not None
    for words in (["log", "1"], ["log", "1", "--json"]):
        answer = CliRunner().invoke(main, ["tourney", *words, "--db", str(path)])
        assert answer.exit_code == 0, answer.output
        assert NAME not in answer.output
        assert "closed-1/1@1 asked" in answer.output


@pytest.mark.parametrize("form", [["jsonl"], ["jsonl", "--results"], ["csv"]], ids=" ".join)
def test_no_export_has_the_name(path: Path, store: Store, form: list[str]) -> None:
    bot: dict[str, object] = {"name": f"{NAME}/emu@1", "submission": f"{NAME}/emu@1", "author": NAME}
    bot |= {"command": [], "folder": "", "files": [], "sha256": "0"}
    assert store.append_decision(1, NAME, "pause", {}, f"{NAME}/owl@1 asked")
    assert store.append_decision(1, NAME, "enter", {"place": 4, "bot": bot})

    def export() -> bytes:
        answer = CliRunner().invoke(main, ["tourney", "export", "1", "--format", *form, "--db", str(path)])
        assert answer.exit_code == 0, answer.output
        return answer.stdout_bytes

    assert NAME.encode() in export()
    assert close_account(store, NAME) is not None
    after = export()
    assert NAME.encode() not in after
    assert b"closed-1/1@1" in after


def test_tournaments_and_their_archives_are_sound(path: Path, store: Store, tmp_path: Path) -> None:
    assert store.append_decision(1, NAME, "pause", {}, f"{NAME}/owl@1 asked")
    assert close_account(store, NAME) is not None
    published = store.tournament(1)
    file, copy = tmp_path / "one.jsonl", tmp_path / "copy.db"
    for words in (
        ["verify", "1", "--db", str(path)],
        ["verify", "2", "--db", str(path)],
        ["export", "1", "--to", str(file), "--db", str(path)],
        ["import", str(file), "--db", str(copy)],
        ["verify", "1", "--db", str(copy)],
    ):
        answer = CliRunner().invoke(main, ["tourney", *words])
        assert answer.exit_code == 0, (words, answer.output)
        if words[0] == "import":
            assert f"its hash is not the published {published.definition_hash}\n" in answer.output
    head = json.loads(file.read_text().splitlines()[0])["tournament"]
    assert head["published_definition_hash"] == published.definition_hash != head["definition_hash"]
    assert head["published_log_hash"] == published.log_end.digest != head["log_hash"]
    with open_store(copy) as elsewhere:
        assert elsewhere.tournament(1).names == published.names
        assert elsewhere.tournament(1).definition == published.definition
        found = [standings(StoredTournament.load(each, 1)).table.rows for each in (store, elsewhere)]
        assert found[0] == found[1]


def test_names_are_not_replaced_in_what_was_changed(path: Path, store: Store) -> None:
    assert store.append_decision(1, NAME, "pause", {}, "a rest")
    assert close_account(store, NAME) is not None
    for change, sentence in (
        (update(actions).values(reason="no rest"), "entry 1 of its log is not as it was written"),
        (update(events).values(definition_hash="0" * 64), "the definition is not the one whose hash was published"),
    ):
        with store.write() as connection:
            connection.execute(change)
        file = path.with_name("before.jsonl")
        file.write_text("an earlier export")
        words = ["tourney", "export", "1", "--to", str(file), "--db", str(path)]
        answer = CliRunner().invoke(main, words, prog_name="arena")
        assert answer.exit_code == 2
        assert file.read_text() == "an earlier export"
        assert not list(path.parent.glob(".before*"))
        assert sentence in answer.stderr
        assert "the names of closed accounts cannot be replaced in it" in answer.stderr


def test_bots_that_come_later_are_hidden_too(store: Store) -> None:
    assert close_account(store, NAME) is not None
    new = store.tournament(1)
    with store.write() as connection:
        late = replace(new.entrants[0], name=f"{NAME}/emu@7")
        add_entrants(connection, new.key, [late], len(new.entrants))
    assert store.tournament(1).names[-1] == "closed-1/2@7"
