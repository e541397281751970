"""The time that the matches of a check may take: few matches of a slow bot, and none for ever."""

import re
from math import inf
from multiprocessing import Pipe

import pytest

from arena.bots import bot_check, hand_in_check, match_budget
from arena.bots.bot_check import CheckSettings, check
from arena.bots.hand_in_check import HandInTask
from arena.bots.match_budget import FEW_MATCHES, FEW_REPEATED, MATCHES, MatchBudget, granted_seconds, least_answers
from arena.bots.report import Report
from arena.bots.trial_pace import TrialProgress
from arena.bots.trial_tables import edge_tables
from arena.packs.build import BuildTerms
from arena.plan.field import find_bots, samples
from arena.run.hosting import Hosting
from arena.values.definition import TimeControl
from referee.engine.registry import game
from tests.uploads import PLAYS_HYPP

pytestmark = pytest.mark.usefixtures("in_process")


def checked(seconds: float, *, is_limited: bool = False) -> Report:
    [bot] = find_bots(["tactician"], samples("torionfo"))
    return check(bot, CheckSettings((game("torionfo"),), seconds=seconds, is_limited=is_limited), print)


def sentences(report: Report) -> dict[str, str]:
    return {step.title: step.sentence for step in report.steps}


@pytest.mark.processes
def test_a_bot_whose_matches_take_too_long_is_refused_with_what_to_do() -> None:
    report = checked(seconds=0, is_limited=True)
    assert not report.passed
    assert report.why == (
        "in time: its matches took longer than 0 s: "
        "let it think less before it answers, or play several matches at once"
    )
    assert report.is_slow
    assert [step.verdict for step in report.steps if step.title != "in time"] == ["passed"] * 11


@pytest.mark.processes
def test_where_nobody_waits_it_is_told_that_a_server_would_refuse_it() -> None:
    report = checked(seconds=0)
    assert report.passed, report.why
    (warned,) = [step for step in report.steps if step.title == "in time"]
    assert warned.verdict == "warned"
    assert warned.sentence.endswith(": a server refuses a bot whose matches take longer than 0 s")
    assert MatchBudget(1200).warning(1200.0) == ""


@pytest.mark.processes
def test_a_hand_in_has_such_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_in_check, "MATCH_SECONDS", 0)
    task = HandInTask("club/owl", "owl.zip", PLAYS_HYPP, ("hypp",), None, BuildTerms(), Hosting(), (0,))
    near, far = Pipe(duplex=False)
    with near, far:
        outcome = hand_in_check._Check(far, task).outcome()
    assert (outcome.state, outcome.version) == ("refused", None)
    assert outcome.sentence.startswith("is refused: in time: its matches took longer than 0 s: ")


def test_who_may_start_and_get_ready_for_longer_has_more_time_for_it() -> None:
    hypp, cambio = game("hypp"), game("cambio")
    assert granted_seconds([hypp, cambio], TimeControl()) == 0
    assert granted_seconds([hypp], TimeControl(start_time_ms=1000, ready_time_ms=0)) == 0
    edges = edge_tables(hypp)
    slower = TimeControl(start_time_ms=70_000, ready_time_ms=15_000)
    assert granted_seconds([hypp], slower) == 60 * (2 + len(edges)) + 5 * (6 + sum(len(each.matches) for each in edges))
    both = granted_seconds([hypp], slower) + granted_seconds([cambio], slower)
    assert granted_seconds([hypp, cambio], slower) == both


@pytest.mark.processes
def test_a_slow_bot_plays_fewer_matches_and_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = checked(seconds=600)
    assert quick.passed, quick.why
    assert sentences(quick)["plays torionfo"].startswith("20 matches, ")
    assert sentences(quick)["torionfo again"].startswith("8 of them ")
    monkeypatch.setattr(match_budget, "SHARE", 0)
    slow = checked(seconds=600)
    assert slow.passed, slow.why
    assert sentences(slow)["plays torionfo"].startswith("4 matches, ")
    assert sentences(slow)["plays torionfo"].endswith("; 4 and not 20, as it is slow")
    assert sentences(slow)["torionfo again"].startswith("2 of them ")
    patient = checked(seconds=inf)
    assert sentences(patient)["plays torionfo"].startswith("20 matches, ")


