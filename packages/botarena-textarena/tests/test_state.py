"""Matches under way: texts, failures, and that nothing is shared between them."""

import random
from typing import Any

import pytest
from botarena_textarena.environment import Environment
from botarena_textarena.examples import MOST_EXAMPLES, examples
from botarena_textarena.state import MOST_IN_A_ROW, OBSERVED, TextArenaState, line, shortened

from referee.engine import registry
from referee.engine.chance import Chance
from referee.engine.events import digest, history

SEED = bytes(range(32))


def started(name: str, seats: int = 2, seed: bytes = SEED) -> TextArenaState:
    game = registry.game(f"textarena:{name}")
    state = game.start(game.options(), seats, Chance(seed))
    assert isinstance(state, TextArenaState)
    return state


def answer(state: TextArenaState, text: str) -> None:
    (seat,) = state.asked
    state.say(seat, text)
    state.apply(["say"])


def log(state: TextArenaState, seat: int | None = None) -> list[str]:
    return history(registry.game(f"textarena:{state.name}").lines, state.events, seat)


def test_a_match_by_words_and_by_examples() -> None:
    state = started("TicTacToe-v0")
    assert state.legal(0) == (*(f"[{cell}]" for cell in range(9)), "say")
    assert state.legal(1) == ()
    answer(state, "The middle is mine: [4]")
    state.apply(["[0]"])
    answer(state, "[3]")
    state.apply(["[1]"])
    answer(state, "[5] and I have won")
    assert state.asked == ()
    assert state.outcome().scores == (1000, -1000)
    assert state.outcome().ranks == (1, 2)


def test_textarena_judges_what_is_invalid() -> None:
    state = started("TicTacToe-v0")
    answer(state, "I resign?")
    assert state.asked == (0,)
    assert "attempted an invalid move" in state.view(0).observation
    assert "attempted an invalid move" not in state.view(1).observation
    state.apply([state.default(0)])
    assert state.asked == ()
    assert state.outcome().ranks == (2, 1)


def test_hidden_information_stays_hidden() -> None:
    state = started("KuhnPoker-v0")
    cards = {line for line in log(state) if "Your card is" in line}
    assert {line.split(" is told")[0] for line in cards} == {"seat 0", "seat 1"}
    assert {line for line in log(state, 0) if "Your card is" in line} == {c for c in cards if c.startswith("seat 0")}


def test_matches_are_repeated_whatever_else_happens_in_the_process() -> None:
    def play(*states: TextArenaState) -> list[bytes]:
        for number in range(12):
            for state in states:
                random.seed(number)
                if state.asked:
                    state.apply([state.legal(state.asked[0])[number % (len(state.offered) - 1)]])
        return [digest(state.events) for state in states]

    alone = play(started("KuhnPoker-v0")) + play(started("KuhnPoker-v0", seed=bytes(32)))
    assert alone[0] != alone[1]
    assert play(started("KuhnPoker-v0"), started("KuhnPoker-v0", seed=bytes(32))) == alone


def test_what_others_draw_does_not_depend_on_a_match() -> None:
    random.seed(5)
    drawn = random.random()
    random.seed(5)
    started("LiarsDice-v0", 4)
    assert random.random() == drawn


def test_a_failure_of_textarena_ends_the_match_against_who_caused_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Any, text: str) -> bool:
        raise KeyError(text)

    state = started("LiarsDice-v0", 3)
    (seat,) = state.asked
    monkeypatch.setattr(Environment, "step", fail)
    answer(state, "[Bid: 99]")
    assert state.asked == ()
    assert log(state)[-1] == f"the match ends: TextArena failed over the answer of seat {seat} (KeyError)"
    assert [state.outcome().ranks[other] for other in range(3) if other != seat] == [1, 1]
    assert state.outcome().scores[seat] == -1000


def test_an_endless_match_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botarena_textarena.state.MOST_ANSWERS", 2)
    state = started("TicTacToe-v0")
    answer(state, "[0]")
    answer(state, "[1]")
    assert state.asked == ()
    assert state.outcome().ranks == (1, 1)
    assert log(state)[-1] == "the match ends: there were 2 answers"


def test_examples_are_forms_and_no_names_of_senders() -> None:
    told = "\n[GAME] Say '[Bid: 1, 2]' or '[bid: 1, 2]'\n[Player 1] I say [x] \N{SNOWMAN} [\N{SNOWMAN}] [ ] []"
    assert examples(told) == ("[bid: 1, 2]", "[x]")
    assert examples("".join(f"[{number}]" for number in range(99))) == tuple(
        f"[{number}]" for number in range(99 - MOST_EXAMPLES, 99)
    )


def test_messages_are_bounded_and_of_one_line() -> None:
    assert line(" a\tb\n\n  c\x1b[1m\n") == "a b / c [1m"
    assert line("\n") == "nothing"
    long = shortened("rules" + "x" * 2 * OBSERVED + "end")
    assert long.startswith("rules")
    assert long.endswith("xend")
    assert len(long) <= OBSERVED + 10


def test_a_step_without_end_ends_the_match() -> None:
    class Endless:
        def step(self, action: str) -> None:
            while True:
                try:
                    [].pop()
                except Exception:
                    continue

    state = started("PublicGoodsGame-v0")
    state.environment._environment = Endless()
    state.apply(["say"])
    assert state.asked == ()
    assert "failed over the answer of seat 0 (EndlessStep)" in log(state)[-1]
    assert state.outcome().ranks == (2, 1)


def test_a_seat_that_is_asked_again_and_again_has_lost() -> None:
    state = started("PublicGoodsGame-v0")
    for _ in range(MOST_IN_A_ROW + 20):
        if state.asked:
            answer(state, "never")
    assert state.outcome().ranks == (2, 1)
    assert state.answers <= MOST_IN_A_ROW + 20
    assert state.asked == ()
