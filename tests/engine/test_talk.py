"""Table talk by the rules alone: what a state lets bots say, its replay, and scenarios with words."""

from typing import Any

import pytest

from referee.engine.chance import Chance
from referee.engine.errors import RecordError
from referee.engine.events import digest, history
from referee.engine.game import State
from referee.engine.record import Say, replay
from referee.engine.scenario import judge
from referee.games.cucu import CUCU
from tests.guessing import GUESSING, GuessingOptions

SEED = bytes(range(32))
TALKING: Any = CUCU.options.parse({"table_talk": "true"})

HEAD = 'game = "cucu"\nseats = 3\n[options]\ntable_talk = true\n[chance]\nfirst = 0\ndeck = [2, 5, 7]\n'
PLAY = '[[play]]\nseat = 1\nmove = "keep"\n'


def test_by_default_nothing_is_heard() -> None:
    state = GUESSING.start(GuessingOptions(), 2, Chance(SEED))
    before = digest(state.events)
    assert state.talk_limit() == 0
    state.say(0, "anybody there?")
    assert digest(state.events) == before
    assert CUCU.start(CUCU.options(), 3, Chance(SEED)).talk_limit() == 0
    assert CUCU.start(TALKING, 3, Chance(SEED)).talk_limit() == 80


def last(answers: list[int], says: list[Say]) -> State:
    *_, (state, _) = replay(CUCU, TALKING, 3, Chance(SEED), answers, says)
    return state


def test_a_replay_hears_the_same_words_at_the_same_moment() -> None:
    state = CUCU.start(TALKING, 3, Chance(SEED))
    said = []
    for ply, words in enumerate(["", "a 12, beware", "x" * 80]):
        (seat,) = state.asked
        if words:
            state.say(seat, words)
            said.append(Say(seat, ply, words))
        state.apply(["keep"])
    again = last([0, 0, 0], said)
    assert history(CUCU.lines, again.events) == history(CUCU.lines, state.events)
    assert digest(again.events) != digest(last([0, 0, 0], []).events)


@pytest.mark.parametrize(
    ("says", "message"),
    [
        ([Say(9, 0, "hm")], "words of seat 9 with answer 0, which is no answer of its"),
        ([Say(1, 7, "hm")], "words of seat 1 with answer 7, which is no answer of its"),
        ([Say(-1, 0, "x" * 81)], "says 81 characters with answer 0, where 80 are heard"),
        ([Say(-1, 0, "")], "says 0 characters with answer 0, where 80 are heard"),
    ],
)
def test_words_that_do_not_fit_the_record(says: list[Say], message: str) -> None:
    (first,) = CUCU.start(TALKING, 3, Chance(SEED)).asked
    placed = [Say(first if say.seat < 0 else say.seat, say.ply, say.text) for say in says]
    with pytest.raises(RecordError, match=message):
        last([0, 0], placed)


def test_words_where_the_rules_hear_none() -> None:
    with pytest.raises(RecordError, match="says 2 characters with answer 0, where 0 are heard"):
        list(replay(GUESSING, GuessingOptions(), 2, Chance(SEED), [0, 1], [Say(0, 0, "hm")]))


def test_a_scenario_may_say_something_with_a_move() -> None:
    verdict = judge(
        HEAD + PLAY + 'say = "a cat!"\n[expect]\nview = { 2 = { said = ["", "a cat!", ""] } }\n'
        'events = ["seat 1 says: a cat!", "seat 1 keeps"]\n'
    )
    assert (verdict.wrong, verdict.differences) == ("", [])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (HEAD + PLAY + "say = 3\n", "play[1].say must be a text in quotes, not 3"),
        (HEAD + PLAY + f'say = "{"x" * 81}"\n', "what is said with play 1 must be one line of at most 80 characters"),
        (HEAD + PLAY + 'say = "a\\nb"\n', "what is said with play 1 must be one line of at most 80 characters"),
        (
            HEAD.replace("table_talk = true\n", "") + PLAY + 'say = "hm"\n',
            "play 1 says something, but cucu has no table talk there",
        ),
    ],
)
def test_words_that_a_scenario_may_not_say(text: str, sentence: str) -> None:
    assert judge(text).wrong == sentence
