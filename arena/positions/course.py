"""One world on its way from the beginning of a deal to the open question, played through the rules.

Whatever the seat was told, asked and offered must come out again; or the world is given up.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple

from arena.positions.dealer import Unfit, WorldChance
from arena.positions.told import Told
from referee.engine.errors import EngineError
from referee.engine.game import State

Belief = Callable[[Any, Sequence[str]], Sequence[float]]
"""Tells how likely each legal move is, in any unit, from the view of the seat that chooses."""

Answer = tuple[str, str]
"""A move, with what is said with it."""

MOST_TOGETHER = 64
"""Sealed answers of several seats are all tried in turn as long as there are no more of them together."""

MOST_BRANCHES = 200
"""How often one deal goes back to answers that the seat could not see, to try others."""

MOST_DRAWS = 100
"""How often a step is tried again in a game of perfect information, to find what chance answered in it."""

MOST_UNHEARD = 200
"""The most questions in a row of which the seat hears nothing."""


Moment = tuple[int, int, tuple[int, ...]]
"""How many lines the seat had heard and answers it had given, and who was asked."""


class Guide:
    """What the others answered, as worlds that fit have shown."""

    def __init__(self) -> None:
        self.found: dict[Moment, tuple[Answer, ...]] = {}


class Start(NamedTuple):
    """A state from which worlds are played on."""

    state: State
    chance: WorldChance
    line: int
    own: int


class Course:
    """A world on its way.

    state: the state reached; its log is empty.
    chance: what deals it.
    line, own: how many lines of the log and answers of the seat lie behind it.
    played: how many answers have been played on the way, also those that did not fit.
    """

    __slots__ = (
        "told",
        "state",
        "chance",
        "line",
        "own",
        "played",
        "_start",
        "_history",
        "_guide",
        "_rng",
        "_branches",
        "_found",
    )

    def __init__(self, told: Told, start: Start, guide: Guide, rng: Random) -> None:
        self.told = told
        self.state, self.chance, self.line, self.own = start
        self.played = 0
        self._start = start._replace(state=start.state.copy())
        self._history: list[tuple[Answer, ...]] = []
        self._guide = guide
        self._rng = rng
        self._branches: list[tuple[State, int, int, list[tuple[Answer, ...]]]] = []
        self._found: dict[Moment, tuple[Answer, ...]] = {}

    def advance(self, begin: int | None = None) -> Start | None:
        """Play on to the open question. Raises Unfit where the seat could tell the world from the real one.

        begin: a line of the log that has not been reached.

        Return the state before the step in which that line came, to begin other worlds there.
        """
        for _ in range(MOST_BRANCHES):
            try:
                start = self._advance(begin)
            except Unfit:
                # What the seat could not see may have been something else: a deal counts once, whatever was.
                if not self._branches:
                    raise
                self.state, self.line, self.own, self._history = self._branches.pop()
            else:
                self._guide.found |= self._found
                self._found = {}
                return start
        raise Unfit

    def _advance(self, begin: int | None) -> Start | None:
        told, unheard = self.told, 0
        before: Start | None = None
        start: Start | None = None
        total = len(told.lines)
        while True:
            state = self.state
            is_asked = told.seat in state.asked and not (told.is_late and self._is_untold(state))
            if is_asked:
                self._compare_question(state)
                if self.own == len(told.own):
                    if self.line != total:
                        raise Unfit
                    return start
            if begin is not None and start is None and self.line <= begin:
                before = Start(state.copy(), self.chance, self.line, self.own)
            line = self.line
            try:
                self._step(state, is_asked)
            except EngineError as error:  # the rules found an answer of chance that cannot be
                raise Unfit from error
            if begin is not None and start is None and self.line > begin:
                start = before
            unheard = 0 if self.line > line else unheard + 1
            if unheard > MOST_UNHEARD:
                raise Unfit

    def _is_untold(self, state: State) -> bool:
        """Tell whether the seat was asked a question of a state before the first one that is told."""
        told = self.told
        if self.own or not told.questions:
            return False
        lines, view, legal = told.questions[0]
        return self.line <= lines and (
            self.line < lines or state.legal(told.seat) != legal or state.view(told.seat) != view
        )

    def _compare_question(self, state: State) -> None:
        told = self.told
        if self.own >= len(told.questions):
            raise Unfit
        lines, view, legal = told.questions[self.own]
        if lines != self.line or state.legal(told.seat) != legal or state.view(told.seat) != view:
            raise Unfit

    def _step(self, state: State, is_asked: bool) -> None:
        """Answer the question of a state as it was answered in the match, so far as the seat could tell."""
        if not self.told.game.has_perfect_information:
            self._answer(state, is_asked)
            return
        # What chance answers is told at once, so it is the step that is tried again, not the whole world.
        known = len(self._history)
        for _ in range(MOST_DRAWS):
            self.chance.mark()
            try:
                self._answer(state.copy(), is_asked)
            except Unfit:
                self.chance.forget()
                del self._history[known:]
            else:
                return
        raise Unfit

    def _answer(self, state: State, is_asked: bool) -> None:
        asked = state.asked
        if not asked:
            raise Unfit
        answers = self._guide.found.get((self.line, self.own, asked))
        if answers is None or not all(
            move in state.legal(seat) for seat, (move, _) in zip(asked, answers, strict=True)
        ):
            self.state = self._explore(state, is_asked)
        else:
            self.played += 1
            play(state, answers)
            self.state = state
            self._history.append(answers)
        self.listen()
        self.own += is_asked

    def listen(self) -> None:
        """Compare the new lines of the log with those that the seat was told. Raises Unfit."""
        line = self._line_after(self.state)
        self.state.events.clear()
        if line is None:
            raise Unfit
        self.line = line

    def _line_after(self, state: State) -> int | None:
        """Return how many lines lie behind a state with its new ones; None where the seat was told something else."""
        told, line = self.told, self.line
        heard = told.heard(state.events)
        return line + len(heard) if heard == told.lines[line : line + len(heard)] else None

    def _explore(self, state: State, is_asked: bool) -> State:
        """Return the state after answers that fit what comes next in the log. Raises Unfit where none do."""
        is_first_enough = (is_asked and len(state.asked) == 1) or self.told.game.has_perfect_information
        fitting: list[tuple[State, int, tuple[Answer, ...]]] = []
        tried = 0
        for answers in self._candidates(state, is_asked):
            tried += 1
            self.played += 1
            following = state.copy()
            try:
                play(following, answers)
            except Unfit:
                continue
            if (line := self._line_after(following)) is not None:
                fitting.append((following, line, answers))
                if is_first_enough:
                    break
        if not fitting:
            raise Unfit
        if len(fitting) == 1:
            if tried > 1 or is_asked:
                self._found[self.line, self.own, state.asked] = fitting[0][2]
        else:  # what the seat could not tell apart is anything that fits
            self._rng.shuffle(fitting)
            for following, line, answers in fitting[1:]:
                following.events.clear()
                self._branches.append((following, line, self.own + is_asked, [*self._history, answers]))
        chosen, _, answers = fitting[0]
        self._history.append(answers)
        return chosen

    def weight(self, belief: Belief, begin: int) -> float:
        """Return how likely the answers of others were, as somebody believes that they choose.

        begin: the line of the log from which on they count.
        """
        told, (start, chance, line, _) = self.told, self._start
        state, weight = start.copy(), 1.0
        chance.twin = chance
        for answers in self._history:
            if line > begin or begin == 0:
                for seat, (move, _) in zip(state.asked, answers, strict=True):
                    if seat != told.seat:
                        weight *= _probability(belief, state.view(seat), state.legal(seat), move)
            play(state, answers)
            line += len(told.heard(state.events))
            state.events.clear()
        return weight

    def _candidates(self, state: State, is_asked: bool) -> Iterator[tuple[Answer, ...]]:
        """Yield what may be answered to a question, the own answer first."""
        told, line = self.told, self.line
        choices: list[list[Answer]] = []
        count = 1
        for seat in state.asked:
            words = self._words(state, seat)
            if is_asked and seat == told.seat:
                # Where its answer was late or not legal, the referee has played the default move; and a bot that is
                # asked about a match that was played before may answer otherwise than it did then.
                legal = state.legal(seat)
                own = [move for move in (told.own[self.own],) if move in legal]
                choices.append([(move, words) for move in dict.fromkeys([*own, state.default(seat), *legal])])
                continue
            moves = sorted(state.legal(seat), key=lambda move: -told.resemblance(line, seat, move))
            choices.append([(move, words) for move in moves])
            count *= len(moves)
        if count <= MOST_TOGETHER or len(choices) == 1:
            yield from product(*choices)
        else:
            yield tuple([choice[0] for choice in choices])

    def _words(self, state: State, seat: int) -> str:
        """Return what a seat says with its answer, if the next line of the log tells it."""
        told = self.told
        if self.line == len(told.lines) or not state.talk_limit():
            return ""
        event = told.lines[self.line]
        words = event[-1]
        if len(event) < 3 or event[1] != seat or not isinstance(words, str):
            return ""
        twin = state.copy()
        twin.say(seat, words)
        return words if twin.events[:1] == [event] else ""


def _probability(belief: Belief, view: Any, legal: Sequence[str], move: str) -> float:
    chances = belief(view, legal)
    if len(chances) != len(legal) or min(chances) < 0:
        raise ValueError(
            f"the belief gave {chances!r:.80} for {len(legal)} legal moves: it must give a number of 0 or more for each"
        )
    return chances[legal.index(move)] / (sum(chances) or 1.0)


def play(state: State, answers: tuple[Answer, ...]) -> None:
    """Play the answers to a question, with what is said with them."""
    for seat, (_, words) in zip(state.asked, answers, strict=True):
        if words:
            state.say(seat, words)
    state.apply([move for move, _ in answers])
