"""Chances to win in the ribbon of a replay, in a browser."""

from pathlib import Path

import pytest
from arena_insight.stored_chances import ChancesKey, StoredChances

from arena.replay.replay import Replay
from arena.store import open_store
from referee.engine import registry
from tests import played
from tests.server.conftest import Open
from tests.server.matches.test_stage import shown
from tests.server.test_accessible import audited_in_both
from tools.serving import served

pytestmark = pytest.mark.toolchain


def test_the_ribbon_shows_chances_to_win_where_they_are_stored(visit: Open, tmp_path: Path) -> None:
    game = registry.game("kille")
    path = tmp_path / "arena.db"
    with open_store(path, create=True) as store:
        row = played.match(game, seats=5, bots=5)
        match = store.match(store.add_single(played.tournament(game, bots=5, matches=1), row))
        errors = [0.05] * 5
        points = [[0, [0.2] * 5, errors], [30, [0.6, 0.1, 0.1, 0.1, 0.1], errors], [75, [1, 0, 0, 0, 0], [0] * 5]]
        swing = {"seat": 0, "from": 0, "move": 30, "before": 0.2, "after": 0.6, "error": 0.07}
        values = {"seat": None, "policy": "hoarder", "playouts": 64, "seed": 0, "points": points, "swings": [swing]}
        [chosen] = (answer for answer in Replay(match).frames()[31].answers)
        costly = {"frame": 31, "seat": chosen.seat, "move": str(chosen.move), "better": "keep"}
        numbers = {"chance": 0.2, "better_chance": 0.5, "cost": 0.3, "error": 0.06}
        found = {"costly": {"compared": 20, "moves": [costly | numbers]}}
        StoredChances(store).save(match, ChancesKey(None, game.behaviour, "hoarder", 64), values | found)
    with served(path) as server:
        page = visit(f"{server.address}/matches/1#move=31")
        shown(page)
        page.wait_for_selector("#ribbon .chance", state="attached")
        assert page.locator("#ribbon .band").count() == 5
        assert page.locator("#ribbon .chance").count() == 4  # the edges between them
        told = "was better: 50 % to win instead of 20 %, a difference of 30 % ± 6 %"
        assert told in page.inner_text(".question .cost").replace("\N{NO-BREAK SPACE}", " ")
        assert page.locator("#ribbon .costly:not(.rim)").count() == 1
        page.keyboard.press("Home")
        page.click("#story .costly")
        page.wait_for_function("() => document.getElementById('number').value === '31'")
        assert told in page.inner_text("#story [aria-current]").replace("\N{NO-BREAK SPACE}", " ")
        assert audited_in_both(page) == []
        assert page.locator("#ribbon .swing").count() == 1
        spoken = page.get_attribute("#scrub", "aria-valuetext")
        assert spoken.endswith(
            "chance to win at move 30: a 60 % ± 5 %, b 10 % ± 5 %, c 10 % ± 5 %, d 10 % ± 5 %, "
            "e 10 % ± 5 %, by 64 playouts"
        )
        page.keyboard.press("b")
        page.wait_for_function("() => document.getElementById('number').value === '30'")
        page.hover("#scrub")
        assert page.get_attribute("#scrub", "title").startswith("chance to win at move 30: a 60 % ± 5 %")
        page.click("#kind")
        page.wait_for_selector("#ribbon .score", state="attached")
        assert page.get_attribute("#kind", "aria-pressed") == "false"
        assert "chance" not in page.get_attribute("#scrub", "aria-valuetext")
        page.keyboard.press("c")
        page.wait_for_selector("#ribbon .chance", state="attached")
        page.select_option("#perspective", "1")  # nothing is stored for that seat
        page.wait_for_selector("#ribbon .score", state="attached")
        assert not page.is_visible("#kind")
        assert page.locator("#story .costly").count() == page.locator(".cost").count() == 0
        page.close()
