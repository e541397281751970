"""Harbour keeps the contract of arena's games, under each preset and where its scenarios lead."""

from pathlib import Path

from arena_harbour.harbour import HARBOUR

from arena.testing import check_game


def test_the_contract() -> None:
    check_game(HARBOUR, scenarios=Path(__file__).parent.parent / "scenarios")
