"""A stored match is small."""

from pathlib import Path
from random import Random

from arena.store import open_store
from arena.values.rows import FaultRow, MatchRow, SeatRow
from referee.engine.chance import deal_seed
from referee.engine.record import pack_answers, pack_time
from tests import played
from tests.guessing import GUESSING

MATCHES = 1000
ANSWERS = 300
SEATS = 6


def busy(number: int, rng: Random) -> MatchRow:
    """A match of 300 answers: mostly of two or three moves, at times of thirty; one match in ten has a fault."""
    answers = [int(rng.random() * (30 if rng.random() < 0.1 else 3)) for _ in range(ANSWERS)]
    times = bytes(pack_time(rng.lognormvariate(5.5, 0.7)) for _ in range(ANSWERS))
    seats = [SeatRow((number + seat) % 8, seat, seat * 3, seat + 1, 50, 12_000 + number) for seat in range(SEATS)]
    faults = (FaultRow(1, 17, "timeout", "it answered after 2.113 s, with no time left in the bank"),)
    return MatchRow(
        number, number % 6, number // 6, 0, number // 6, number % 6, deal_seed(played.SECRET, number // 6), 1,
        pack_answers(answers), times, rng.randbytes(16), 900, tuple(seats), faults * (number % 10 == 0),
    )  # fmt: skip


def test_a_match_of_300_answers_takes_less_than_2_kb_of_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    rng = Random(1)
    with open_store(path, create=True) as store:
        empty = path.stat().st_size
        tournament = store.add_tournament(played.tournament(GUESSING, bots=8, matches=MATCHES))
        store.add_matches(tournament, [busy(number, rng) for number in range(MATCHES)])
    assert not path.with_name("a.db-wal").exists()
    assert (path.stat().st_size - empty) / MATCHES < 1000
