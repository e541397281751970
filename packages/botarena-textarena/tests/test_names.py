"""Which games there are, and in what words others are refused."""

import pytest
from botarena_textarena.family import TEXTARENA

from referee.engine import registry
from referee.engine.errors import SeatsError, UnknownGame


def test_games_for_two_and_more_are_listed() -> None:
    games = TEXTARENA.games()
    assert games["SimpleNegotiation-v0"] == "SimpleNegotiation, of TextArena"
    assert {"TicTacToe-v0", "LiarsDice-v0", "SecretMafia-v0"} < set(games)
    assert not {"Sudoku-v0", "Debate-v0", "TicTacToe-v0-raw", "TicTacToe-v0-train"} & set(games)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("TicTacTo-v0", 'TextArena has no game "TicTacTo-v0"; did you mean'),
        ("2048-v0", '"textarena:2048-v0" cannot be played: it is for one player'),
        ("Debate-v0", "it has its results judged by models on the internet"),
    ],
)
def test_games_that_cannot_be_played(name: str, why: str) -> None:
    with pytest.raises(UnknownGame, match=why):
        registry.game(f"textarena:{name}")


def test_a_game_that_needs_data_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nltk.data.path", [])
    with pytest.raises(UnknownGame, match="referees download nothing: python -m nltk.downloader words"):
        registry.game("textarena:Codenames-v0")


def test_the_number_of_players_is_found_by_trying() -> None:
    two, many = registry.game("textarena:TicTacToe-v0"), registry.game("textarena:LiarsDice-v0")
    assert (two.seats, many.seats) == ((2, 2), (2, 15))
    with pytest.raises(SeatsError, match="textarena:TicTacToe-v0 is played by 2 seats, not 3"):
        two.check(two.options(), 3)


def test_whether_chance_plays_a_part_follows_from_the_source() -> None:
    assert not registry.game("textarena:TicTacToe-v0").chance
    assert registry.game("textarena:KuhnPoker-v0").chance
