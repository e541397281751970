"""What arena needs to be told of a game of OpenSpiel."""

from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar

import pyspiel

from botarena_openspiel.loading import PERFECT, canonical_name, load
from botarena_openspiel.state import HIDDEN_LINES, OPEN_LINES, Declaration, OpenSpielState
from referee.engine.chance import Chance
from referee.engine.game import Game
from referee.engine.options import Options, option

REVISION = 1
"""Raised whenever a change of this package changes any match."""

DETERMINISTIC = pyspiel.GameType.ChanceMode.DETERMINISTIC

FINE = 1000
"""Scores of most games are kept in thousandths, as returns need not be whole numbers."""

MOST_FINE = 2_000_000
"""The largest return that is kept so: scores have 32 bits."""


@dataclass(frozen=True, slots=True)
class OpenSpielOptions(Options):
    """The options of any game of OpenSpiel; its own parameters are in its name."""

    tensor: bool = option(False, "views have the tensor of what the player knows")


@dataclass(frozen=True, slots=True)
class PlainOptions(Options):
    """The options of a game without tensors: none."""


class OpenSpielGame(Game):
    """A game of OpenSpiel. `make_game` derives a class of it for each."""

    unit = "points"
    message = "botarena_openspiel.v1.openspiel_pb2:OpenSpielView"
    stable = 2
    moves = "ACTION  an action, as OpenSpiel words it; with its number (#3) where two read alike"
    source: ClassVar[pyspiel.Game]
    declaration: ClassVar[Declaration]

    def start(self, options: Any, seats: int, chance: Chance) -> OpenSpielState:
        self.check(options, seats)
        about = self.declaration._replace(tensor=getattr(options, "tensor", False))
        return OpenSpielState(about, self.source.new_initial_state(), seats, chance)


def make_game(name: str) -> Game:
    """Return a game of OpenSpiel by its name there. Raises UnknownGame where it has none, or arena cannot play it."""
    source = load(name)
    kind = source.get_type()
    perfect = kind.information == PERFECT
    has_states = (
        (not perfect and kind.provides_information_state_string) or not kind.provides_observation_string,
        not perfect and kind.provides_information_state_tensor,
    )
    has_tensors = has_states[1] or kind.provides_observation_tensor
    largest = max(abs(source.max_utility()), abs(source.min_utility()))
    scale = FINE if largest <= MOST_FINE else 1
    players = source.num_players()
    fields: dict[str, Any] = {
        "__module__": __name__,
        "name": f"openspiel:{canonical_name(source)}",
        "title": f"{kind.long_name}, of OpenSpiel",
        "scale": scale,
        "behaviour": behaviour(),
        "options": OpenSpielOptions if has_tensors else PlainOptions,
        "presets": {"default": {}, "tensor": {"tensor": True}} if has_tensors else {"default": {}},
        "seats": (players, players),
        "recommended": players,
        "lines": OPEN_LINES if perfect else HIDDEN_LINES,
        "asks_forced": not perfect,
        "has_perfect_information": perfect,
        "chance": kind.chance_mode != DETERMINISTIC and source.max_chance_outcomes() > 0,
        "source": source,
        "declaration": Declaration(canonical_name(source), perfect, has_states, scale, tensor=False),
    }
    game: Game = type("OpenSpielGame", (OpenSpielGame,), fields)()
    return game


def behaviour() -> int:
    """Return the version of the rules: OpenSpiel's own, as any release may change them, and this package's.

    2.0.2 and revision 1 give 20000021.
    """
    numbers = [*(int(part) for part in version("open_spiel").split(".")[:3] if part.isdigit()), 0, 0][:3]
    return ((numbers[0] * 1000 + numbers[1]) * 1000 + numbers[2]) * 10 + REVISION
