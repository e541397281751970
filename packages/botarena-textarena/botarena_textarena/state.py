"""A match of a game of TextArena."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from botarena_textarena.environment import Environment
from botarena_textarena.examples import examples
from referee.engine.chance import Chance
from referee.engine.events import Audience, Event, Line
from referee.engine.game import Outcome, State, ranks

SAY = "say"
"""The move with a text of the seat's own."""

LINES = (
    Line(
        "seat {} answers: {}",
        "what it says, a text of its own or an example; TextArena decides who hears it",
        Audience.SEAT,
    ),
    Line("{}: {}", "a message of TextArena to all, after the name of whom it is from", reveals=True),
    Line("seat {} is told by {}: {}", "a message of TextArena to one player", Audience.SEAT),
    Line("the match ends: {}", "why, where not TextArena ended it", reveals=True),
)
"""The log."""

ANSWERS, TOLD_ALL, TOLD, ENDS = range(4)

SCALE = 1000
"""Rewards are kept in thousandths, as they need not be whole numbers."""

MOST_REWARD = 2_000_000
"""The largest reward that is kept so: scores have 32 bits."""

MOST_ANSWERS = 1000
"""After so many answers a match is taken to be endless and ends."""

MOST_IN_A_ROW = 100
"""After so many answers in a row a seat has lost: some games ask for ever where an answer is invalid."""

TEXT_LIMIT = 4000
"""The most characters of an answer."""

OBSERVED = 100_000
"""The most characters of what a seat is told with a question."""

HEAD = 20_000
"""How many of them are from its beginning, where the rules are."""

LOGGED = 4000
"""The most characters of a message in the log."""


class TextArenaView(NamedTuple):
    """What a seat may see: the fields of botarena_textarena.v1.TextArenaView, where each is explained."""

    game: str
    seat: int
    observation: str


class TextArenaState(State):
    """A match in progress.

    name: the game, as TextArena names it.
    told: by seat, what it was told when it was asked last.
    logged: by seat, how many of its pending messages are in the log.
    answers: how many there were.
    in_a_row: how many of them the seat that is asked has given since another was asked.
    words: what the seat says with the answer that it is about to give.
    failed: the seat over whose answer TextArena failed; None: it has not.
    """

    __slots__ = ("answers", "environment", "failed", "in_a_row", "logged", "name", "offered", "told", "words")

    def __init__(self, name: str, seats: int, chance: Chance) -> None:
        self.events: list[Event] = []
        self.name = name
        self.told = [""] * seats
        self.logged = [0] * seats
        self.answers = 0
        self.in_a_row = 0
        self.words = ""
        self.failed: int | None = None
        self.asked = ()
        self.offered: tuple[str, ...] = ()
        seed = int.from_bytes(bytes(chance.roll(range(256), 4, "seed")), "big")
        self.environment = Environment(name, seats, seed)
        self._ask()

    def _ask(self) -> None:
        self._log()
        player, told = self.environment.observe()
        if not 0 <= player < len(self.told):
            raise LookupError(f"TextArena asks player {player} of {len(self.told)}")
        self.in_a_row = self.in_a_row + 1 if (player,) == self.asked else 0
        if self.in_a_row >= MOST_IN_A_ROW:
            raise RecursionError(f"TextArena asks player {player} again and again")
        self.asked = (player,)
        self.told[player] = shortened(told)
        self.logged[player] = 0
        self.offered = (*examples(told), SAY)

    def _log(self) -> None:
        """Log what players were told: once where all were told the same."""
        pending = [self.environment.pending(seat) for seat in range(len(self.told))]
        new = [messages[logged:] for messages, logged in zip(pending, self.logged, strict=True)]
        self.logged = [len(messages) for messages in pending]
        for seat, messages in enumerate(new):
            for sender, text in messages:
                name, words = self.environment.sender(sender), line(text)
                if all((sender, text) in others for others in new):
                    if seat == 0:
                        self.events.append((TOLD_ALL, name, words))
                else:
                    self.events.append((TOLD, seat, name, words))

    # The contract

    def legal(self, seat: int) -> tuple[str, ...]:
        return self.offered if seat in self.asked else ()

    def talk_limit(self) -> int:
        return TEXT_LIMIT

    def say(self, seat: int, words: str) -> None:
        self.words = words

    def apply(self, moves: Sequence[str]) -> None:
        (seat,) = self.asked
        text = self.words if moves[0] == SAY else moves[0]
        self.words = ""
        self.answers += 1
        self.events.append((ANSWERS, seat, text or "nothing"))
        try:
            is_over = self.environment.step(text)
            if not is_over and self.answers < MOST_ANSWERS:
                self._ask()
                return
        except (Exception, SystemExit) as error:  # TextArena fails over many a text that it did not expect
            self.failed = seat
            self.events.append((ENDS, f"TextArena failed over the answer of seat {seat} ({type(error).__name__})"))
        else:
            self._log()
            if not is_over:
                self.events.append((ENDS, f"there were {MOST_ANSWERS} answers"))
        self.asked, self.offered = (), ()

    def default(self, seat: int) -> str:
        """Nothing said, which TextArena judges as it judges any text: mostly as an invalid move."""
        return SAY

    def view(self, seat: int) -> TextArenaView:
        told = self.told[seat]
        if seat not in self.asked:
            new = self.environment.pending(seat)
            told = shortened(told + "".join(f"\n[{self.environment.sender(one)}] {text}" for one, text in new))
        return TextArenaView(self.name, seat, told)

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.asked, twin.events, twin.name, twin.offered = self.asked, self.events[:], self.name, self.offered
        twin.told, twin.logged = self.told[:], self.logged[:]
        twin.answers, twin.in_a_row = self.answers, self.in_a_row
        twin.words, twin.failed = self.words, self.failed
        twin.environment = self.environment.copy()
        return twin

    def outcome(self) -> Outcome:
        """The rewards of TextArena. The seat over whose answer it failed has -1 and all others 0."""
        rewards = self.environment.rewards
        if self.failed is not None:
            rewards = {self.failed: -1.0}
        scores = tuple(_score(rewards.get(seat, 0.0)) for seat in range(len(self.told)))
        return Outcome(scores, ranks(scores))


def _score(reward: float) -> int:
    return round(max(-MOST_REWARD, min(MOST_REWARD, reward if reward == reward else 0)) * SCALE)


def line(text: str) -> str:
    """Return a message as one line of the log."""
    lines = (" ".join("".join(sign if sign.isprintable() else " " for sign in one).split()) for one in text.split("\n"))
    return " / ".join(one for one in lines if one)[:LOGGED] or "nothing"


def shortened(text: str) -> str:
    """Return what a seat is told, without its middle where it is too long."""
    if len(text) <= OBSERVED:
        return text
    return f"{text[:HEAD]}\n[...]\n{text[HEAD - OBSERVED :]}"
