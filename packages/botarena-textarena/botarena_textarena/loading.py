"""Games of TextArena by name, and why arena cannot play some of them."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import nltk
from textarena.envs.registration import ENV_REGISTRY

from botarena_textarena.environment import Environment
from referee.engine.errors import UnknownGame
from referee.engine.near import did_you_mean

MOST_SEATS = 15
"""The most players of a game of TextArena."""

_SINGLE = "SinglePlayerState("
_ASKS_MODELS = "OpenRouter"
_CORPORA = {
    "EnglishDictionary(": ("words",),
    "nltk.corpus": ("words",),
    "pos_tag": ("words", "averaged_perceptron_tagger_eng"),
}
"""The data of NLTK that a source needs, by what stands in it."""

_DRAWS = re.compile(r"\brandom\.\w|\bfrom random import|import random as")

_UNORDERED = re.compile(r"\blist\(\(*set\(|set\(numpy\.random")
"""Where a set of texts becomes a list, or is shown: Python orders them by hashes that differ between processes."""

_FOLDERS = {"words": "corpora", "averaged_perceptron_tagger_eng": "taggers"}


@cache
def load(name: str) -> tuple[int, ...]:
    """Return by how many players a game of TextArena can be played.

    name: as `textarena.make` takes it.

    Raises UnknownGame where TextArena has no such game, or arena cannot play it.
    """
    if name not in ENV_REGISTRY:
        raise UnknownGame(
            f'TextArena has no game "{name}"{did_you_mean(name, ENV_REGISTRY)} (list its games: arena games textarena)'
        )
    if why := _why_not(name):
        raise UnknownGame(f'"textarena:{name}" cannot be played: {why}')
    seats, problem = [], ""
    for players in range(2, MOST_SEATS + 1):
        try:
            environment = Environment(name, players, seed=0)
            player, _ = environment.observe()
            environment.copy()
        except Exception as error:  # TextArena tells by any error for how many a game is
            problem = problem or f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
            continue
        if 0 <= player < players:
            seats.append(players)
    if not seats:
        raise UnknownGame(f'"textarena:{name}" cannot be played: TextArena cannot make it ({problem})')
    return tuple(seats)


def has_chance(name: str) -> bool:
    """Return whether chance plays a part in a game of TextArena: whether its source draws any."""
    return _DRAWS.search(_source(str(ENV_REGISTRY[name].entry_point))) is not None


@cache
def playable_games() -> Mapping[str, str]:
    """Return the titles of the games that can be played here, by name, without TextArena's variants for training."""
    return {
        name: f"{name.partition('-')[0]}, of TextArena"
        for name in sorted(ENV_REGISTRY)
        if not name.endswith(("-raw", "-train")) and "-train-" not in name and not _why_not(name)
    }


def _why_not(name: str) -> str:
    """Return why arena cannot play a game; "" where it can, as far as its source tells."""
    source = _source(str(ENV_REGISTRY[name].entry_point))
    if _SINGLE in source:
        return "it is for one player, and arena compares the players of a match"
    if _ASKS_MODELS in source:
        return (
            "it has its results judged by models on the internet, so that no match of it could be repeated or verified"
        )
    if _UNORDERED.search(source):
        return "its words stand in another order in each process, so that no match of it could be verified"
    needed = {one: None for sign, data in _CORPORA.items() if sign in source for one in data}
    if missing := [one for one in needed if not _has_data(one)]:
        return (
            f"it needs data of NLTK that are not here, and referees download nothing: "
            f"python -m nltk.downloader {' '.join(missing)}"
        )
    return ""


@cache
def _source(entry_point: str) -> str:
    """Return the sources of a game, which nothing imports here: its module and those beside it."""
    first, *between, _ = entry_point.partition(":")[0].split(".")
    found = find_spec(first)
    folders = found.submodule_search_locations if found is not None else None
    paths = [path for folder in folders or () for path in Path(folder, *between).glob("**/*.py")]
    return "".join(path.read_text() for path in sorted(paths))


@cache
def _has_data(name: str) -> bool:
    try:
        nltk.data.find(f"{_FOLDERS[name]}/{name}")
    except LookupError:
        try:
            nltk.data.find(f"{_FOLDERS[name]}/{name}.zip")
        except LookupError:
            return False
    return True
