"""A match of a game of OpenSpiel."""

from collections.abc import Sequence
from typing import NamedTuple, Self

import pyspiel

from botarena_openspiel.moves import move_texts, printable
from botarena_openspiel.sampling import draw
from referee.engine.chance import Chance
from referee.engine.events import Audience, Event, Line
from referee.engine.game import Outcome, State, ranks

OPEN_LINES = (
    Line("seat {} plays {}", "a move"),
    Line("chance: {}", "a card, a die or whatever the game draws", reveals=True),
)
"""The log of a game of perfect information."""

HIDDEN_LINES = (
    Line("seat {} plays {}", "a move; the others learn of it what their `sees` tells", Audience.NOBODY),
    Line("chance: {}", "a card, a die or whatever the game draws", Audience.NOBODY),
    Line("seat {} sees {}", "all that the seat knows now, where it has changed", Audience.SEAT),
)
"""The log of any other game."""

PLAYS, CHANCE, SEES = range(3)

MOST_STEPS = 100_000
"""Chance nodes and forced moves in a row after which a match is taken to be endless."""


class OpenSpielView(NamedTuple):
    """What a seat may see: the fields of botarena_openspiel.v1.OpenSpielView, where each is explained."""

    game: str
    seat: int
    information: str
    history: tuple[int, ...]
    actions: tuple[int, ...]
    tensor: tuple[float, ...]


class Declaration(NamedTuple):
    """What all matches of a game share."""

    name: str
    """The name of the game, with parameters."""
    perfect: bool
    """Whether everybody knows everything."""
    has_states: tuple[bool, bool]
    """Whether views show the game's information states, as strings and as tensors; they show observations otherwise."""
    scale: int
    """How many points make one of the game's unit (see `Game.scale`)."""
    tensor: bool
    """Whether views have a tensor."""


class OpenSpielState(State):
    """A match in progress.

    drawn: how many chance nodes there were. known: by seat, what it saw last.
    """

    __slots__ = ("about", "chance", "drawn", "known", "state")

    def __init__(self, about: Declaration, state: pyspiel.State, seats: int, chance: Chance) -> None:
        self.events: list[Event] = []
        self.about = about
        self.state = state
        self.chance = chance
        self.drawn = 0
        self.known = ("",) * seats
        self._go_on()

    def _go_on(self) -> None:
        """Draw chance, and in games of perfect information play forced moves, up to the next question."""
        for _ in range(MOST_STEPS):
            state = self.state
            if state.is_terminal():
                self.asked = ()
                self._tell()
                return
            if state.is_chance_node():
                action = draw(state.chance_outcomes(), self.chance, self.drawn)
                self.drawn += 1
                self.events.append((CHANCE, printable(state.action_to_string(pyspiel.PlayerId.CHANCE, action))))
                state.apply_action(action)
            else:
                player = state.current_player()
                actions = state.legal_actions(player)
                if len(actions) > 1 or not self.about.perfect:
                    self.asked = (player,)
                    self._tell()
                    return
                self._play(player, actions[0], move_texts(state, player, actions)[0])
        raise RuntimeError(f"{self.about.name} goes on without a choice for {MOST_STEPS:,} steps")

    def _play(self, player: int, action: int, move: str) -> None:
        self.events.append((PLAYS, player, move))
        self.state.apply_action(action)

    def _tell(self) -> None:
        """Tell each seat what it knows, where that has changed."""
        if self.about.perfect:
            return
        now = tuple(self._information(seat) for seat in range(len(self.known)))
        for seat, (before, knows) in enumerate(zip(self.known, now, strict=True)):
            if knows != before:
                self.events.append((SEES, seat, printable(knows) or "nothing"))
        self.known = now

    def _information(self, seat: int) -> str:
        if self.about.has_states[0]:
            return str(self.state.information_state_string(seat))
        return str(self.state.observation_string(seat))

    # The contract

    def legal(self, seat: int) -> tuple[str, ...]:
        return move_texts(self.state, seat, self.state.legal_actions(seat)) if seat in self.asked else ()

    def apply(self, moves: Sequence[str]) -> None:
        (player,) = self.asked
        actions = self.state.legal_actions(player)
        self._play(player, actions[move_texts(self.state, player, actions).index(moves[0])], moves[0])
        self._go_on()

    def default(self, seat: int) -> str:
        """The legal action with the lowest number in OpenSpiel, which in its games of poker is to fold or to call."""
        return self.legal(seat)[0]

    def view(self, seat: int) -> OpenSpielView:
        about, state = self.about, self.state
        history = tuple(state.history()) if about.perfect else ()
        actions = tuple(state.legal_actions(seat)) if seat in self.asked else ()
        information = self._information(seat) if about.perfect else self.known[seat]
        return OpenSpielView(
            about.name, seat, information, history, actions, self._tensor(seat) if about.tensor else ()
        )

    def _tensor(self, seat: int) -> tuple[float, ...]:
        if self.about.has_states[1]:
            return tuple(self.state.information_state_tensor(seat))
        return tuple(self.state.observation_tensor(seat))

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.asked, twin.events = self.asked, self.events[:]
        twin.about, twin.chance, twin.drawn, twin.known = self.about, self.chance.copy(), self.drawn, self.known
        twin.state = self.state.clone()
        return twin

    def outcome(self) -> Outcome:
        scores = tuple(round(value * self.about.scale) for value in self.state.returns())
        return Outcome(scores, ranks(scores))
