import re

import numpy as np
from click.testing import CliRunner

from bench.research.league_ratings import batch, main


def test_batches_have_every_deal_in_every_rotation() -> None:
    matches = batch(np.linspace(-1, 1, 20), np.random.default_rng(1))
    assert len(matches) == 32 * 25 * 4
    seats: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for match in matches:
        seats.setdefault((match.table, match.deal), []).append(match.entrants)
    for (table, _), rotations in seats.items():
        assert {frozenset(entries) for entries in rotations} == {frozenset(seats[table, 0][0])}
        assert all(len(set(held)) == 4 for held in zip(*rotations, strict=True))


def test_a_small_league_is_measured() -> None:
    result = CliRunner().invoke(main, ["--league", "20:7"])
    assert result.exit_code == 0
    assert "20 entries, 22,400 matches in 7 batches" in result.output
    assert re.search(r"exact intervals +[\d.]+ m?s \(CPU [\d.]+ m?s\), peak memory \d+", result.output)
    (size,) = re.findall(r"bytes a table +(\d+)", result.output)
    assert int(size) < 300
    (error,) = re.findall(r"sampled: error against exact +([\d.]+) %", result.output)
    assert 0 < float(error) < 5


def test_a_league_is_two_numbers() -> None:
    result = CliRunner().invoke(main, ["--league", "500"])
    assert result.exit_code == 2
    assert "'500' is not two numbers, of entries (8 or more) and of batches (6 or more): 500:313" in result.output
