"""Real referees, bots and tournaments, as short as can be."""

import pytest
from click.testing import CliRunner

from arena.bench import protocol, sandboxes, starts, stores, tournament_benchmark
from arena.bench.figures import BenchError, Sampling
from arena.bench.protocol import BenchTable
from arena.bench.tournament_benchmark import program
from arena.cli import main


@pytest.mark.slow
def test_the_protocol_is_measured_with_referee_and_bots_apart(table: BenchTable, sampling: Sampling) -> None:
    said: list[str] = []
    figures = list(protocol.measure(table, 25.0, sampling, said.append))
    assert [figure.name for figure in figures if ".k2" in figure.name] == [
        "protocol.pinned.k2",
        "protocol.pinned.k2.referee",
        "protocol.pinned.k2.bots",
    ]
    assert min(figures[0].runs) > 0
    assert all(min(figure.runs) >= 0 for figure in figures), (
        "CPU time is counted in ticks of 10 ms: few matches may take none"
    )
    whole, referee, bots = figures[:3]
    assert whole.cpu[0] == pytest.approx(referee.cpu[0] + bots.cpu[0])
    assert all(len(figure.ratios) == len(figure.runs) for figure in figures)
    assert figures[0].conditions["K"] == 2
    assert figures[0].conditions["matches"] == 4
    assert figures[-1].conditions["matches"] == 128, "at least twice as many matches as are under way at once"


@pytest.mark.slow
def test_memory_is_that_of_a_referee_with_eight_bots(table: BenchTable, sampling: Sampling, few_at_once: int) -> None:
    (figure,) = protocol.measure_memory(table, sampling, print)
    assert figure.conditions["seats"] == 8
    assert figure.conditions["matches"] == 2 * few_at_once
    assert 10 < figure.value < 1000


def test_a_phase_has_so_many_different_deals(table: BenchTable) -> None:
    order = protocol.phase(table, 7, 5)
    assert (order.matches_at_once, len(order.players)) == (7, 2)
    assert len({match.seed for match in order.matches}) == 5
    assert dict(order.options) == {"chips": "2"}


@pytest.mark.slow
def test_whole_tournaments_are_measured_with_one_and_with_two_referees(table: BenchTable, sampling: Sampling) -> None:
    figures = {figure.name: figure for figure in tournament_benchmark.measure(table, sampling)}
    assert len(figures) == 16
    for jobs in (1, 2):
        assert figures[f"tourney.{jobs}.decisions"].conditions["referees"] == jobs
        assert figures[f"tourney.{jobs}.decisions"].value < figures[f"tourney.{jobs}.playing"].value
        parts = sum(figures[f"tourney.{jobs}.cpu.{part}"].value for part in ("arena", "referees", "bots"))
        assert parts == pytest.approx(figures[f"tourney.{jobs}.cpu.all"].value)
        assert figures[f"tourney.{jobs}.decisions"].cpu == figures[f"tourney.{jobs}.cpu.all"].runs
        assert len(figures[f"tourney.{jobs}.cpu.arena"].ratios) == 1


@pytest.mark.processes
def test_a_tournament_that_fails_is_told(table: BenchTable) -> None:
    with pytest.raises(BenchError, match='it must be 1 or more, not "0"'):
        tournament_benchmark.play(table, 0, 1)


@pytest.mark.slow
def test_starts_are_timed(table: BenchTable, sampling: Sampling) -> None:
    help, match, short = starts.measure(table, sampling)
    assert [figure.name for figure in (help, match, short)] == ["start.help", "start.match", "start.short"]
    assert len(help.runs) == 1
    assert 0 < help.value < match.value
    assert help.value < short.value


@pytest.mark.slow
def test_ways_to_confine_are_compared(table: BenchTable, sampling: Sampling, few_at_once: int) -> None:
    figures = {figure.name: figure for figure in sandboxes.measure(table, 25.0, sampling, print)}
    starts = [name for name in figures if name.endswith(".start")]
    assert {"sandbox.off.start", "sandbox.rlimits.start"} <= set(starts)
    assert [name.replace(".start", ".decision") for name in starts] == [name for name in figures if name not in starts]
    assert all(len(figures[name].runs) == 2 and min(figures[name].runs) > 0 for name in starts)
    assert all(figure.value > 0 for figure in figures.values())
    assert figures["sandbox.off.decision"].conditions["matches"] == 2 * few_at_once


@pytest.mark.slow
def test_a_database_of_many_matches_is_filled_and_looked_at(
    table: BenchTable, sampling: Sampling, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def here(words: list[str]) -> float:
        """Ask in this process: that one of its own is started and timed is seen with the first alone."""
        asked.append(words)
        if len(asked) == 1:
            return command(words)
        result = CliRunner().invoke(main, words[len(program()) :], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return 1.0

    command = stores._command
    monkeypatch.setattr(stores, "_command", here)
    figures = {figure.name: figure for figure in stores.measure(table, sampling)}
    assert figures["store.add"].conditions["matches"] == 400
    assert 100 < figures["store.record"].value < 1000
    assert all(min(figure.runs) > 0 for figure in figures.values())
    assert {"store.ranking", "store.matches.bot", "store.list", "store.page"} < figures.keys()
    assert len(asked) == 6
