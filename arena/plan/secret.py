"""The secret of a tournament, and the seeds that follow from it.

    secret        32 random bytes, or SHA-256 of "arena seed N" for --seed N
    entropy       a public value that is mixed in: below, HMAC-SHA256(secret, "entropy/VALUE") replaces the secret
    match seed    HMAC-SHA256(secret, "deal/D")           the same in all rotations of deal D; longer in a game
                                                          that takes turns, see `referee.engine.turns`
    bot seed      HMAC-SHA256(secret, "bot/M/S")          a bot's own randomness at seat S of match M
    seating       `Chance(secret)` at "schedule/..."      see `schedule`

SHA-256 of the secret is published at the start, the secret itself at the end, so everybody can check that no deal
was chosen. A bot that knows its own cards can guess a secret from --seed, so such a tournament is for development only,
and its ranking table says so.
"""

import hmac
import secrets

from referee.engine import registry, turns
from referee.engine.chance import seed_from_number


def new_secret(number: int | None = None) -> bytes:
    """Return the secret of `--seed number`; without a number, a random one."""
    return secrets.token_bytes(32) if number is None else seed_from_number(number)


def match_seed(secret: bytes, deal: int, game: str) -> bytes:
    """Return the seed of the matches of a deal, counted from 0.

    game: the name of the game. Raises UnknownGame where it is not installed.
    """
    return turns.match_seed(secret, deal, takes_turns=registry.game(game).takes_turns)


def bot_seed(secret: bytes, match: int, seat: int) -> bytes:
    """Return the 32-byte seed for the own randomness of the bot at `seat` of `match`."""
    return hmac.digest(secret, f"bot/{match}/{seat}".encode(), "sha256")
