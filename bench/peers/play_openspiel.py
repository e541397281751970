"""Random play in OpenSpiel, from Python: the legal moves of whoever acts, a choice, the rules; no observation."""

from importlib.metadata import version
from random import Random

import pyspiel
from timing import tell

GAMES = ("hearts", "euchre", "liars_dice", "gin_rummy", "leduc_poker")


def match(game: pyspiel.Game, rng: Random) -> int:
    """Play a match; return how many decisions it took. Chance is drawn as the library says it falls."""
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            moves, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(moves, odds)[0])
        else:
            moves = state.legal_actions()
            state.apply_action(moves[int(rng.random() * len(moves))])
            decisions += 1
    return decisions


for name in GAMES:
    loaded = pyspiel.load_game(name)
    rng = Random(1)
    tell("OpenSpiel", version("open_spiel"), name, loaded.num_players(), lambda: match(loaded, rng))  # noqa: B023
