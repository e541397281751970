"""The contract: `Game` is a set of rules, `State` one match in progress.

    state = game.start(options, seats=6, chance=Chance(seed))
    while state.asked:
        state.apply([state.legal(seat)[0] for seat in state.asked])
    state.outcome()

Rules do no I/O, read no clock and draw no chance of their own. What a seat may see is built in one
place per game, `State.view`; what it may know of the past is said by the game's table of `Line`s.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Self

from mypy_extensions import mypyc_attr

from referee.engine.chance import Chance
from referee.engine.errors import AmbiguousMove, EngineError, IllegalMove, MalformedMove, SeatsError
from referee.engine.events import Event, Line
from referee.engine.known import Known, SeatLog
from referee.engine.near import did_you_mean
from referee.engine.options import Options


@dataclass(frozen=True, slots=True)
class Outcome:
    """The standings of a match: at its end the result, before it the standings now."""

    scores: tuple[int, ...]
    """The score of each seat, in the game's unit (chips, points ...), times `Game.scale`."""
    ranks: tuple[int, ...]
    """The rank of each seat: 1 is best, and ties are equal (1, 2, 2, 4). Team mates share the rank of their team, and
    it is teams that are counted: 1, 2, 1, 2.
    """


def ranks(keys: Sequence[Any], *, low_wins: bool = False) -> tuple[int, ...]:
    """Return competition ranks (1, 2, 2, 4) of `keys`, the highest key first."""
    first: dict[Any, int] = {}
    for place, key in enumerate(sorted(keys, reverse=not low_wins), start=1):
        first.setdefault(key, place)
    return tuple([first[key] for key in keys])


