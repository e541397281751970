"""The dates of a league on its page, in its feed, where bots are handed in, and by the API."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.league.dates.control import GivenDates, extend, set_dates
from arena.league.results.hand_in_notices import league_notices
from arena.league.store.leagues import Leagues
from arena.server.access import VISITOR, account_access
from arena.server.api.league_values import DatesValue, league_value
from arena.store import Store, open_store
from arena.store.people.accounts import AUTHOR, AccountRow
from tests import leagues
from tests.server.conftest import Client

DATES = GivenDates(deadline="2199-05-20T18:00", timezone="Europe/Berlin")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        made = leagues.cambio(opened)
        for name in ("club/owl", "fox/hen"):
            Leagues(opened).enter(made.id, leagues.entry(leagues.submit(opened, name)), "arena")
        yield opened


def test_dates_are_shown_with_their_zone_and_a_league_without_any_has_none(store: Store) -> None:
    visitor = Client(store, VISITOR)
    assert '<dl id="dates" class="dates sheet" hidden></dl>' in visitor.get("/leagues/cambio").text
    set_dates(store, "cambio", DATES, "ann")
    page = visitor.get("/leagues/cambio").text
    shown = "2199-05-20 18:00 Europe/Berlin (UTC+02:00)"
    assert f'<time datetime="2199-05-20T16:00:00+00:00">{shown}</time>' in page
    assert "season 1: last hand-in counts " + shown in visitor.get("/leagues/cambio/feed.atom").text
    [season] = league_value(store, Leagues(store).named("cambio")).seasons
    assert season.dates == DatesValue(None, "2199-05-20T16:00:00+00:00", None, "Europe/Berlin")


def test_an_extension_is_shown_to_its_owner_alone(store: Store) -> None:
    set_dates(store, "cambio", DATES, "ann")
    extend(store, "cambio", "club", "2199-05-21T18:00", "ann", "was ill")
    accounts = [AccountRow(name, AUTHOR, "0" * 64, "2026-01-01T00:00:00+00:00") for name in ("club", "fox")]
    club, fox = (Client(store, account_access(account)) for account in accounts)
    assert "2199-05-21 18:00 Europe/Berlin" in club.get("/leagues/cambio").text
    for client in (fox, Client(store, VISITOR)):
        for path in ("/leagues/cambio", "/leagues/cambio/feed.atom"):
            assert "2199-05-21" not in client.get(path).text
    notices = league_notices(store, ["club", "fox"])
    assert "received before 2199-05-21 18:00" in notices["club"][0].sentence
    assert "received before 2199-05-20 18:00" in notices["fox"][0].sentence
