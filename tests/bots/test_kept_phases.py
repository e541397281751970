"""Long checks that are interrupted: what was played is not played again."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

import arena
from arena.bots import bot_check, hand_in_check, kept_phases, trial_matches
from arena.bots.bot_check import CheckSettings, check
from arena.bots.hand_in_check import HandInOutcome, HandInTask, PlayedPhase
from arena.bots.hand_in_rows import HandInEnd
from arena.bots.hand_ins import HandIns
from arena.bots.kept_phases import LEAST_SECONDS, KeptPhases
from arena.bots.match_budget import FEW_MATCHES
from arena.bots.report import Report
from arena.bots.trial_matches import TrialOutcome, TrialReferee, joined
from arena.bots.trial_tables import TrialTables, typical_tables
from arena.packs.build import BuildTerms
from arena.plan.field import find_bots, samples
from arena.run.hosting import Hosting
from arena.store import Store, open_store
from arena.store.engine.schema import hand_in_phases
from arena.values.definition import TimeControl
from referee.engine.registry import game
from referee.v1.work_pb2 import Fault, PlayerEnd, ProcessFailure, Record
from tests.uploads import PLAYS_HYPP

TABLES = typical_tables(game("torionfo"), 2)
TIME = TimeControl()


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        yield opened


def outcome(seconds: float = LEAST_SECONDS, *, fault: bool = False, failure: bool = False) -> TrialOutcome:
    faults = [Fault(seat=0, kind=Fault.KIND_TIMEOUT)] if fault else []
    records = {number: Record(match=3_000_000 + number, digest=b"x", faults=faults) for number in range(2)}
    failures = [ProcessFailure()] if failure else []
    return TrialOutcome(records, PlayerEnd(output="hi"), failures, waited_seconds=0.1, seconds=seconds)


def kept(known: dict[str, bytes], identity: str = "owl") -> KeptPhases:
    return KeptPhases(known, known.__setitem__, lambda: identity)


def test_a_phase_that_took_long_comes_back_as_it_was_played() -> None:
    known: dict[str, bytes] = {}
    kept(known).add(TABLES, TIME, outcome(), alone=False)
    assert kept(known).find(TABLES, TIME, alone=False) == replace(outcome(), is_kept=True)


@pytest.mark.parametrize("played", [outcome(14.0), outcome(fault=True), outcome(failure=True)])
def test_what_is_quick_or_went_wrong_is_played_again(played: TrialOutcome) -> None:
    known: dict[str, bytes] = {}
    kept(known).add(TABLES, TIME, played, alone=False)
    assert known == {}


def test_only_a_phase_that_would_be_played_exactly_alike_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, bytes] = {}
    kept(known).add(TABLES, TIME, outcome(), alone=False)
    assert kept(known, "another").find(TABLES, TIME, alone=False) is None, "other files"
    assert kept(known).find(TABLES, TIME, alone=True) is None
    assert kept(known).find(TABLES, TimeControl(move_time_ms=10), alone=False) is None
    assert kept(known).find(typical_tables(game("torionfo"), 3), TIME, alone=False) is None
    assert kept(known).find(typical_tables(game("hypp"), 2), TIME, alone=False) is None
    with monkeypatch.context() as patched:
        patched.setattr(arena, "__version__", "99")
        assert kept(known).find(TABLES, TIME, alone=False) is None
    [key] = known
    for damaged in (b"", b"{}", known[key].replace(b'"played": "', b'"played": "x')):
        assert kept({key: damaged}).find(TABLES, TIME, alone=False) is None, "it is played again"


def checked(known: dict[str, bytes], seconds: float = 600.0) -> Report:
    [bot] = find_bots(["tactician"], samples("torionfo"))
    settings = CheckSettings((game("torionfo"),), seconds=seconds, is_limited=True, kept=kept(known))
    return check(bot, settings, print)


@pytest.mark.processes
@pytest.mark.usefixtures("in_process")
def test_an_interrupted_check_plays_only_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (kept_phases, bot_check):
        monkeypatch.setattr(module, "LEAST_SECONDS", 0)
    played: list[str] = []
    play = TrialReferee.play

    async def watched(
        referee: TrialReferee, several: Sequence[TrialTables], **how: Any
    ) -> list[trial_matches.TrialOutcome]:
        played.extend(tables.title for tables in several)
        return await play(referee, several, **how)

    monkeypatch.setattr(TrialReferee, "play", watched)
    known: dict[str, bytes] = {}
    whole = checked(known)
    assert whole.passed, whole.why
    assert len(played) == len(known)
    every, last = list(played), list(known)[-1]
    played.clear()
    del known[last]
    again = checked(known)
    assert again.passed, again.why
    assert played == every[-1:]
    sentences = {step.title: step.sentence for step in again.steps}
    assert sentences["plays torionfo"].endswith("; played before the check was interrupted")
    assert "interrupted" not in sentences["torionfo at odd tables"]
    before = {step.title: step.sentence for step in whole.steps}
    assert sentences["plays torionfo"].startswith(before["plays torionfo"].partition(", ")[0])
    assert again.charged_us == whole.charged_us, "as it was played"
    played.clear()
    spent = {key: packed.replace(b'"seconds": ', b'"seconds": 999') for key, packed in known.items()}
    late = checked(spent)
    assert late.why.startswith("in time: its matches took longer than 600 s"), "the time of earlier attempts counts"


@pytest.mark.processes
@pytest.mark.usefixtures("in_process")
def test_each_of_the_first_matches_of_a_slow_bot_outlives_an_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_phases, "LEAST_SECONDS", 0)
    monkeypatch.setattr(bot_check, "SERIAL_SHARE", -1.0)
    played: list[TrialTables] = []
    play = TrialReferee.play

    async def watched(
        referee: TrialReferee, several: Sequence[TrialTables], **how: Any
    ) -> list[trial_matches.TrialOutcome]:
        played.extend(several)
        return await play(referee, several, **how)

    monkeypatch.setattr(TrialReferee, "play", watched)
    known: dict[str, bytes] = {}
    whole = checked(known)
    assert len(played[0].matches) == FEW_MATCHES, "its answers take no time"
    known.clear()
    played.clear()
    monkeypatch.setattr(bot_check._Check, "_seconds_of", lambda *_: 240.0)
    slow = checked(known)
    assert slow.passed, slow.why
    assert [(step.title, step.verdict) for step in slow.steps] == [(step.title, step.verdict) for step in whole.steps]
    assert [len(tables.matches) for tables in played[:FEW_MATCHES]] == [1] * FEW_MATCHES
    second = played[1]
    played.clear()
    del known[list(known)[1]]
    assert checked(known).passed
    assert played == [second], "and no other"


def test_phases_of_one_match_each_are_joined() -> None:
    failure = ProcessFailure(kind=ProcessFailure.KIND_CRASH, matches=[5_000_000], guilty=5_000_000)
    first = TrialOutcome({0: Record(match=4_000_000)}, PlayerEnd(output="one", name="owl"), seconds=20.0)
    second = TrialOutcome({0: Record(match=5_000_000)}, PlayerEnd(output="two", truncated=True, name="owl"), [failure])
    whole = joined([first, replace(second, seconds=30.0, waited_seconds=0.5)])
    assert whole.records == {0: Record(match=4_000_000), 1: Record(match=5_000_000)}
    assert whole.end == PlayerEnd(output="onetwo", truncated=True, name="owl")
    assert [(list(each.matches), each.guilty) for each in whole.failures] == [([1], 1)]
    assert (whole.seconds, whole.waited_seconds, whole.is_kept) == (50.0, 0.5, False)


@pytest.mark.processes
def test_the_check_of_a_hand_in_tells_what_it_has_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_phases, "LEAST_SECONDS", 0)
    task = HandInTask("club/owl", "owl.zip", PLAYS_HYPP, ("hypp",), None, BuildTerms(), Hosting(), (0,))
    sent: list[Any] = []

    class Sent:
        send = staticmethod(sent.append)

    first: HandInOutcome = hand_in_check._Check(Sent(), task).outcome()  # type: ignore[arg-type]
    assert first.state == "accepted"
    phases = {each.key: each.packed for each in sent if isinstance(each, PlayedPhase)}
    assert phases
    sent.clear()
    again = hand_in_check._Check(Sent(), replace(task, phases=phases)).outcome()  # type: ignore[arg-type]
    assert again.state == "accepted"
    assert not [each for each in sent if isinstance(each, PlayedPhase)], "the same bot in another folder"


def test_phases_are_kept_until_a_hand_in_is_finished(store: Store) -> None:
    hand_ins = HandIns(store)
    id = hand_ins.receive("club", "club/owl", "owl.py", b"source")
    claimed = hand_ins.claim("me", 60.0)
    assert claimed is not None
    assert claimed.phases == {}
    assert hand_ins.keep_phase(claimed.claim, "k", b"first")
    assert hand_ins.keep_phase(claimed.claim, "k", b"second")
    hand_ins.release(claimed.claim, died=False)
    assert not hand_ins.keep_phase(claimed.claim, "k", b"late")
    again = hand_ins.claim("me", 60.0)
    assert again is not None
    assert again.phases == {"k": b"second"}
    hand_ins.finish(again.claim, "refused", "is refused", HandInEnd(1))
    other = hand_ins.receive("club", "club/owl", "owl.py", b"source")
    claimed = hand_ins.claim("me", 60.0)
    assert claimed is not None
    hand_ins.keep_phase(claimed.claim, "k", b"first")
    hand_ins.cancel(other)
    with store.read() as connection:
        assert connection.execute(hand_in_phases.select()).all() == []
    assert id != other
