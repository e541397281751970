"""Names of games: found, canonical, and refused with a reason."""

import subprocess
import sys

import pytest
from botarena_openspiel.family import OPENSPIEL
from botarena_openspiel.game import behaviour

from referee.engine import registry
from referee.engine.errors import UnknownGame


def test_games_are_found_by_the_entry_point_and_not_among_the_names() -> None:
    assert "openspiel" in registry.family_names()
    assert not any("openspiel" in name for name in registry.names())
    assert registry.game("openspiel:leduc_poker").name == "openspiel:leduc_poker"


@pytest.mark.parametrize("name", ["kuhn_poker(players=3)", " kuhn_poker ( players = 3 ) "])
def test_a_game_with_parameters_has_one_name(name: str) -> None:
    game = registry.game(f"openspiel:{name}")
    assert game.name == "openspiel:kuhn_poker(players=3)"
    assert game.seats == (3, 3)
    assert registry.game(game.name).name == game.name


def test_a_nested_game_has_a_name_that_makes_it_again() -> None:
    game = registry.game("openspiel:turn_based_simultaneous_game(game=goofspiel(num_cards=4))")
    assert "num_cards=4" in game.name
    assert registry.game(game.name).name == game.name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("leduk_poker", 'OpenSpiel has no game "leduk_poker"; did you mean "leduc_poker"?'),
        ("", 'OpenSpiel has no game ""'),
        ("../../etc/passwd", "OpenSpiel has no game"),
        ("kuhn_poker(", r"cannot make .*bracket"),
        ("kuhn_poker(players=99)", r"cannot make .*num_players"),
        ("kuhn_poker(colour=red)", r"cannot make .*Unknown parameter 'colour'"),
        ("nfg_game", "cannot make"),
        ("goofspiel", r"at the same time; .*openspiel:turn_based_simultaneous_game\(game=goofspiel\(\)\)"),
        ("mfg_garnet", "mean field"),
        ("negotiation", "draws chance by itself"),
        ("2048", "for one player"),
        ("go(board_size=100000)", "actions, and arena"),
        ("go(board_size=99)", "cannot make .*supports board size up to 19"),
        ("hex(board_size=400)", "actions, and arena"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_reason(name: str, why: str) -> None:
    with pytest.raises(UnknownGame, match=why):
        OPENSPIEL.game(name)


def test_a_refusal_is_one_sentence_on_stderr() -> None:
    command = [sys.executable, "-m", "arena", "games", "openspiel:kuhn_poker(players=99)"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert not done.stdout
    assert done.stderr.startswith("Error: OpenSpiel cannot make")
    assert done.stderr.count("\n") == 1


def test_the_list_has_only_games_that_can_be_made() -> None:
    games = OPENSPIEL.games()
    assert {"backgammon", "leduc_poker", "tic_tac_toe"} <= set(games)
    assert not {"goofspiel", "2048", "nfg_game", "negotiation"} & set(games)
    for name in games:
        if name != "bridge":  # it makes large tables
            assert OPENSPIEL.game(name).name == f"openspiel:{name}"


def test_the_version_of_openspiel_is_part_of_the_rules_version() -> None:
    assert behaviour() % 10 == 1
    assert behaviour() > 1_006_000_0
