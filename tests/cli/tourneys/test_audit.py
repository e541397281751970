"""`arena tourney audit` on results that were made up."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.ratings import Result as Played
from arena.store import open_store
from arena.values.rows import SeatRow
from bench.research.audit_simulation import Plot, tournament
from referee.games.cambio import CAMBIO
from tests import played

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)


def stored(results: Iterable[Played], forfeits: dict[int, int] | None = None) -> None:
    """Store results of bots a, b, c, d as a tournament.

    forfeits: by match, the seat that is forfeited.
    """
    record = played.match(CAMBIO)
    with open_store("arena.db", create=True, write=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, bots=4))
        store.add_matches(
            number,
            [
                replace(record, number=match, deal=result.deal, seats=_seats(result, (forfeits or {}).get(match)))
                for match, result in enumerate(results)
            ],
        )


def _seats(result: Played, forfeited: int | None) -> tuple[SeatRow, ...]:
    return tuple(
        SeatRow(int(str(bot)[3:]), seat, score, rank, 1, 1, seat == forfeited)
        for seat, (bot, score, rank) in enumerate(zip(result.teams, result.scores, result.ranks, strict=True))
    )


def audit(*words: str) -> Result:
    return CliRunner().invoke(main, ["tourney", "audit", *words], catch_exceptions=False)


def printed() -> Any:
    return json.loads(audit("--json").stdout)


def test_colluders_are_named_and_the_exit_code_tells() -> None:
    stored(tournament(4, 4, 200, np.random.default_rng(1), Plot("flow", 0.7)))
    shown = audit()
    assert shown.exit_code == 1
    assert "collusion: 1 of 6 looked at stand out (!)" in shown.stdout
    marked = [line for line in shown.stdout.splitlines() if line.startswith("!")]
    assert len(marked) == 1
    assert "from a to b" in marked[0]
    assert "arena matches --tourney 1 --bot a --against b" in shown.stdout
    first, *others = printed()["pairs"]
    assert (first["kind"], first["one"], first["other"], first["stands_out"]) == ("flow", "a", "b", True)
    assert not any(each["stands_out"] for each in others)
    assert first["made"] - first["expected"] == pytest.approx(first["beyond"], abs=1e-5)


def test_honest_bots_are_not() -> None:
    stored(tournament(4, 4, 60, np.random.default_rng(1)))
    shown = audit("1")
    assert shown.exit_code == 0
    assert "nothing stands out of 6 looked at" in shown.stdout
    assert "forfeits: none" in shown.stdout
    assert "every bot sat in every seat equally often" in shown.stdout


def test_what_forfeits_did_to_the_ranking() -> None:
    results = list(tournament(4, 4, 30, np.random.default_rng(1)))
    lost = {number: result.teams.index("bot0") for number, result in enumerate(results) if number % 3 == 0}
    stored(
        [
            result._replace(ranks=tuple(4 if seat == lost[number] else 1 for seat in range(4)))
            if number in lost
            else result
            for number, result in enumerate(results)
        ],
        lost,
    )
    shown = audit()
    assert shown.exit_code == 0
    assert "forfeits: in 40 matches (33.3 %); the ranking without them" in shown.stdout
    told = printed()["forfeits"]
    assert (told["matches"], told["by_bot"]) == (40, {"a": 40})
    of_a = next(row for row in told["ranking"] if row["bot"] == "a")
    assert of_a["elo_without"] > of_a["elo"]
    assert of_a["rank_without"] == 1 < of_a["rank"]


def test_seats_that_were_not_shared_are_shown_and_few_bots_tell_nothing() -> None:
    stored(Played(deal, ("bot0", "bot1"), (1, 2), (1, 0)) for deal in range(3))
    shown = audit()
    assert shown.exit_code == 0
    assert "collusion: unknown" in shown.stdout
    assert "seats: one bot sat in some seat 3 times more than in another" in shown.stdout
    assert printed()["seats"]["matches"] == [[3, 0], [0, 3], [0, 0], [0, 0]]


def test_there_must_be_such_a_tournament() -> None:
    with open_store("arena.db", create=True):
        pass
    assert audit("9").exit_code == 2
