"""Table talk from end to end: a bot that talks, real processes, the record, the store, and the proof of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.plan.field import find_bots, samples
from arena.record.match_log import LogEvent, log
from arena.record.match_verification import check_match
from arena.run.single_match import Single, play_single
from arena.store import open_store
from arena.values.definition import TimeControl
from arena.values.rows import FaultRow
from referee.engine.record import Say
from referee.engine.registry import game

pytestmark = pytest.mark.usefixtures("in_process")

TALKER = """
from typing import Any

from arena.sdk import Bot, Question


class Talker(Bot[Any]):
    def choose(self, question: Question[Any]) -> str:
        question.say(f"seat {question.match.seat} has \\x1b[31mthe {question.view.card}, believe me! " + "ha" * 100)
        return question.rng.choice(question.legal)


if __name__ == "__main__":
    Talker().run()
"""


@pytest.fixture(scope="module")
def talker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("talker") / "talker.py"
    path.write_text(TALKER)
    return path


def play(talker: Path, **options: str) -> Single:
    rules = game("cucu")
    field = find_bots([str(talker), "random", str(talker)], samples("cucu"))
    time = TimeControl(move_time_ms=0, start_time_ms=60_000)
    return play_single(rules, rules.options.parse(options), field, seed=3, time=time, say=print)


def test_what_bots_say_is_recorded_replayed_and_verified(talker: Path, tmp_path: Path) -> None:
    played = play(talker, table_talk="true")
    says = played.match.says
    assert {say.seat for say in says} == {0, 2}
    assert all(len(say.text) == 80 and "has \\x1b[31mthe " in say.text for say in says)
    with open_store(tmp_path / "a.db", create=True) as store:
        stored = store.match(store.add_single(played.frame, played.match, played.outputs))
    assert stored.row.says == says
    assert check_match(stored).wrong == ()
    lines = [entry.text for entry in log(stored, 1) if isinstance(entry, LogEvent)]
    assert [line for line in lines if " says: " in line] == [f"seat {say.seat} says: {say.text}" for say in says]

    silent = check_match(replace(stored, row=replace(stored.row, says=says[1:])))
    assert "fingerprints differ" in silent.wrong[0]
    moved = check_match(replace(stored, row=replace(stored.row, says=(Say(1, *_place(says[0])), *says[1:]))))
    assert "which is no answer of its" in moved.wrong[0]
    ply, _ = _place(says[0])
    times = stored.row.times[:ply] + b"\0" + stored.row.times[ply + 1 :]
    fault = FaultRow(says[0].seat, ply, "timeout", "no answer")
    failed = check_match(replace(stored, row=replace(stored.row, times=times, faults=(fault,))))
    assert any(f"answer {ply}," in wrong and "has talk" in wrong for wrong in failed.wrong)


def test_without_the_option_nobody_is_heard(talker: Path) -> None:
    assert play(talker).match.says == ()


def _place(say: Say) -> tuple[int, str]:
    return say.ply, say.text
