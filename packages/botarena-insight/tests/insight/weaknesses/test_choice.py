"""The classes of decisions, on random matches of every game."""

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from arena_insight.weaknesses.choice import Choice, by_first_words, classifier
from arena_insight.weaknesses.games import hypp, perudo, scopa, tokens, tricks

from referee.engine.chance import Chance, seed_from_number
from referee.engine.game import Game
from referee.games import cucu
from referee.games.coch import CochView
from referee.games.hypp import BET
from referee.games.perudo import REROLL
from tests.replay.replays import GAMES

MOST_QUESTIONS = 150


def _decisions(game: Game, preset: str) -> Iterator[Choice]:
    """Yield the classes of the decisions of a random match."""
    values = {name: str(value).lower() for name, value in game.presets[preset].items()}
    options = game.options.parse(values)
    random = Random(f"{game.name}/{preset}")
    tables = game.tables(options)
    state = game.start(options, random.choice(tables[:4]), Chance(seed_from_number(7)))
    for _ in range(MOST_QUESTIONS):
        moves = []
        for seat in state.asked:
            legal = state.legal(seat)
            moves.append(random.choice(legal))
            yield classifier(game.name)(state.view(seat), legal, moves[-1])
        if not moves:
            return
        state.apply(moves)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_each_decision_of_a_game_has_a_class_of_few(game: Game) -> None:
    choices = [choice for preset in game.presets for choice in _decisions(game, preset)]
    assert classifier(game.name) is not by_first_words
    for choice in choices:
        assert choice.question
        assert choice.action
    for question in {choice.question for choice in choices}:
        kinds = [choice for choice in choices if choice.question == question]
        assert len({choice.action for choice in kinds}) <= 8
        assert len({choice.position for choice in kinds}) <= 21


def test_games_from_elsewhere_are_classified_by_first_words() -> None:
    assert classifier("guessing") is by_first_words
    assert by_first_words(None, ("guess 1", "guess 2", "stop"), "guess 2") == Choice("guess or stop", "", "guess")
    assert by_first_words(None, ("guess 1", "guess 2"), "guess 2") == Choice("guess", "", "guess")


def _cup(**values: Any) -> Any:
    fields = {"dice": (1, 4), "aside": (), "counts": (2, 2), "showdown": None, "quantity": None, "face": None}
    return SimpleNamespace(**{"stage": 1, **fields, **values})


@pytest.mark.parametrize(
    ("view", "move", "choice"),
    [
        # Two of two dice are fours by the skull; one or more of the two others: 1 - (2/3)^2 = 56 %; both: 11 %.
        (_cup(), "bid 2x4", ("its turn", "first bid of the round", "a bid that is safe (90 % or more)")),
        (_cup(), "bid 3x4", ("its turn", "first bid of the round", "a bid that is even (40 to 60 %)")),
        (_cup(), "bid 4x4", ("its turn", "first bid of the round", "a bid that is unlikely (10 to 40 %)")),
        (_cup(quantity=3, face=4), "no", ("its turn", "the last bid is even (40 to 60 %)", "no")),
        # A skull is only a skull: 1 - (5/6)^2 = 31 %; under a showdown it is a one.
        (_cup(quantity=2, face=1), "exact", ("its turn", "the last bid is unlikely (10 to 40 %)", "exact")),
        (_cup(quantity=2, face=4, showdown=0), "no", ("its turn", "the last bid is unlikely (10 to 40 %)", "no")),
        (
            _cup(quantity=2, face=4, stage=REROLL),
            "reroll keep 4",
            ("after its bid", "its bid is safe (90 % or more)", "reroll"),
        ),
    ],
)
def test_bids_are_classified_by_their_probability(view: Any, move: str, choice: tuple[str, str, str]) -> None:
    assert perudo.choice(view, (), move) == choice


@pytest.mark.parametrize(
    ("hand", "table", "move", "choice"),
    [
        (("U7",), ("C3", "S4"), "play U7", ("with a capture", "could sweep the table", "sweep the table")),
        (
            ("S5", "U7"),
            ("C7", "S2"),
            "play S5",
            ("with a capture", "could take the seven of coins", "capture nothing"),
        ),
        (
            ("S5", "U7"),
            ("C7", "S5"),
            "play S5",
            ("with a capture", "could take the seven of coins", "take other cards"),
        ),
        (
            ("S5",),
            ("C4",),
            "play S5",
            ("nothing to capture", "a table of 10 or less", "discard another card, leaving 10 or less"),
        ),
        (
            ("C9",),
            ("C4", "S8"),
            "play C9",
            ("nothing to capture", "a table over 10", "discard coins, leaving more than 10"),
        ),
    ],
)
def test_captures_are_classified(
    hand: tuple[str, ...], table: tuple[str, ...], move: str, choice: tuple[str, str, str]
) -> None:
    legal = [f"play {card}" for card in hand]
    assert scopa.choice(SimpleNamespace(hand=hand, table=table), legal, move) == choice


CHEAPLY = "win as cheaply as possible"


def _trick(hand: tuple[int, ...], table: tuple[int, ...], seat: int) -> CochView:
    return CochView(1, 0, (), (), (0,), (), table, 1 if table else 0, seat, seat, hand)


@pytest.mark.parametrize(
    ("view", "legal", "move", "choice"),
    [
        (_trick((9, 3, 1), (), 0), (9, 3, 1), 9, ("to lead", "3 cards left", "lead its strongest number card")),
        (_trick((9, 3), (5,), 1), (9, 3), 9, ("to follow", "the others ahead, able to win", CHEAPLY)),
        (_trick((9, 3), (5, 2), 2), (9, 3), 9, ("to follow", "its side ahead, able to win", CHEAPLY)),
        (_trick((10, 9), (5,), 1), (10, 9), 10, ("to follow", "the others ahead, able to win", "win with more")),
    ],
)  # fmt: skip
def test_tricks_are_classified(view: CochView, legal: tuple[int, ...], move: int, choice: tuple[str, str, str]) -> None:
    assert tricks.choice(view, [f"play {card}" for card in legal], f"play {move}") == choice


def test_bets_and_money_are_classified() -> None:
    chips = SimpleNamespace(stage=BET, chips=(10, 30, 20), seat=2)
    legal = [f"bet {n}" for n in range(1, 11)]
    assert [hypp.choice(chips, legal, f"bet {n}").action for n in (1, 4, 9, 10)] == [
        *("bet a third or less", "bet two thirds or less", "bet nearly all", "bet the most")
    ]
    assert hypp.choice(chips, legal, "bet 1").position == "behind"
    entry = SimpleNamespace(stage=cucu.ENTRY, seat=0, tokens=(0, 2, 0, 1), card=None, order=(), offer=None)
    assert tokens.choice(entry, ("stay out", "enter"), "enter") == ("out of tokens", "2 others in", "enter")
    reply = SimpleNamespace(stage=cucu.REPLY, seat=0, tokens=(1, 2), card=None, order=(), offer="split 70")
    assert tokens.choice(reply, (), "accept") == ("to a proposal", "split over 60 percent is offered", "accept")
