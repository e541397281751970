"""Which matches a check plays."""

from dataclasses import dataclass
from hashlib import sha256

from referee.engine.game import Game
from referee.engine.options import Options


@dataclass(frozen=True, slots=True)
class Sitting:
    """One match: how many seats, the bot's own, the match seed, and what the bot draws its own chance from."""

    seats: int
    seat: int
    seed: bytes
    bot_seed: bytes


@dataclass(frozen=True, slots=True)
class Tables:
    """Matches of one game under the same options. title: what is special about them."""

    title: str
    game: Game
    options: Options
    sittings: tuple[Sitting, ...]


def usual(game: Game, matches: int) -> Tables:
    """Return matches at tables of the recommended size, the bot in each seat in turn."""
    seats = game.recommended
    sittings = tuple(_sitting(game, "usual", number, seats, number % seats) for number in range(matches))
    return Tables("usual tables", game, game.options(), sittings)


def odd(game: Game) -> list[Tables]:
    """Return matches at the edges of a game: its smallest and largest tables, and each of its presets."""
    plain = game.options()
    edges = sorted({game.seats[0], game.most_seats(plain)})
    sittings = tuple(_sitting(game, "edge", seats, seats, seats - 1) for seats in edges)
    found = [Tables(f"{' and '.join(map(str, edges))} seats", game, plain, sittings)]
    for name, given in game.presets.items():
        if name == "default":
            continue
        options = game.options.parse(given)
        seats = _fitting(game, options)
        found.append(Tables(f"preset {name}", game, options, (_sitting(game, name, 0, seats, 0),)))
    return found


def _sitting(game: Game, purpose: str, number: int, seats: int, seat: int) -> Sitting:
    seed = sha256(f"check/{game.name}/{purpose}/{number}".encode()).digest()
    return Sitting(seats, seat, seed, sha256(seed + b"bot").digest())


def _fitting(game: Game, options: Options) -> int:
    """Return the recommended number of seats, or the nearest below or above it that the options allow."""
    return min(game.tables(options), key=lambda seats: abs(seats - game.recommended), default=game.recommended)
