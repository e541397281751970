"""A match that differs from another in one hidden thing, seen by a seat that may not know it."""

from arena.testing.broken import Found
from arena.testing.frozen import difference, frozen
from arena.testing.story import Story
from referee.engine.events import Audience, Event, text
from referee.engine.game import State
from referee.wire import ViewEncoder

FARTHEST = 60
"""How many steps a twin is followed at most."""
TRIED = 6
"""How many moves of another seat are tried to keep the story the same, where its move of the match is not offered."""


class Twin:
    """The twin of a match.

    told: what the seat was told in the match. state: of the twin. step: the next one. what: how the twin differs.
    in_step: whether all seats have been asked and have answered as in the match since they parted. While they have,
    a difference in the log comes from the hidden thing alone.
    lines, answers: how many lines and answers the seat has had.
    """

    __slots__ = ("told", "state", "step", "what", "in_step", "lines", "answers", "encode")

    def __init__(self, told: Story, state: State, step: int, what: str, *, in_step: bool = True) -> None:
        self.told = told
        self.state = state
        self.step = step
        self.what = what
        self.in_step = in_step
        self.lines, self.answers = told.moments[step]
        self.encode = ViewEncoder(told.case.game)

    def begin(self) -> bool:
        """Read the log of the opening position, which is dealt otherwise. Return False where it differs."""
        self.lines = self.answers = 0
        return self._same_lines(self.state.events, 0)

    def follow(self) -> None:
        """Play on as long as the seat is told the same as in the match. Raises Found where it is asked something else."""
        for _ in range(FARTHEST):
            if not self._same_question() or not self.state.asked or not self._next():
                return

    def play(self, moves: tuple[str, ...]) -> bool:
        """Play a step. Return False where the story is not the same any more."""
        state, seat = self.state, self.told.seat
        seen = len(state.events)
        if seat in state.asked:
            self.answers += 1
        state.apply(moves)
        self.step += 1
        return self._same_lines(state.events[seen:], self.step)

    def _same_question(self) -> bool:
        """Compare what the seat is shown now with the same moment of the match. Return False where there is none."""
        told, state = self.told, self.state
        moment = (self.lines, self.answers)
        if told.seat in state.asked:
            before = told.questions.get(moment)
            if before is None:
                return False
            if found := before.difference(told.question(state, self.encode)):
                raise self._leak(found)
            return self.answers < len(told.answers)
        if moment in told.views and (view := state.view(told.seat)) != (before_view := told.views[moment]):
            pictures = [frozen(each._asdict()) for each in (before_view, view)]
            raise self._leak(difference(*pictures, "its view"))
        return self.lines < len(told.lines) or self.answers < len(told.answers)

    def _leak(self, found: str) -> Found:
        return Found(f"seat {self.told.seat} can tell that {self.what}: {found}, after the same log and answers", self.step)

    def _next(self) -> bool:
        """Play on with the moves of the match, or with others that the seat cannot tell from them."""
        state, told = self.state, self.told
        played = told.case.played
        if self.in_step and self.step < len(played.moves) and state.asked == played.asked[self.step]:
            moves = played.moves[self.step]
            if all(move in state.legal(seat) for seat, move in zip(state.asked, moves, strict=True)):
                return self.play(moves)
        self.in_step = False
        if told.seat in state.asked:
            own = told.answers[self.answers]
            return self.play(tuple(own if seat == told.seat else state.default(seat) for seat in state.asked))
        if len(state.asked) > 1:
            return self.play(tuple(state.default(seat) for seat in state.asked))
        return self._search(state.asked[0])

    def _search(self, seat: int) -> bool:
        """Let another seat make the move after which the story goes on the same."""
        state, told = self.state, self.told
        legal = state.legal(seat)
        wanted = [move for move in self._moves_of(seat) if move in legal]
        for move in dict.fromkeys([*wanted, state.default(seat), *legal[:TRIED], *legal[-TRIED:]]):
            twin = state.copy()
            twin.apply([move])
            news = told.told(twin.events[len(state.events) :])
            if news == told.lines[self.lines : self.lines + len(news)]:
                self.state = twin
                self.lines += len(news)
                self.step += 1
                return True
        return False

    def _moves_of(self, seat: int) -> list[str]:
        """Return the next moves that a seat made in the match."""
        played = self.told.case.played
        return [
            played.moves[step][asked.index(seat)]
            for step, asked in enumerate(played.asked[self.step : self.step + 4 * self.told.case.seats], self.step)
            if seat in asked and step < len(played.moves)
        ][:2]

    def _same_lines(self, events: list[Event], boundary: int) -> bool:
        """Take in new lines. Return False where they are not those of the match.

        Raises Found where they differ in a line that may not tell anything new.
        """
        told = self.told
        news = told.told(events)
        for event in news:
            if self.lines == len(told.lines):
                if self.in_step:
                    self._must_reveal(event, boundary)
                return False
            if event != (before := told.lines[self.lines]) and self._texts(event) != self._texts(before):
                if self.in_step and not (self._reveals(event) or self._reveals(before)):
                    raise Found(
                        f'seat {told.seat} can tell that {self.what}: it reads "{self._texts(event)}", and otherwise '
                        f'"{self._texts(before)}"; a line that rightly tells something new is marked with `reveals`',
                        boundary,
                    )
                return False
            self.lines += 1
        if self.in_step:
            self._as_many_lines(boundary)
        return True

    def _as_many_lines(self, boundary: int) -> None:
        """In step both have told the seat as much; what one of them tells more must be there to reveal."""
        told = self.told
        expected = told.moments[boundary][0]
        if expected == self.lines:
            return
        self._must_reveal(told.lines[min(expected, self.lines)], boundary)
        self.in_step = False

    def _must_reveal(self, event: Event, boundary: int) -> None:
        """Raise Found where a line that is logged in one of the two and not in the other may not tell anything new."""
        if not self._reveals(event):
            raise Found(
                f'seat {self.told.seat} can tell that {self.what}: "{self._texts(event)}" is logged at once in one of '
                "the two and not in the other; a line that rightly tells something new is marked with `reveals`",
                boundary,
            )

    def _reveals(self, event: Event) -> bool:
        line = self.told.case.game.lines[int(event[0] or 0)]
        return line.reveals or line.to is not Audience.ALL

    def _texts(self, event: Event) -> str:
        return text(self.told.case.game.lines, event)