@pytest.mark.processes
def test_it_is_said_how_long_a_slow_bot_takes_before_its_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_check, "LONG_SECONDS", 0)
    said: list[str] = []
    seen: list[TrialProgress] = []
    [bot] = find_bots(["tactician"], samples("torionfo"))
    report = check(bot, CheckSettings((game("torionfo"),), matches=2), said.append, on_progress=seen.append)
    assert report.passed, report.why
    (line,) = said
    assert re.fullmatch(r"it took [\d.e-]+ s for an answer: 2 matches of torionfo will take about \d+ s", line)
    assert [progress.title for progress in seen if not progress.done] == [
        "plays torionfo",
        "torionfo again",
        "torionfo at odd tables",
    ]
    assert all(progress.done < progress.total for progress in seen)


def test_a_bot_is_slow_whose_usual_matches_would_take_half_of_the_time_of_a_game() -> None:
    """20 matches and 8 again, of which 4 took so long: 7 times that."""
    assert not MatchBudget(1400, 1).is_slow(100, MATCHES)
    assert MatchBudget(1400, 1).is_slow(101, MATCHES)
    assert MatchBudget(1400, 2).is_slow(51, MATCHES)
    assert not MatchBudget(1400, 1).is_slow(300, 4), "as few as these are played anyway"


def test_a_slow_bot_of_many_games_is_told_early_to_name_its_games() -> None:
    budget = MatchBudget(1200, 11)
    assert budget.hopeless("cambio", 1800.0, names_games=False) == "", "it may be in time"
    assert budget.hopeless("cambio", 4500.0, names_games=False) == (
        "at the pace of its first matches of cambio, those of 11 games would take about 75 minutes, and 20 are the "
        'most: it names no game, so it is checked in all; name those that it plays, as games = ["cambio"] in its '
        'bot.toml, or in Python games = ("cambio",) in the class of the bot'
    )
    assert budget.hopeless("cambio", 4500.0, names_games=True).endswith(
        ": name fewer games, let it think less before it answers, or play several matches at once"
    )


def test_a_game_has_some_answers_in_the_fewest_matches_of_a_check() -> None:
    edges = edge_tables(game("hypp"))
    assert least_answers(game("hypp")) >= FEW_MATCHES + FEW_REPEATED + sum(len(each.matches) for each in edges)


@pytest.mark.processes
@pytest.mark.parametrize("named", [(), ("hypp", "torionfo")])
def test_it_is_refused_after_the_first_matches(monkeypatch: pytest.MonkeyPatch, named: tuple[str, ...]) -> None:
    monkeypatch.setattr(bot_check, "LONG_SECONDS", 0)
    monkeypatch.setattr(bot_check, "least_answers", lambda _: 10**9)
    [bot] = find_bots(["random"], samples("hypp"))
    report = check(bot, CheckSettings(tuple(map(game, named)), seconds=900, is_limited=True), print)
    assert report.why.startswith("in time: at the pace of its first matches of ")
    assert ("it names no game" in report.why) == (not named)
    assert report.is_slow
    assert not [step for step in report.steps if step.title.startswith("plays ")], "nothing else was played"
    patient = check(bot, CheckSettings(tuple(map(game, named)), matches=4, seconds=900), print)
    assert patient.passed, "where nobody waits"


def test_who_plays_many_games_too_slowly_is_told_how_far_it_came() -> None:
    assert MatchBudget(1200, 11).exceeded(4) == (
        "its matches took longer than 1200 s, with 4 of 11 games played: let it think less before it answers, "
        "or play several matches at once, or name fewer games in its bot.toml"
    )
