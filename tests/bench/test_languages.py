"""Start, warm-up and steady play of bots, apart; and which bots are measured."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from arena.bench import languages, protocol
from arena.bench.figures import Sampling
from arena.bench.processes import CpuMeter
from arena.bench.protocol import BenchTable, PhaseClocks, WatchedPhase
from referee.v1.work_pb2 import Record
from sample_bots import SAMPLES as SAMPLE_FILES

SAMPLES = SAMPLE_FILES["random"].path.parents[1]


def test_a_bot_that_is_not_built_is_skipped_with_the_reason(tmp_path: Path) -> None:
    for language in ("go", "shell"):
        shutil.copytree(SAMPLES / language, tmp_path / language, ignore=shutil.ignore_patterns("build"))
    said: list[str] = []
    bots = {bot.language: bot for bot in languages.find_language_bots("cambio", tmp_path, said.append)}
    assert list(bots) == ["python", "shell"]
    assert bots["shell"].limit == 0
    assert bots["shell"].entrant.command[-1] == "random"
    assert len(said) == 1
    assert said[0].startswith("skipped go: there is no program ./build/bot")


def test_the_checkout_in_the_current_folder_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert languages.folder() == SAMPLES
    (tmp_path / "sample_bots").mkdir()
    assert languages.folder() == tmp_path / "sample_bots"


def watched(readings: list[tuple[float, float, float]], records: list[tuple[float, Record]]) -> WatchedPhase:
    clocks = PhaseClocks.__new__(PhaseClocks)
    clocks._readings, clocks.memory = readings, {1: 5, 2: 7}
    clocks._referee = clocks._bots = CpuMeter()
    return WatchedPhase(90.0, records, clocks)


def test_a_phase_is_split_into_start_warm_up_and_steady_play() -> None:
    # Two processes: 3 s of start, 2 s of warm-up in the first 20 s, then 10 ms a decision at 10 decisions/s.
    records = [
        (moment, Record(duration_ms=10_000, decisions=[60, 40])) for moment in (110.0, 120.0, 130.0, 140.0, 150.0)
    ]
    readings = []
    for step in range(601):
        moment = 90 + step / 10
        played = max(0.0, moment - 100)
        readings.append((moment, 0.0, min(step / 10, 3) + min(played / 10, 2) + played * 10 * 0.01))
    costs = languages.phase_costs(watched(readings, records), 2)
    assert costs.ready == 10
    assert costs.start == pytest.approx(1.5)
    assert costs.warm_up == pytest.approx(1.0, rel=0.05)
    assert costs.decision == pytest.approx(0.01, rel=0.02)
    assert costs.rate == pytest.approx(10, rel=0.02)
    assert costs.memory == 7


@pytest.mark.slow
def test_a_bot_is_measured(table: BenchTable, sampling: Sampling) -> None:
    table = replace(table, seats=2)
    (python,) = languages.find_language_bots("cambio", Path("/nowhere"), print)
    figures = {figure.name: figure for figure in languages.measure_bot(python, table, 10.0, sampling, print)}
    assert list(figures) == [
        f"languages.python.{what}" for what in ("k1", "k1.bots", "k8", "k8.bots", "warm_up", "start", "ready", "memory")
    ]
    assert figures["languages.python.k8"].conditions["matches"] == 150
    assert figures["languages.python.warm_up"].conditions["K"] == 8
    assert figures["languages.python.k8.bots"].value >= 0, "clocks are read every 20 ms: few matches may take none"
    assert len(figures["languages.python.k8.bots"].ratios) == 1
    assert 5 < figures["languages.python.start"].value < figures["languages.python.ready"].value
    assert 10 < figures["languages.python.memory"].value < 1000


@pytest.mark.processes
def test_a_bot_plays_no_more_matches_at_once_than_it_can(table: BenchTable, sampling: Sampling) -> None:
    (python,) = languages.find_language_bots("cambio", Path("/nowhere"), print)
    names = [figure.name for figure in languages.measure_bot(replace(python, limit=1), table, 10.0, sampling, print)]
    assert [name for name in names if ".k" in name] == ["languages.python.k1", "languages.python.k1.bots"]


def test_the_order_of_a_phase_names_other_bots(table: BenchTable) -> None:
    (python,) = languages.find_language_bots("cambio", Path("/nowhere"), print)
    entrant = structs.replace(python.entrant, name="other")
    order = protocol.phase(table, 1, 2, bots=(entrant, entrant))
    assert {player.bot for player in order.players} == {"other"}