def team_outcome(scores: Sequence[int], teams: Sequence[int]) -> Outcome:
    """Return the standings of a team game, in which each seat has its team's score and rank.

    scores: the score of each team.
    teams: the team of each seat (see `Game.teams`). Two teams of two have ranks 1 2 1 2.
    """
    placed = ranks(scores)
    return Outcome(tuple([scores[team] for team in teams]), tuple([placed[team] for team in teams]))


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class State:
    """One match in progress: mutable, cheap to copy."""

    __slots__ = ("asked", "events")

    asked: tuple[int, ...]
    """The seats that must answer now, in seat order; empty once the match is over. Several seats are asked together
    only for sealed answers, which are applied together.
    """
    events: list[Event]
    """The log so far (see `referee.engine.events`). Rules add to it and never read it: it may be cut short."""

    @abstractmethod
    def legal(self, seat: int) -> tuple[str, ...]:
        """Return the canonical texts of the moves of a seat that is asked; () for any other seat."""
        raise NotImplementedError(f"{type(self).__name__} has no `legal`")

    @abstractmethod
    def apply(self, moves: Sequence[str]) -> None:
        """Play one legal move for each seat of `asked`, in that order, then go on to the next question.

        The moves must be taken from `legal`; the referee has checked them.
        """
        raise NotImplementedError(f"{type(self).__name__} has no `apply`")

    def talk_limit(self) -> int:
        """Return how many characters of table talk may go with an answer now; by default 0: there is none."""
        return 0

    def say(self, seat: int, words: str) -> None:  # nobody need hear anything
        """Let the table hear what `seat` says with the move it is about to make.

        Called just before `apply`, in seat order, with harmless text of one line, at least one character and at
        most `talk_limit` of them. What was said is a part of the record and of the log. Nothing is heard by default.
        """

    def hides_turn_timing(self) -> bool:
        """Tell whether the referee should hide how long the question that is asked now was in coming.

        So it is where the rules may ask the holders of secret cards, and nobody else, just before a turn: the delay
        would show that somebody holds one. A referee with slots asks such a question at a fixed time. By default
        nothing is hidden.
        """
        return False

    @abstractmethod
    def default(self, seat: int) -> str:
        """Return the move played for a seat that gave no legal answer.

        It is deterministic, follows from what the seat knows, and costs and reveals least.
        """
        raise NotImplementedError(f"{type(self).__name__} has no `default`")

    @abstractmethod
    def view(self, seat: int) -> tuple[Any, ...]:
        """Return all that `seat` may see now as a NamedTuple, complete for a player who comes in now.

        Its fields carry the names of the game's view message, the slowly changing ones first
        (see `Game.stable`).
        """
        raise NotImplementedError(f"{type(self).__name__} has no `view`")

    @abstractmethod
    def copy(self) -> Self:
        """Return an independent state that goes on exactly like this one."""
        raise NotImplementedError(f"{type(self).__name__} has no `copy`")

    def undealt(self) -> int | None:
        """Return how many cards of the pack that was shuffled last are not dealt yet; None in a game without cards.

        A scenario asks at its end, to tell whether a card of its script could not be dealt.
        """
        return None

    def counts(self) -> Mapping[str, int]:
        """Return what the match can neither make nor lose: how many there are of each thing, wherever they are now.

        Chips with the seats and in the box, cards of a kind in hands and piles, dice in play and out of it. Each
        number must be the same at every question and at the end; `arena.testing.check_counts` holds the game to
        it. Nothing is counted by default.
        """
        return {}

    @abstractmethod
    def outcome(self) -> Outcome:
        """Return the standings: the result once `asked` is empty."""
        raise NotImplementedError(f"{type(self).__name__} has no `outcome`")


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """A set of rules."""

    name: ClassVar[str]
    """The id by which users name the game."""
    title: ClassVar[str]
    """The title of the game: one line for lists."""
    unit: ClassVar[str]
    """What scores count, in the plural."""
    scale: ClassVar[int] = 1
    """How many points of `Outcome.scores` make one of the unit: 2 where halves are scored, so that scores stay whole
    numbers in records, on the wire and in sums.
    """
    behaviour: ClassVar[int]
    """The behaviour version: raised whenever a playthrough changes; records keep it."""
    options: ClassVar[type[Options]]
    """The dataclass of the optional rules."""
    seats: ClassVar[tuple[int, int]]
    """The fewest and the most seats, whatever the options."""
    recommended: ClassVar[int]
    """The table size of a tournament that names none."""
    lines: ClassVar[tuple[Line, ...]]
    """The table of the log's lines."""
    message: ClassVar[str]
    """The view's message on the wire, as "module:Message"."""
    stable: ClassVar[int] = 0
    """How many of the view's first fields change rarely; they are encoded once and kept."""
    moves: ClassVar[str]
    """The grammar of the canonical move texts, for people: one move a line, then what it means.

    A line that begins with a word in capitals stands for moves with any first word: `MOVE  from and to: e2e4`.
    """
    phrases: ClassVar[tuple[str, ...]] = ()
    """The moves with choices in them, such as `play {card}`, so that people can read them in their language.

    A choice is a `card` of the hand, a `number` or a `face` (one word of the game each), or, as the last one, `cards`
    or `faces`: all that follows.
    """
    text_move: ClassVar[str] = ""
    """The move that stands for a text of the seat's own, in games that are played with words; empty: there is none.

    It is among the legal moves of each question, and the others are what else could be said. The text comes as table
    talk does, by `State.say` before `apply`, and `State.talk_limit` bounds it: an answer whose text is no legal move is
    this move. Without `say` the seat has said nothing. Whether all hear the text is for the rules to decide.
    """
    presets: ClassVar[Mapping[str, Mapping[str, int | bool | str]]] = MappingProxyType({"default": {}})
    """Named sets of options, as `Options.parse` takes them: the ways of playing that are tested and have playthroughs.

    The first is called "default" and sets nothing; each switch must be turned, and each choice taken, in one of them.
    """
    asks_forced: ClassVar[bool] = False
    """Whether a seat that has a single move may be asked all the same.

    So it is where not to ask it would tell a secret, or where every turn is one of the clock, as in chess.
    """
    chance: ClassVar[bool] = True
    """Whether chance plays a part: whether different seeds give different matches, at least without options."""

    strikes: ClassVar[int] = 3
    """After how many faults in one match a seat forfeits it, where its organiser chose no number."""
    takes_turns: ClassVar[bool] = False
    """Whether its match seeds tell the number of the deal, so that none begins as another too early.

    See `referee.engine.turns`.
    """
    has_perfect_information: ClassVar[bool] = False
    """Whether everybody sees everything, and what chance answers at once. Then there is one world to look ahead in."""

    def most_seats(self, options: Any) -> int:
        """Return the most seats that play under `options`."""
        return self.seats[1]

    def teams(self, options: Any, seats: int) -> tuple[int, ...]:
        """Return the number of each seat's team, teams counted from 0.

        Team mates share score and rank and play for each other through the whole match. By default every
        seat is a team of its own; so it is, too, where sides change from deal to deal.
        """
        return tuple(range(seats))

    def in_units(self, score: int | float) -> int | float:
        """Return a score, or a mean of scores, in the game's unit: a whole number where it is one."""
        whole, rest = divmod(score, self.scale)
        return score / self.scale if rest else whole

    def check(self, options: Any, seats: int) -> None:
        """Raise SeatsError or OptionError where the game cannot be played so."""
        fewest, most = self.seats[0], self.most_seats(options)
        if not fewest <= seats <= most:
            span = f"{fewest} to {most}" if fewest < most else f"{most}"
            raise SeatsError(f"{self.name} is played by {span} seats, not {seats}")

    def tables(self, options: Any) -> list[int]:
        """Return the numbers of seats that play under `options`, the fewest first."""
        fewest, most = self.seats
        return [seats for seats in range(fewest, most + 1) if self._plays(options, seats)]

    def _plays(self, options: Any, seats: int) -> bool:
        try:
            self.check(options, seats)
        except EngineError:
            return False
        return True

    def actions(self, options: Any, seats: int) -> tuple[str, ...]:
        """Return every move that can ever be legal under `options`, in an order that never changes.

        Training numbers the moves by it (see `arena.envs`). Moves that are too many to be listed are left out and
        counted by `unlisted`. By default nothing is listed: the game cannot be trained on.
        """
        return ()

    def unlisted(self, options: Any, seats: int) -> int:
        """Return a bound of how many moves outside `actions` can be legal at one question; by default 0."""
        return 0

    @abstractmethod
    def start(self, options: Any, seats: int, chance: Chance) -> State:
        """Return the opening position: dealt, and asking the first question."""
        raise NotImplementedError(f"{type(self).__name__} has no `start`")

    def known_chance(self, log: SeatLog) -> Sequence[Known]:
        """Return what the log of a seat says of the answers of chance (see `referee.engine.known`).

        Bots that look ahead deal worlds by it; `arena.testing.check_known_chance` holds the game to it. By default
        nothing is told: then worlds are dealt at random until one fits, which only short games allow.
        """
        return ()

    def opening(self, options: Any, seats: int, chance: Chance) -> str | None:
        """Return from which opening `start` begins, such as one of a book; empty where all matches begin alike.

        None if chance deals. Then every deal is a new experiment to the ratings, where else those that begin alike or
        repeat each other are one (see `arena.ratings.experiments`).
        """
        return None if self.chance else ""


