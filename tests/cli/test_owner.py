"""What the owner of a bot is shown of a match, and what not."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.store import open_store
from arena.values.rows import OutputRow
from referee.games.cambio import CAMBIO
from tests import played

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture(autouse=True)
def _database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make match 6, in which sit fox, cub/fox, club/owl and club/owl#2 from seat 3 on, all with notes and output."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    frame = played.tournament(CAMBIO)
    names = ("fox", "cub/fox", "club/owl", "club/owl#2")
    field = tuple(replace(bot, name=name) for bot, name in zip(frame.entrants, names, strict=True))
    match = played.match(CAMBIO, 5, notes=True)
    outputs = [
        OutputRow(match.phase, seat.player, seat.entrant, f"printed by {names[seat.entrant]}\n") for seat in match.seats
    ]
    with open_store("arena.db", create=True) as store:
        store.add_matches(store.add_tournament(replace(frame, entrants=field)), [match], outputs)


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.stderr


@pytest.mark.parametrize(("owner", "seats"), [("fox", {3}), ("cub", {0}), ("club", {1, 2}), ("club/owl#2", {2})])
def test_an_owner_reads_notes_and_output_of_their_own_bots_alone(owner: str, seats: set[int]) -> None:
    replay = json.loads(run("replay", "6", "--output", "--owner", owner, "--json"))
    noted = {entry["seat"] for entry in replay["log"] if entry["type"] == "decision" and entry["notes"]}
    assert noted == {int(seat) for seat in replay["output"]} == seats
    shown = json.loads(run("match", "show", "6", "--owner", owner, "--json"))
    assert {note["seat"] for note in shown["notes"]} == seats
    assert {seat["seat"] for seat in shown["seats"] if seat["output"]} == seats


def test_the_organiser_reads_everything() -> None:
    text = run("replay", "6", "--output")
    assert all(f"    printed by {name}\n" in text for name in ("fox", "cub/fox", "club/owl", "club/owl#2"))
    assert all(f" of seat {seat}" in text for seat in range(4))


def test_a_seat_is_shown_its_own_output_alone() -> None:
    assert json.loads(run("replay", "6", "--output", "--seat", "3", "--json"))["output"] == {"3": "printed by fox\n"}


def test_who_has_no_bot_there_is_told() -> None:
    told = run("replay", "6", "--owner", "clan", code=2)
    assert "clan has no bot in match 6 (players: cub/fox, club/owl, club/owl#2, fox)" in told
