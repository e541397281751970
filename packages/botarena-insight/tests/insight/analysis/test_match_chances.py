"""The chances throughout a match: which frames are estimated, and what their swings are."""

import pytest
from arena_insight.analysis import match_chances
from arena_insight.analysis.errors import AnalysisError
from arena_insight.analysis.match_chances import FrameChances, MatchChances, analyse
from arena_insight.analysis.playouts import Estimate

from arena.replay.replay import Replay
from arena.run.sample_policies import UnknownPolicy
from arena.values.rows import StoredMatch
from referee.games.coch import COCH
from referee.games.hypp import HYPP
from tests.replay.replays import stored


def chances(*points: tuple[int, float, float]) -> MatchChances:
    """The chances of a match of three seats.

    points: a frame, the chance of seat 0, and its standard error.
    """
    frames = [
        FrameChances(frame, Estimate((share, *[round((1 - share) / 2, 4)] * 2), (error,) * 3, 0 if error == 0 else 9))
        for frame, share, error in points
    ]
    return MatchChances(None, "random", 9, 0, tuple(frames))


def test_swings_are_the_clear_changes_in_order() -> None:
    made = chances((0, 0.5, 0.03), (4, 0.6, 0.03), (5, 0.2, 0.04), (9, 0.9, 0.03), (12, 1.0, 0.0))
    swings = made.swings()
    assert [(swing.seat, swing.before_frame, swing.frame) for swing in swings] == [(0, 5, 9), (0, 4, 5), (0, 9, 12)]
    assert swings[0].change == pytest.approx(0.7)
    assert swings[0].error == pytest.approx(0.05)
    assert len(made.swings(1)) == 1
    assert MatchChances.from_json(made.to_json()) == made
    assert made.to_json()["swings"][0] == {"seat": 0, "from": 5, "move": 9, "before": 0.2, "after": 0.9, "error": 0.05}


def test_frames_are_even_and_then_where_the_chances_change(monkeypatch: pytest.MonkeyPatch) -> None:
    match = stored(HYPP)
    count = Replay(match).count()
    asked: list[int] = []

    def jump(match: StoredMatch, question: int, **_: object) -> Estimate:
        asked.append(question)
        share = float(question > 10)
        return Estimate((share, 1 - share, 0, 0, 0), (0.1,) * 5, 4)

    monkeypatch.setattr(match_chances, "estimate", jump)
    monkeypatch.setattr(match_chances, "EVEN_FRAMES", 4)
    monkeypatch.setattr(match_chances, "MOST_FRAMES", 20)
    told: list[tuple[int, int]] = []
    found = analyse(match, report=lambda done, total: told.append((done, total)))
    frames = [point.frame for point in found.frames]
    assert len(frames) == len(asked) == 20
    assert {0, count - 1, 10, 11} <= {*frames}
    assert told == [(number, 20) for number in range(1, 21)]


@pytest.mark.processes
def test_processes_make_no_difference() -> None:
    match = stored(COCH)
    one = analyse(match, 1, playouts=2, policy="random")
    assert analyse(match, 1, playouts=2, policy="random", jobs=2) == one
    assert [point.frame for point in one.frames] == [*range(Replay(match).count(1))]
    assert one.frames[-1].estimate.playouts == 0


def test_a_seat_or_bot_that_does_not_exist_is_said() -> None:
    with pytest.raises(AnalysisError, match="match 1 has the seats 0 to 3, not 4"):
        analyse(stored(COCH), 4)
    with pytest.raises(UnknownPolicy, match='no sample bot "hoarder" plays coch'):
        analyse(stored(COCH), policy="hoarder")