def meant_by(text: str, legal: Sequence[str]) -> list[str]:
    """Return the legal moves that `text` may stand for: the one it spells, or else all that begin with it.

    Case and surrounding or doubled blanks do not matter; no text stands for nothing.
    """
    wanted = _plain(text)
    begun = [move for move in legal if wanted and move.lower().startswith(wanted)]
    return next(([move] for move in begun if move.lower() == wanted), begun)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def find_move(text: str, legal: Sequence[str], grammar: Sequence[str] = ()) -> str:
    """Return the legal move that `text` stands for.

    Case and surrounding or doubled blanks do not matter; a unique beginning is enough. `grammar`
    holds every first word a move of the game can have.

    Raises AmbiguousMove, IllegalMove or MalformedMove, each with what would be right.
    """
    begun = meant_by(text, legal)
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise AmbiguousMove(f'"{text}" may mean {" or ".join(begun)}')
    wanted = _plain(text)
    offered = ", ".join(f'"{move}"' for move in legal)
    if wanted.split(" ")[0] in grammar:
        raise IllegalMove(f'"{text}" is not legal now: {offered}')
    hint = did_you_mean(wanted, legal)
    raise MalformedMove(f'"{text}" is no move: {offered}{hint}')


__all__ = ["Game", "Outcome", "SeatsError", "State", "find_move", "meant_by", "ranks", "team_outcome"]
