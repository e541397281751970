from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.bots import qualifier
from arena.bots.acceptance import AcceptanceCheck
from arena.bots.bot_check import CheckSettings
from arena.bots.qualifier import QualifierResult, play_qualifier
from arena.plan.field import find_bots, samples
from arena.ratings.repeats import Repeats
from arena.results.standings import Standings, standings
from arena.results.stored_tournament import StoredTournament
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import MatchRow
from referee.engine.registry import game

pytestmark = pytest.mark.usefixtures("in_process")


def test_what_surely_beats_is_a_matter_of_likelihood() -> None:
    assert QualifierResult(0.951, "").won
    assert not QualifierResult(0.95, "").won
    assert not QualifierResult(float("nan"), "").won


class Silent:
    """A watcher that looks away."""

    def stored(self, rows: Sequence[MatchRow]) -> None: ...
    def failed(self, rows: Sequence[ProcessFailureRow]) -> None: ...
    def say(self, line: str) -> None: ...
    def recount(self, stored: int) -> None: ...
    def stands(self, how: str) -> None: ...


def test_a_bot_with_sense_beats_random() -> None:
    sense, chance = find_bots(["counter", "random"], samples("cambio"))
    result = play_qualifier(sense, chance, game("cambio"), Silent(), rounds=12, seed=1)
    assert result.won
    assert result.sentence.startswith("in 24 matches of cambio against random it is better with a likelihood of ")


def test_why_nothing_is_known_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of bots that play the same pair of matches again and again."""

    def repeated(tournament: StoredTournament) -> Standings:
        found = standings(tournament)
        repeats = Repeats(sets=2, repeated=1, largest=2, openings=0, shares={})
        return replace(found, table=replace(found.table, repeats=repeats))

    monkeypatch.setattr(qualifier, "standings", repeated)
    [chance] = find_bots(["random"], samples("cambio"))
    result = play_qualifier(chance, chance, game("cambio"), Silent(), rounds=2, seed=1)
    assert result.sentence == (
        "in 4 matches of cambio against random it is unknown whether it is better, as 1 of 2 pairs repeat others"
    )


@pytest.mark.promise
def test_who_does_not_beat_the_rival_fails_the_examination() -> None:
    [chance] = find_bots(["random"], samples("coch"))
    report = AcceptanceCheck(CheckSettings((game("coch"),), matches=2), print, "random", rounds=2)(chance)
    assert report.steps[-1].title == "beats random at coch"
    assert report.why.startswith("beats random at coch: in 4 matches of coch against random it is ")
