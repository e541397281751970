"""The matches that a check plays."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from arena.plan.secret import bot_seed, match_seed
from referee.engine.game import Game
from referee.engine.options import Options


@dataclass(frozen=True, slots=True)
class TrialMatch:
    """One match of a check."""

    game: str
    """The name of the game."""
    seats: int
    """The number of seats."""
    seat: int
    """The bot's seat."""
    secret: bytes
    """The secret from which all seeds follow, as in any match."""
    options: Options

    @property
    def seed(self) -> bytes:
        """The seed of the match."""
        return match_seed(self.secret, 0, self.game)

    @property
    def bot_seeds(self) -> list[bytes]:
        """The seeds of the players' own random numbers, by seat."""
        return [bot_seed(self.secret, 0, seat) for seat in range(self.seats)]


@dataclass(frozen=True, slots=True)
class TrialTables:
    """Matches of one game that are played by the same processes."""

    title: str
    """What the tables are, in words, such as `"usual tables"`."""
    game: Game
    matches: tuple[TrialMatch, ...]


def typical_tables(game: Game, count: int) -> TrialTables:
    """Return `count` matches at tables of the recommended size, with the bot in each seat in turn."""
    seats, plain = game.recommended, game.options()
    matches = tuple(_trial_match(game, plain, "usual", number, seats, number % seats) for number in range(count))
    return TrialTables("usual tables", game, matches)


def edge_tables(game: Game) -> list[TrialTables]:
    """Return matches at the smallest and largest tables of a game, and with each of its presets."""
    plain = game.options()
    edges = sorted({game.seats[0], game.most_seats(plain)})
    matches = tuple(_trial_match(game, plain, "edge", seats, seats, seats - 1) for seats in edges)
    tables = [TrialTables(f"{' and '.join(map(str, edges))} seats", game, matches)]
    for name, given in game.presets.items():
        if name == "default":
            continue
        options = game.options.parse(given)
        seats = _nearest_size(game, options)
        tables.append(TrialTables(f"preset {name}", game, (_trial_match(game, options, name, 0, seats, 0),)))
    return tables


def joint_tables(several: Sequence[TrialTables]) -> TrialTables:
    """Return the matches of several tables of a game as those of one."""
    matches = tuple(trial for tables in several for trial in tables.matches)
    return TrialTables("odd tables", several[0].game, matches)


def _trial_match(game: Game, options: Options, purpose: str, number: int, seats: int, seat: int) -> TrialMatch:
    secret = sha256(f"check/{game.name}/{purpose}/{number}".encode()).digest()
    return TrialMatch(game.name, seats, seat, secret, options)


def _nearest_size(game: Game, options: Options) -> int:
    """Return the number of seats nearest to the recommended one that the options allow."""
    return min(game.tables(options), key=lambda seats: abs(seats - game.recommended), default=game.recommended)
