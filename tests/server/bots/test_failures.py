"""Process failures on the pages, and what each visitor may see of them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.server.access import VISITOR, Access
from arena.server.bots import failures
from arena.store import Store, open_store
from arena.values.failure_rows import ProcessFailureRow
from referee.games.cambio import CAMBIO
from tests import played
from tests.server.conftest import Client

EVIL = "<script>alert(1)</script>"
MOMENT = 1_700_000_000_000_000
FAILED = ProcessFailureRow(
    0, 1, 1, MOMENT, "crash", f"it ended {EVIL}", None, 9, (0, 1), None, f"one\nthe card is 7 {EVIL}"
)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Store]:
    """Tournament 1 is finished, tournament 2 under way; processes of club/owl failed in both, one of b in the first."""
    with open_store(tmp_path / "arena.db", create=True) as store:
        new = played.tournament(CAMBIO, matches=8)
        field = (new.entrants[0], replace(new.entrants[1], name="club/owl"), *new.entrants[2:])
        rows = [played.match(CAMBIO, number) for number in range(8)]
        for over in (True, False):
            number = store.add_tournament(replace(new, entrants=field))
            other = replace(FAILED, entrant=2, player=2, output="secret of c", exit_code=3, signal=None)
            store.add_matches(number, rows if over else rows[:4], failures=[FAILED, *([other] if over else [])])
            if over:
                store.finish_tournament(number)
        yield store


ADDRESSES = ("/failures", "/bots/club/owl", "/tournaments/1", "/tournaments/2")


def test_the_organiser_reads_everything(own: Store) -> None:
    site = Client(own, Access())
    for address in ADDRESSES:
        page = site.get(address)
        assert page.status_code == 200
        assert "Process failures" in page.text
        assert "<strong>crash</strong>, SIGKILL" in page.text
        assert "the card is 7 &lt;script&gt;" in page.text
        assert EVIL not in page.text
        assert 'href="/matches/1"' in page.text or address == "/tournaments/2"
    assert "secret of c" in site.get("/tournaments/1").text
    assert "secret of c" not in site.get("/bots/club/owl").text


def test_an_owner_reads_output_of_own_bots_after_the_tournament(own: Store) -> None:
    site = Client(own, Access(organiser=False, owner="club"))
    over, under_way = site.get("/failures?tournament=1").text, site.get("/failures?tournament=2").text
    assert "the card is 7" in over
    assert "secret of c" not in over
    assert "exit code 3" in over, "how processes ended is for everybody, as faults are"
    assert "<strong>crash</strong>, SIGKILL" in under_way
    for hidden in ("the card is 7", "open questions in match"):
        assert hidden not in under_way, "it could be told to bots that meet the same deal in another rotation"
        assert hidden not in site.get("/tournaments/2").text
    assert "when the tournament is over" in under_way
    assert "the card is 7" in site.get("/bots/club/owl").text


def test_a_visitor_reads_the_failure_without_output(own: Store) -> None:
    site = Client(own, VISITOR)
    for address in ADDRESSES:
        page = site.get(address).text
        assert "<strong>crash</strong>, SIGKILL" in page
        assert "the card is 7" not in page
        assert "secret of c" not in page
    assert VISITOR.match(own, 1).failures[0].output == ""
    assert Access(organiser=False, owner="club").match(own, 1).failures[0].output == FAILED.output


def test_the_ranking_has_a_failure_column_if_any_process_failed(own: Store, site: Client) -> None:
    assert ">crash 1</span></td>" in Client(own, VISITOR).get("/tournaments/1/ranking").text
    assert "process failures" not in site.get("/tournaments/1/ranking").text
    assert "Process failures" not in site.get("/tournaments/1").text


def test_lists_are_paged(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    own.add_matches(1, [], failures=[replace(FAILED, time_us=MOMENT + number) for number in range(1, 12)])
    site = Client(own, Access())
    assert "all 12 failures" not in site.get("/bots/c").text
    assert "all 13 failures" in site.get("/tournaments/1").text
    monkeypatch.setattr(failures, "AT_ONCE", 4)
    first = site.get("/failures?tournament=1&bot=club/owl").text
    assert first.count("<time") == 4
    before = MOMENT + 8
    assert f"tournament=1&amp;bot=club%2Fowl&amp;before={before}" in first
    last = site.get(f"/failures?tournament=1&bot=club/owl&before={MOMENT + 2}").text
    assert last.count("<time") == 2
    assert "older failures" not in last
    assert "No process has failed" in site.get("/failures?bot=nobody").text
    assert site.get("/failures?tournament=9").status_code == 404
