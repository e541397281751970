"""`Bot`: what an author of a bot subclasses."""

import os
import sys
from collections.abc import Awaitable, Sequence
from time import sleep
from typing import TYPE_CHECKING, ClassVar, Generic, NoReturn, TypeVar

if TYPE_CHECKING:
    from arena.sdk.match import Match
    from arena.sdk.question import Question

Move = str | int
"""The text of a legal move, or its index in `question.legal`."""

View = TypeVar("View")

_REDIALS = 30
_REDIAL_SECONDS = 1.0
"""How often a remote bot dials in a row without being heard, and how long it waits before it does."""


class Refused(Exception):
    """The referee refused the bot's hello. The text says why."""


class Bot(Generic[View]):
    """A player. Subclass it, write `choose`, and end the file with `Mine().run()`.

        class Mine(Bot[CambioView]):
            games = ("cambio",)

            def choose(self, question: Question[CambioView]) -> str:
                return "keep" if question.view.card > 2 else "exchange"

    Many matches may be under way at once and their questions come in any order, so keep what
    belongs to a match in `question.match.memory`, and draw chance from `question.rng`: then the bot
    plays the same match again whatever is played beside it.

    `choose` may be a coroutine: then it runs under trio, for all open questions at the same time.
    Whoever can answer many questions better together overrides `choose_all` instead.
    """

    name: ClassVar[str] = ""
    """The bot's own name for itself; the name of its class where it is empty."""
    version: ClassVar[str] = ""
    """The bot's own version, for its owner."""
    games: ClassVar[tuple[str, ...]] = ()
    """The ids of the games it plays. Empty: it tries whatever it is given."""
    matches_at_once: ClassVar[int] = 0
    """The most matches it wants to have under way at the same time. 0: as many as the referee likes."""
    wants_events: ClassVar[bool] = False
    """Whether questions carry the lines of the log since the last one."""
    wants_schema: ClassVar[bool] = False
    """Whether the referee tells how views are read: a bot then needs no generated module of the game's proto file."""

    def choose(self, question: "Question[View]") -> Move | Awaitable[Move]:
        """Return the move for one question."""
        raise NotImplementedError(f"{type(self).__name__} has neither choose nor choose_all: write one of them")

    def choose_all(self, questions: "Sequence[Question[View]]") -> Sequence[Move] | Awaitable[Sequence[Move]]:
        """Return the moves for all the questions that came in one message, in their order.

        The clock then allows the move time of all of them together.
        """
        raise NotImplementedError

    def match_started(self, match: "Match") -> None:
        """Called before the first question of a match."""

    def match_ended(self, match: "Match", scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        """Called when a match is over, with every seat's score and rank (both empty if it did not end by its rules)."""

    def run(self) -> NoReturn:
        """Play whatever the referee asks until it ends the stream, then exit.

        Exit codes: 0 the referee ended the stream, 1 it refused the bot or was lost, or the bot
        failed, 2 the bot was not started by a referee, 130 Ctrl-C.
        """
        from arena.sdk.grpc_call import CallLost

        address, token = os.environ.get("ARENA_ADDRESS"), os.environ.get("ARENA_TOKEN")
        if not address or not token:
            sys.exit(_say(2, _by_hand(self.games)))
        try:
            _play(self, address, token)
        except Refused as refusal:
            sys.exit(_say(1, f"{type(self).__name__} was refused by the referee: {refusal}"))
        except CallLost as loss:
            sys.exit(_say(1, f"{type(self).__name__} has lost its referee: {loss}"))
        except KeyboardInterrupt:
            sys.exit(130)
        sys.exit(0)


def _play(bot: Bot[View], address: str, token: str) -> None:
    from arena.sdk.grpc_call import CallLost
    from arena.sdk.message_codec import Dialogue, is_async

    if is_async(Dialogue(bot, token).ask):
        from arena.sdk.concurrent import play
    else:
        from arena.sdk.blocking import play
    tries = 0
    while True:
        try:
            return play(Dialogue(bot, token), address)
        except CallLost as loss:
            tries = 0 if loss.heard else tries + 1
            # Who is started by a referee is started anew; who plays from elsewhere has to come back by itself.
            if not os.environ.get("ARENA_CA") or tries == _REDIALS:
                raise
            _say(0, f"{type(bot).__name__} is not connected, and dials again: {loss}")
        sleep(_REDIAL_SECONDS)


def _say(code: int, sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return code


def _by_hand(games: tuple[str, ...]) -> str:
    game = games[0] if games else "cambio"
    return (
        "This is a bot for arena. A referee starts it and tells it in ARENA_ADDRESS and ARENA_TOKEN where to dial, "
        f'for instance so:\n\n    arena match --game {game} "python {sys.argv[0]}" random\n'
    )
