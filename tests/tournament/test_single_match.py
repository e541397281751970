import pytest

from arena.plan.field import find_bots, samples
from arena.plan.secret import match_seed, new_secret
from arena.run.single_match import play_single
from arena.values.definition import TimeControl
from referee.engine.errors import SeatsError
from referee.engine.registry import game

RULES = game("cambio")
FIELD = find_bots(["random", "cautious", "random"], samples("cambio"))


@pytest.mark.promise
def test_one_match_with_the_bots_seated_as_named() -> None:
    options = RULES.options.parse({"chips": "1"})
    time = TimeControl(move_time_ms=0, start_time_ms=60_000)
    said: list[str] = []
    played = play_single(RULES, options, FIELD, seed=9, time=time, say=said.append)
    assert [seat.entrant for seat in played.match.seats] == [0, 1, 2]
    assert played.match.seed == match_seed(new_secret(9), 0, "cambio")
    assert not played.match.faults
    assert played.frame.seed == "9"
    assert played.frame.options == {"chips": "1"}
    assert played.frame.matches == 1
    again = play_single(RULES, options, FIELD, seed=9, time=time, say=said.append)
    assert (again.match.answers, again.match.digest) == (played.match.answers, played.match.digest)


def test_too_few_bots() -> None:
    with pytest.raises(SeatsError):
        play_single(RULES, RULES.options(), FIELD[:1], say=print)
