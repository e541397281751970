"""A match that is played in the test, told to a model as a referee tells it to a bot."""

import json
from random import Random
from typing import Any

from referee.codec import ViewEncoder
from referee.engine import registry
from referee.engine.chance import Chance, seed_from_number
from referee.engine.events import visible
from referee.v1.play_pb2 import Answers, MatchStart, Turns
from referee.wire import view_type


class ToldSeat:
    """One seat of a match, whose others play at random.

    turns: what the referee says next; `answer` makes the next.
    """

    def __init__(self, game: str, seats: int = 3, seat: int = 0, match: int = 1, seed: int = 1, **options: Any) -> None:
        self.game = registry.game(game)
        self.seat = seat
        self.match = match
        self.questions = 0
        parsed = self.game.options.parse(options)
        self.state = self.game.start(parsed, seats, Chance(seed_from_number(seed)))
        self._rng = Random(seed)
        self._encode = ViewEncoder(self.game).encode
        self._known = 0
        self.start = MatchStart(
            match=match,
            game=game,
            behaviour=self.game.behaviour,
            options=parsed.given(),
            seats=seats,
            seat=seat,
            view_type=view_type(self.game),
            bot_seed=bytes(range(32)),
            move_time_ms=1000,
            bank_ms=10_000,
        )
        self._play_to_question({})
        self.turns = self._told(Turns(starts=[self.start]))

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal moves of the seat."""
        return self.state.legal(self.seat)

    def answer(self, move: str) -> Answers:
        """Play a move of the seat, and go on to its next question; return the answer as it is sent."""
        answers = Answers()
        answers.answers.add(question=self.questions, index=self.legal.index(move))
        self._play_to_question({self.seat: move})
        self.turns = self._told(Turns())
        return answers

    def _play_to_question(self, moves: dict[int, str]) -> None:
        state = self.state
        while state.asked and (self.seat not in state.asked or moves):
            state.apply([moves.pop(seat, "") or self._rng.choice(state.legal(seat)) for seat in state.asked])

    def _told(self, turns: Turns) -> Turns:
        lines, events = self.game.lines, self.state.events[self._known :]
        self._known = len(self.state.events)
        told = [json.dumps(event) for event in events if visible(lines, event, self.seat)]
        if self.state.asked:
            self.questions += 1
            turns.questions.add(
                id=self.questions,
                match=self.match,
                view=self._encode(self.state.view(self.seat)),
                legal=self.legal,
                events=told,
                bank_ms=10_000,
            )
        else:
            outcome = self.state.outcome()
            turns.ends.add(match=self.match, scores=outcome.scores, ranks=outcome.ranks, events=told)
        return turns
