"""The class that an author of a bot subclasses."""

import faulthandler
import gc
import os
import sys
from collections.abc import Awaitable, Sequence
from time import sleep
from typing import TYPE_CHECKING, ClassVar, Generic, NoReturn, TypeVar

from arena.sdk.errors import CallLost, NoPositions, Refused

if TYPE_CHECKING:
    from arena.sdk.match import Match
    from arena.sdk.question import Question

Move = str | int
"""The text of a legal move, or its index in `question.legal`."""

View = TypeVar("View")

_SIGQUIT = 3  # signal.SIGQUIT, without the cost of importing it
_STDERR = 2

_RECONNECTS = 30
"""Attempts of a remote bot to connect, in a row and without a message from the referee, before it gives up."""

_RECONNECT_SECONDS = 1.0
"""Seconds between two of them."""


class Bot(Generic[View]):
    """A player. Subclass it, write `choose`, and end the file with `Mine().run()`.

        class Mine(Bot[CambioView]):
            games = ("cambio",)

            def choose(self, question: Question[CambioView]) -> str:
                return "keep" if question.view.card > 2 else "exchange"

    Many matches may be under way at once, and their questions come in any order. Keep the state of a
    match in `question.match.memory` and draw random numbers from `question.rng`: then the bot plays
    a match the same way whatever other matches are under way.

    `choose` may be a coroutine function: then trio runs it for all open questions concurrently.
    Override `choose_all` instead to answer several questions together, for instance in one batch
    of a neural network.
    """

    name: ClassVar[str] = ""
    """The bot's name for itself. Empty: the name of its class."""
    version: ClassVar[str] = ""
    """The bot's version, for its owner."""
    games: ClassVar[tuple[str, ...]] = ()
    """The ids of the games it plays. Empty: any game."""
    matches_at_once: ClassVar[int] = 0
    """The most matches that the bot plays at the same time. 0: no limit of its own."""
    wants_events: ClassVar[bool] = False
    """Whether a question carries the lines of the log since the last question of its match."""
    wants_positions: ClassVar[bool] = False
    """Whether `question.position` lets the bot look ahead, by the rules of the game, which must be installed with the
    bot: `pip install --find-links dist 'botarena-sdk[positions]'`.
    """
    wants_schema: ClassVar[bool] = False
    """Whether the referee sends the schema of views: the bot then needs no generated module of the game."""
    wants_ready: ClassVar[bool] = False
    """Whether the referee waits for `match_started`: no clock runs, but it has a time limit of its own."""

    def __init_subclass__(cls, **keywords: object) -> None:
        """Take the name of one game for a tuple with it: a text would be read as its letters."""
        super().__init_subclass__(**keywords)
        if isinstance(cls.games, str):
            cls.games = (cls.games,)

    def choose(self, question: "Question[View]") -> Move | Awaitable[Move]:
        """Return the move for one question."""
        raise NotImplementedError(f"{type(self).__name__} defines neither choose nor choose_all: define one of them")

    def choose_all(self, questions: "Sequence[Question[View]]") -> Sequence[Move] | Awaitable[Sequence[Move]]:
        """Return one move for each question that came in one message, in their order.

        The clock then allows the sum of their move times.
        """
        raise NotImplementedError

    def answers_batches(self) -> bool:
        """Return whether the bot overrides `choose_all`."""
        return type(self).choose_all is not Bot.choose_all

    def match_started(self, match: "Match") -> None:
        """React to the start of a match; called before its first question.

        With `wants_ready` this is the place to load a network or to clear a table: the bot is asked nothing until it
        returns, and not charged for it. It may take `match.ready_time_ms`; then the bot counts as hung. Without, the
        first question of the match pays for the time.
        """

    def match_ended(self, match: "Match", scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        """React to the end of a match.

        scores, ranks: by seat; both empty if the match did not end by its rules.
        """

    def run(self) -> NoReturn:
        """Connect to the referee, play until it ends the stream, then exit.

        Exit codes: 0 the referee ended the stream, 1 the referee refused the bot, the connection was
        lost or the bot failed, 2 the bot was not started by a referee, 130 Ctrl-C.
        """
        address, token = os.environ.get("ARENA_ADDRESS"), os.environ.get("ARENA_TOKEN")
        if not address or not token:
            _print_error(_how_to_start(self.games))
            sys.exit(2)
        try:
            if os.environ.get("ARENA_PROFILE"):
                from arena.sdk.profiling import profiling

                with profiling(self):
                    _play(self, address, token)
            else:
                _play(self, address, token)
        except Refused as refusal:
            _print_error(f"{type(self).__name__} was refused by the referee: {refusal}")
            sys.exit(1)
        except CallLost as loss:
            _print_error(f"{type(self).__name__} lost its connection to the referee: {loss}")
            sys.exit(1)
        except NoPositions as error:
            _print_error(f"{type(self).__name__} cannot look ahead: {error}")
            sys.exit(1)
        except KeyboardInterrupt:
            sys.exit(130)
        gc.freeze()  # Python's last search for garbage would take a fifth of the time of a start
        sys.exit(0)


def _print_stack_when_asked() -> None:
    """Have Python print where it is, and end, at SIGQUIT: the referee sends it to a bot whose time is over."""
    if hasattr(faulthandler, "register"):  # not on Windows
        faulthandler.register(_SIGQUIT, _STDERR, chain=True)


if os.environ.get("ARENA_ADDRESS"):  # also for a bot that goes on with long imports
    _print_stack_when_asked()


def _play(bot: Bot[View], address: str, token: str) -> None:
    if bot.wants_positions:
        from arena.sdk.look_ahead import require_positions

        require_positions(bot.games)
    # Slow to import, and trio is installed for bots that use coroutines only.
    from arena.sdk.message_codec import MessageCodec, is_coroutine_function

    if is_coroutine_function(MessageCodec(bot, token).choose):
        from arena.sdk.concurrent import play
    else:
        from arena.sdk.blocking import play
    failures = 0
    while True:
        try:
            return play(MessageCodec(bot, token), address)
        except CallLost as loss:
            failures = 0 if loss.received_any else failures + 1
            # The referee restarts the bots that it started; a remote bot reconnects by itself.
            if not os.environ.get("ARENA_CA") or failures == _RECONNECTS:
                raise
            _print_error(f"{type(bot).__name__} lost its connection and reconnects: {loss}")
        sleep(_RECONNECT_SECONDS)


def _print_error(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def _how_to_start(games: tuple[str, ...]) -> str:
    game = games[0] if games else "cambio"
    return (
        "This is a bot for arena. The referee starts it, with the address and token to connect with in "
        f'ARENA_ADDRESS and ARENA_TOKEN. Play a match with it:\n\n    arena match --game {game} "python {sys.argv[0]}" '
        "random\n"
    )
