"""Moves as messages, by the phrases that games declare."""

import pytest

from arena.language.message import parts
from arena.replay.phrases import card_of, phrased
from referee.engine import registry
from referee.engine.game import Game
from tests.replay.replays import GAMES, replay


@pytest.mark.parametrize(
    ("game", "move", "made", "card"),
    [
        ("kille", "play -3", ["play {0}", "-3"], "-3"),
        ("torionfo", "play 12 number", ["play {0} number", "12"], "12"),
        ("scopa", "play C7", ["play {0}", "C7"], "C7"),
        ("scopa", "play C7 take S3 U4", ["play {0} take {1}", "C7", "S3 U4"], "C7"),
        ("zifuli", "bid 4", ["bid {0}", "4"], "4"),
        ("perudo", "bid 2xskull", ["bid {0}x{1}", 2, ["skull"]], None),
        ("perudo", "reroll keep 5 skull", ["reroll keep {0}", ["{0} {1}", 5, ["skull"]]], None),
        ("hypp", "bet 10", ["bet {0}", 10], None),
        ("lustu", "offer 20%", ["offer {0}%", 20], None),
        ("lustu", "offer 5", ["offer {0}", 5], None),
        ("lustu", "offer none", "offer none", None),
        ("cambio", "keep", "keep", None),
        ("cambio", "play 5", "play 5", None),
    ],
)
def test_a_move_is_a_message_of_the_phrase_that_it_fits(game: str, move: str, made: object, card: str | None) -> None:
    phrases = registry.game(game).phrases
    assert phrased(phrases, move) == move
    assert parts(phrased(phrases, move)) == made
    assert card_of(phrases, move) == card


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_moves_with_choices_fit_a_phrase(game: Game) -> None:
    plain = {
        move
        for frame in replay(game).frames()
        for answer in frame.answers
        for move in answer.legal
        if isinstance(parts(move), str)
    }
    assert not {move for move in plain if any(character.isdigit() for character in move)}
