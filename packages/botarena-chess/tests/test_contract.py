"""Chess, Chess960 and variants keep arena's contract."""

import pytest
from botarena_chess.family import FAMILY
from botarena_chess.game import CHESS, CHESS960

from arena.testing import check_declaration
from arena.testing.contract_suite import check_preset

VARIANTS = ("atomic", "crazyhouse", "xiangqi", "shogi", "janggi", "duck")


def test_the_declaration() -> None:
    check_declaration(CHESS)
    check_declaration(CHESS960)


@pytest.mark.parametrize("preset", CHESS.presets)
def test_the_contract(preset: str) -> None:
    check_preset(CHESS, preset, examples=1)


@pytest.mark.parametrize("preset", ["default", "standard"])
def test_the_contract_of_chess960(preset: str) -> None:
    check_preset(CHESS960, preset, examples=1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_contract_of_variants(variant: str) -> None:
    pytest.importorskip("pyffish", reason="the extra `variants`")
    game = FAMILY.game(variant)
    check_declaration(game)
    check_preset(game, "blitz", examples=1)
