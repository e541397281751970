"""Games of OpenSpiel by name, and why arena cannot play some of them."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import pyspiel

from referee.engine.errors import UnknownGame
from referee.engine.near import did_you_mean

MOST_ACTIONS = 100_000
"""The most different actions of a game: all that are legal are offered with each question."""

SIMULTANEOUS = pyspiel.GameType.Dynamics.SIMULTANEOUS
SAMPLED = pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
PERFECT = pyspiel.GameType.Information.PERFECT_INFORMATION


def load(name: str) -> pyspiel.Game:
    """Return a game of OpenSpiel.

    name: as `pyspiel.load_game` takes it; blanks around signs do not matter.

    Raises UnknownGame where OpenSpiel has no such game, or arena cannot play it.
    """
    text = re.sub(r"\s*([(),=])\s*", r"\1", name.strip())
    known = pyspiel.registered_names()
    if (short := text.partition("(")[0]) not in known:
        raise UnknownGame(
            f'OpenSpiel has no game "{short}"{did_you_mean(short, known)} (list its games: arena games openspiel)'
        )
    game: pyspiel.Game = _made(text, lambda: pyspiel.load_game(text))
    if why := _why_not(game.get_type(), game.num_players()):
        raise UnknownGame(f'"openspiel:{text}" cannot be played: {why}')
    if not 0 < (actions := game.num_distinct_actions()) <= MOST_ACTIONS:
        raise UnknownGame(
            f'"openspiel:{text}" cannot be played: it has {actions:,} actions, and arena, which offers all legal ones '
            f"with each question, takes games of up to {MOST_ACTIONS:,}"
        )
    _made(text, game.new_initial_state)  # some games look at their parameters only now
    return game


def _made(name: str, make: Callable[[], Any]) -> Any:
    """Return what OpenSpiel makes. Raises UnknownGame where it cannot."""
    try:
        with _silent_stderr():
            return make()
    except Exception as error:  # an error of OpenSpiel, or of C++ where its code checks nothing
        raise UnknownGame(f'OpenSpiel cannot make "{name}": {_sentence(error)}') from None


def canonical_name(game: pyspiel.Game) -> str:
    """Return the name of a game with its parameters in OpenSpiel's own order."""
    return str(game).removesuffix("()")


@cache
def playable_games() -> Mapping[str, str]:
    """Return the titles of the games that arena can play and that need no parameters, by name."""
    return {
        kind.short_name: kind.long_name
        for kind in pyspiel.registered_games()
        if kind.default_loadable and not _why_not(kind, kind.max_num_players)
    }


def _why_not(kind: pyspiel.GameType, players: int) -> str:
    """Return why arena cannot play games of a type; "" where it can."""
    if kind.dynamics == SIMULTANEOUS:
        return (
            "its players move at the same time; OpenSpiel makes a sequential game of it: "
            f"openspiel:turn_based_simultaneous_game(game={kind.short_name}())"
        )
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        return "it is a game of a population (mean field), not of players at a table"
    if kind.chance_mode == SAMPLED:
        return "it draws chance by itself, so that no match of it could be repeated or verified"
    if players < 2:
        return "it is for one player, and arena compares the players of a match"
    if not (kind.provides_information_state_string or kind.provides_observation_string):
        return "OpenSpiel does not say what its players see (neither information states nor observations)"
    return ""


def _sentence(error: Exception) -> str:
    """Return what an error says in one line, without the path of a source of OpenSpiel."""
    words = " ".join(str(error).split())
    return re.sub(r"^/\S+/(\S+\.cc:\d+)", r"\1", words)[:300] or type(error).__name__


@contextmanager
def _silent_stderr() -> Iterator[None]:
    """Discard what C++ writes to standard error: OpenSpiel prints each error that it raises."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
