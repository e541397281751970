"""A match with another move, and the recorded answers as far as they fit: from there bots play on."""

from dataclasses import dataclass, replace
from typing import Any

from arena.plan.match_prefix import MatchPrefix, prefix_at
from arena.record.played_rules import rules, steps, stored_redeal
from arena.values.rows import StoredMatch
from arena.values.tournament_errors import PlanError
from referee.engine.near import did_you_mean
from referee.engine.record import Say, Step, pack_answers
from referee.engine.redeal import dealer


@dataclass(frozen=True, slots=True)
class MatchBranch:
    """Another move in a stored match, with what follows from the record."""

    ply: int
    """The number of the answer that is another one."""
    seat: int
    """The seat that gives this answer."""
    move: str
    """The new move."""
    recorded: str
    """The recorded move."""
    prefix: MatchPrefix
    """The match up to where a bot must be asked."""
    plies: tuple[int, ...]
    """For each answer of the prefix, the number of the answer in the record."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """A recorded answer with what its seat saw: its view and its legal moves."""

    ply: int
    index: int
    said: str
    seen: tuple[Any, tuple[str, ...]]


def answer_at(match: StoredMatch, ply: int) -> Step:
    """Return an answer of a match. Raises PlanError if there is none."""
    for _, answered in steps(match):
        for step in answered:
            if step.ply == ply:
                return step
    raise PlanError(f"match {match.id} has no answer {ply}: `arena replay {match.id} --text` lists its answers")


def choice_of(match: StoredMatch, ply: int, move: str) -> int:
    """Return the place of a move among the legal ones of an answer. Raises PlanError if it is not legal there."""
    legal = answer_at(match, ply).legal
    if move not in legal:
        raise PlanError(
            f'"{move}" is not legal at answer {ply} of match {match.id}{did_you_mean(move, legal)} '
            f"(legal: {', '.join(legal)})"
        )
    return legal.index(move)


def branch(match: StoredMatch, ply: int, choice: int) -> MatchBranch:
    """Return a match with another answer, and the recorded answers that fit after it.

    A recorded answer fits if its seat sees the same table with the same legal moves as when it gave it; what was told
    before is not compared. Each is used once, and in their order. The first question without one ends the prefix.

    ply: the number of the answer.
    choice: the place of the new move among the legal ones.

    Raises PlanError if there is no such answer or move, if it is the recorded one, or if the deal is still in play.
    """
    if match.event.finished is None:
        raise PlanError(f"match {match.id} can be branched once its event is over: its deal is still in play")
    step = answer_at(match, ply)
    if choice >= len(step.legal):
        raise PlanError(f"answer {ply} of match {match.id} has {len(step.legal)} legal moves")
    move = step.legal[choice]
    if move == step.move:
        raise PlanError(f'"{move}" is the move of the record at answer {ply} of match {match.id}: name another one')
    first = prefix_at(match, ply)
    line = _Line(match)
    line.follow_to(first.answers)
    line.play_group({step.seat: choice})
    line.follow_record()
    prefix = replace(
        first, answers=len(line.answers), packed=pack_answers(line.answers), says=tuple(line.says), seat=line.seat
    )
    return MatchBranch(ply, step.seat, move, step.move, prefix, tuple(line.plies))


class _Line:
    """A match that is played by recorded answers, as far as they fit."""

    def __init__(self, match: StoredMatch) -> None:
        game, options = rules(match)
        row = match.row
        self._recorded = _recorded(match)
        self._given = [0] * len(row.seats)
        self._state = game.start(options, len(row.seats), dealer(row.seed, stored_redeal(match)))
        self.answers: list[int] = []
        self.plies: list[int] = []
        self.says: list[Say] = []

    @property
    def seat(self) -> int:
        """The seat that is asked next; 0 if the match is over."""
        return self._state.asked[0] if self._state.asked else 0

    def follow_to(self, count: int) -> None:
        """Play the first answers of the record."""
        while len(self.answers) < count:
            self.play_group({})

    def follow_record(self) -> None:
        """Play recorded answers until the match is over, or a seat sees what it did not see in the record."""
        while self._state.asked:
            fitting = {seat: self._fitting(seat) for seat in self._state.asked}
            if None in fitting.values():
                return
            self._given = [fitting.get(seat, given) or given for seat, given in enumerate(self._given)]
            self.play_group({})

    def play_group(self, changed: dict[int, int]) -> None:
        """Answer the question: with the next recorded answer of each seat, or with the changed one."""
        state = self._state
        moves, talk = [], []
        for seat in state.asked:
            answer = self._recorded[seat][self._given[seat]]
            self._given[seat] += 1
            if answer.said and seat not in changed:
                talk.append(Say(seat, len(self.answers), answer.said))
            index = changed.get(seat, answer.index)
            moves.append(state.legal(seat)[index])
            self.answers.append(index)
            self.plies.append(answer.ply)
        for say in talk:
            if len(say.text) <= state.talk_limit():
                state.say(say.seat, say.text)
                self.says.append(say)
        state.apply(moves)

    def _fitting(self, seat: int) -> int | None:
        """Return the place of the next recorded answer of a seat that fits; None if there is none."""
        seen = self._state.view(seat), self._state.legal(seat)
        recorded = self._recorded[seat]
        return next((place for place in range(self._given[seat], len(recorded)) if recorded[place].seen == seen), None)


def _recorded(match: StoredMatch) -> list[list[_Answer]]:
    """Return the recorded answers of each seat, in their order."""
    talk = {(say.ply, say.seat): say.text for say in match.row.says}
    answers: list[list[_Answer]] = [[] for _ in match.row.seats]
    seen: dict[int, tuple[Any, tuple[str, ...]]] = {}
    for state, answered in steps(match):
        for step in answered:
            said = talk.get((step.ply, step.seat), "")
            answers[step.seat].append(_Answer(step.ply, step.legal.index(step.move), said, seen[step.seat]))
        seen = {seat: (state.view(seat), state.legal(seat)) for seat in state.asked}
    return answers
