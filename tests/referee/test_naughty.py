"""Real bot processes under a real referee process: every mischief has its promised end."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.referee.real import (
    ROOT,
    Referee,
    assert_all_end,
    bot_seed,
    phase,
    pidfds,
    sample,
    wait_for_processes,
)

pytestmark = pytest.mark.processes

NAUGHTY = str(ROOT / "sample_bots/naughty/naughty.py")


@pytest.fixture(scope="module")
def referee(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Referee]:
    running = Referee(tmp_path_factory.mktemp("referee"))
    yield running
    running.close()


def naughty(mischief: str, *arguments: str) -> list[str]:
    return [sys.executable, NAUGHTY, mischief, *arguments]


def test_good_bots_play_without_faults(referee: Referee) -> None:
    report = referee.play(phase(sample(), sample(), sample()))
    assert sorted(record.match for record in report.records) == list(range(6))
    assert report.sentences() == ""
    assert [player.process_faults for player in report.end.players] == [0, 0, 0]


@pytest.mark.parametrize(
    ("mischief", "kinds", "word"),
    [
        ("exit-at-once", {"start"}, "code 3"),
        ("other-protocol", {"start"}, "the bot speaks 98, 99, the referee 1"),
        ("other-game", {"start"}, "the bot plays only tiddlywinks"),
        ("wrong-token", {"start"}, "code 4"),
        ("crash-at-question", {"crash", "withdrawn"}, "code 7"),
        ("end-stream", {"crash", "withdrawn"}, "ended its side of the stream"),
        ("nonsense", {"illegal"}, "not legal there"),
        ("garbage", {"protocol", "withdrawn"}, "cannot be decoded"),
        ("giant", {"crash", "withdrawn"}, "stream"),
        ("flood", {"protocol", "withdrawn"}, "questions that were not open"),
        ("hello-again", {"protocol", "withdrawn"}, "hello twice"),
    ],
)
def test_mischief_has_its_promised_end(referee: Referee, mischief: str, kinds: set[str], word: str) -> None:
    report = referee.play(phase(naughty(mischief), sample(), sample()))
    assert len(report.records) == 6, "no match is lost"
    assert set(report.faults(0)) == kinds
    assert word in report.sentences()
    assert report.faults(1) == report.faults(2) == [], "nobody else suffers"
    assert all(record.ranks[0] == 3 for record in report.records if any(fault.forfeit for fault in record.faults))
    assert all(each.isprintable() or each == "\n" for each in report.sentences())


@pytest.mark.parametrize("mischief", ["twice", "old", "stay"])
def test_harmless_mischief_costs_nothing(referee: Referee, mischief: str) -> None:
    report = referee.play(phase(naughty(mischief), sample(), sample()))
    assert len(report.records) == 6
    assert report.sentences() == ""


@pytest.mark.parametrize("mischief", ["hang", "print-and-hang", "chatter"])
def test_bots_that_do_not_answer_run_out_of_time(referee: Referee, mischief: str) -> None:
    report = referee.play(phase(naughty(mischief), sample(), sample(), matches=1, move_time=0.2, bank=0.1, chips=10))
    assert report.faults(0)[:2] == ["timeout", "hung"]
    assert report.faults(1) == report.faults(2) == []
    assert len(report.end.players[0].output) <= 64 * 1024
    assert "\x1b" not in report.end.players[0].output
    assert report.end.players[0].truncated == (mischief == "print-and-hang")


def test_a_bot_that_never_dials_in_is_withdrawn(referee: Referee) -> None:
    order = phase(naughty("no-hello"), sample(), sample(), matches=2)
    order.time.start_time_ms = 300
    order.players[1].command[:] = order.players[2].command[:] = naughty("twice")
    report = referee.play(order)
    assert len(report.records) == 2
    assert "no valid hello within 0.3 s" in report.sentences()


@pytest.mark.parametrize(
    ("mischief", "word"),
    [
        ("no-hello", "; it must connect to ARENA_ADDRESS and say hello"),
        ("compute", "it made no gRPC call and computed for "),
        ("print-first", "it made no gRPC call and printed "),
        ("speak-http", "it made no gRPC call and computed for "),
        ("only-connect", "it connected and called nothing, where it must call /referee.v1.BotService/Play"),
        ("no-words", "it opened a stream and sent no hello"),
        ("other-method", 'it called "/referee.v1.BotService/Move!'),
        ("serve-http", "it opened a socket of the network, which it may not; it must connect to ARENA_ADDRESS"),
        ("wrong-token", "it ended before it said hello: its hello was refused, as the token is unknown or was used "),
    ],
)
def test_what_is_known_of_a_bot_that_says_no_hello_is_told(referee: Referee, mischief: str, word: str) -> None:
    order = phase(naughty(mischief), sample(), matches=1)
    order.players[0].start_time_ms = 3000
    report = referee.play(order)
    assert word in report.sentences()
    assert len(report.sentences()) < 320
    assert report.faults(1) == []


def test_who_starts_too_many_processes_before_its_hello_is_told(referee: Referee) -> None:
    order = phase(naughty("fork-first"), sample(), matches=1)
    order.players[0].start_time_ms = 3000
    report = referee.play(order)
    if "it ended" not in report.sentences():  # without control groups nobody counts what the kernel refuses
        assert "; it started more than the 256 processes and threads that it may have" in report.sentences()
    assert report.faults(1) == []


@pytest.mark.promise
def test_a_program_that_cannot_be_started_is_withdrawn(referee: Referee) -> None:
    report = referee.play(phase(["/nowhere/at/all"], sample(), sample(), matches=2))
    assert report.faults(0) == ["start"] * 2
    assert report.faults(1) == report.faults(2) == []


@pytest.mark.promise
def test_only_the_poisoned_match_is_guilty(referee: Referee) -> None:
    report = referee.play(phase(naughty("crash-in-one-match", bot_seed(2, 0).hex()), sample(), sample(), chips=10))
    guilty = {record.match for record in report.records if record.faults}
    assert guilty == {2}
    assert report.faults(0) == ["crash"] * 3
    assert not report.end.players[0].withdrawn


def test_phases_follow_each_other(referee: Referee) -> None:
    first, second = phase(sample(), sample(), matches=4), phase(sample(), sample(), matches=4)
    first.id, second.id = 8, 9
    referee.order(first)
    referee.order(second)
    ends: list[int] = []
    records = 0
    for response in referee.responses:
        records += len(response.records)
        ends += [end.phase for end in response.ends]
        if len(ends) == 2:
            break
    assert sorted(ends) == [8, 9]
    assert records == 8


@pytest.mark.promise
@pytest.mark.parametrize("sandbox", ["auto", "rlimits"])
def test_bots_do_not_outlive_a_killed_referee(tmp_path: Path, sandbox: str) -> None:
    running = Referee(tmp_path)
    marker = f"marker={tmp_path}"
    running.order(phase(naughty("stay", marker), naughty("hang", marker), matches=2, move_time=60, sandbox=sandbox))
    bots = wait_for_processes(marker, 2)
    running.process.kill()
    running.close()
    assert_all_end(bots)


@pytest.mark.promise
def test_a_referee_ends_with_everything_when_its_pipe_closes(tmp_path: Path) -> None:
    running = Referee(tmp_path)
    marker = f"marker={tmp_path}"
    running.order(phase(naughty("stay", marker), naughty("hang", marker), matches=2, move_time=60))
    bots = wait_for_processes(marker, 2)
    running.close()
    assert running.process.returncode == 0
    assert_all_end(bots)


def test_bots_that_stay_are_ended_with_their_children(tmp_path: Path) -> None:
    running = Referee(tmp_path)
    marker = f"marker={tmp_path}"
    for sandbox in ("auto", "rlimits"):
        report = running.play(phase(naughty("stay", marker), sample(), matches=2, sandbox=sandbox))
        assert report.sentences() == ""
        assert_all_end(pidfds(marker))  # the kernel ends those of a namespace only after its first process
    running.close()
