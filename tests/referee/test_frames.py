"""Bots that attack below gRPC: their matches end, and nobody else is faulted."""

import re
import sys
from collections.abc import Iterator

import pytest

from referee.sandbox import choice
from sample_bots.naughty.http2_attacker import ATTACKS, READERS
from tests.referee.real import ROOT, Referee, Report, phase, sample

FRAMES = str(ROOT / "sample_bots/naughty/http2_attacker.py")

MODES = ("rlimits",) if choice.probe() else ("bwrap", "rlimits")

CUT = r"it (opened more than \d+ (streams|connections)|flooded its connection)"
"""Whatever of it is seen first."""

EXPECTED = {
    "closed-window": ("timeout", "it runs but does not read what it is sent"),
    "slow-reader": ("timeout", "no answer within 0.4 s"),
    "narrow-window": ("timeout", "it runs but does not read what it is sent"),
    "blind": ("protocol", "it answered a question that had not been sent to it yet"),
    "wrong-tokens": ("start", CUT),
    "silent-streams": ("start", CUT),
    "header-bomb": ("start", CUT),
    "large-hellos": ("start", CUT),
    "rapid-reset": ("start", CUT),
    "pings": ("start", CUT),
    "windows": ("protocol|start", CUT),  # on a busy machine it is cut off before it is welcomed
    "continuations": ("start", CUT),
    "connections": ("start", CUT),
    "messages": ("protocol", "it sent more than 1000 useless answers: to questions that were not open"),
}
"""A fault that it has, or one of several, and what is said of it. The others are much the same."""


@pytest.fixture(scope="module")
def referee(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Referee]:
    running = Referee(tmp_path_factory.mktemp("referee"))
    yield running
    running.close()


def attack(referee: Referee, name: str, mode: str) -> Report:
    frames = [sys.executable, FRAMES, name, "mark"]
    # Those who flood are cut off long before: the limit is for a machine that gives them little time.
    seconds = 0.2 if ATTACKS[name] in READERS else 1.5
    return referee.play(phase(frames, sample(), sample(), matches=2, move_time=seconds, bank=seconds, sandbox=mode))


@pytest.mark.processes
@pytest.mark.parametrize("name", EXPECTED)
def test_who_attacks_below_grpc_loses_and_nobody_else_does(referee: Referee, name: str) -> None:
    report = attack(referee, name, MODES[0])
    assert len(report.records) == 2, "no match is lost"
    assert report.faults(1) == report.faults(2) == [], report.sentences()
    kind, sentence = EXPECTED[name]
    assert not set(kind.split("|")).isdisjoint(report.faults(0)), report.sentences()
    assert re.search(f"{sentence}|{CUT}", report.sentences()), report.sentences()


@pytest.mark.processes
@pytest.mark.skipif(len(MODES) == 1, reason="bubblewrap does not work here")
@pytest.mark.parametrize("name", ["closed-window", "wrong-tokens", "connections"])
def test_the_same_without_bubblewrap(referee: Referee, name: str) -> None:
    report = attack(referee, name, "rlimits")
    assert report.faults(1) == report.faults(2) == [], report.sentences()
    assert EXPECTED[name][0] in report.faults(0), report.sentences()


def test_every_attack_that_does_not_read_is_tried() -> None:
    assert {each.__name__.replace("_", "-") for each in READERS} <= EXPECTED.keys() <= ATTACKS.keys()
