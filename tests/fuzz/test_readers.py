"""A short part of `make fuzz`, always the same; and every damaged file of which a reader once made something else."""

import shutil
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.mutate import MUTATIONS, mutated
from tests.fuzz.readers import NAMES, SEEDS, Reader, fuzz, readers

SEED = 1
COUNT = {
    "bot.answers": 500,
    "bot.lines": 100,
    "manifest.toml": 100,
    "pack.tar": 100,
    "question.json": 100,
    "ratings.csv": 25,
    "ratings.jsonl": 25,
    "ratings.pgn": 25,
}
"""Damaged files of those readers that are quick; 8 of all others."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@pytest.fixture(scope="module")
def known(folder: Path) -> dict[str, Reader]:
    return {reader.name: reader for reader in readers(folder)}


def test_no_reader_is_left_out(known: dict[str, Reader]) -> None:
    assert tuple(known) == NAMES


@pytest.mark.promise
@pytest.mark.parametrize("name", NAMES)
def test_damaged_files_end_in_a_sentence(name: str, known: dict[str, Reader], folder: Path) -> None:
    assert fuzz(known[name], range(COUNT.get(name, 8)), SEED, folder) == []


@pytest.mark.parametrize("seed", sorted(path.name for path in SEEDS.iterdir() if path.name.partition("-")[0] in NAMES))
def test_what_was_mended_stays_mended(seed: str, known: dict[str, Reader], folder: Path) -> None:
    reader = known[seed.partition("-")[0]]
    for number in range(4):  # the ways in which it may be read
        path = folder / f"input{reader.ending}"
        shutil.copy(SEEDS / seed, path)
        reader.read(path, Random(number))


def test_the_same_numbers_make_the_same_damage() -> None:
    content = b'{"name": "a", "list": [1, 2, 3]}\n' * 5
    damaged = [mutated(content, Random(number)) for number in range(200)]
    assert damaged == [mutated(content, Random(number)) for number in range(200)]
    assert len(set(damaged)) > 150
    for mutation in MUTATIONS:
        for number in range(5):
            mutation(b"", Random(number), (b"",))
            mutation(content, Random(number), (content,))
