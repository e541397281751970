"""Chess keeps arena's contract."""

import pytest
from botarena_chess.game import CHESS

from arena.testing import check_declaration
from arena.testing.contract_suite import check_preset


def test_the_declaration() -> None:
    check_declaration(CHESS)


@pytest.mark.parametrize("preset", CHESS.presets)
def test_the_contract(preset: str) -> None:
    check_preset(CHESS, preset, examples=1)
