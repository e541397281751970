"""Estimate the chances to win at a question of a recorded match, and compare the moves there, by playouts.

A playout is the question with a deal that the perspective cannot tell from the real one, played to the end of the match
by a sample bot in every seat. Playout n of a seed has the same deal, later cards and bot's random numbers whatever the
first move is (common random numbers), so that differences between moves have small errors.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass

from arena.record.played_rules import rules, steps
from arena.redeal.random_draws import RandomDraws
from arena.run.sample_policies import best_policy, check_policy, make_policy
from arena.values.rows import StoredMatch
from arena_insight.analysis.deals import Deal, DealSampler, SeatDeals, WholeMatchDeals
from arena_insight.analysis.errors import AnalysisError
from arena_insight.analysis.standard_errors import standard_error
from referee.engine.record import ranks_with_forfeits

PLAYOUTS = 64
"""Playouts of an estimate, unless another number is asked for: if independent, the standard error is at most 6.3 %."""

MOST_QUESTIONS = 20_000
"""Questions of a playout, after which its standings count as the result: bots need not end a match without a limit."""

Chances = tuple[float, ...]
"""By seat: the chance to win, or in one playout the share of the win."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Chances to win, by seat.

    A seat wins if its rank is 1; winners who tie share the win, and team mates win together. So the chances add up to
    1, or to the size of a team.
    """

    chances: Chances
    errors: Chances
    """The standard errors of the chances; all 0 if the match is over."""
    playouts: int
    """The number of playouts; 0 if the match is over."""


@dataclass(frozen=True, slots=True)
class MoveEstimate:
    """A move of a seat, compared with the one that was played."""

    move: str
    chance: float
    """The seat's chance to win after the move."""
    error: float
    """The standard error of the chance."""
    difference: float
    """How much larger the chance is than after the move that was played; 0 for that move."""
    difference_error: float
    """The standard error of the difference; 0 for the move that was played."""


class PlayoutPosition:
    """A question of a recorded match as a perspective knows it, and the playouts from it.

    match: the record.
    question: its number, from 0; the number of questions stands for the end of the match.
    perspective: the seat whose knowledge is kept; None: the whole match, all dealt cards are known.
    seed: any number; the same one gives the same playouts.
    policy: the sample bot that plays; None for the best one.

    Raises AnalysisError for a question or perspective that does not exist, UnknownPolicy for a policy; UnknownGame,
    OptionError or RecordError if the record does not fit the installed rules.
    """

    def __init__(
        self,
        match: StoredMatch,
        question: int,
        perspective: int | None = None,
        *,
        seed: int = 0,
        policy: str | None = None,
    ) -> None:
        self.match = match
        self.seats = len(match.row.seats)
        self._game, self._options = rules(match)
        answered = [asked for _, asked in steps(match) if asked]
        if not 0 <= question <= len(answered):
            raise AnalysisError(f"match {match.id} has the questions 0 to {len(answered)}, not {question}")
        if perspective is not None and not 0 <= perspective < self.seats:
            raise AnalysisError(f"match {match.id} has the seats 0 to {self.seats - 1}, not {perspective}")
        self.policy = best_policy(match.event.game) if policy is None else check_policy(policy, match.event.game)
        self.is_over = question == len(answered)
        asked = [] if self.is_over else answered[question]
        self.played = {step.seat: step.move for step in asked}
        """The recorded moves at the question, by seat."""
        self.legal = {step.seat: step.legal for step in asked}
        """The legal moves at the question, by seat."""
        ply = asked[0].ply if asked else None
        self._forfeits = _known_forfeits(match, ply, perspective)
        self._teams = self._game.teams(self._options, self.seats)
        self._seed = hmac.digest(f"analysis/{seed}".encode(), f"{question}/{perspective}".encode(), "sha256")
        self._question, self._perspective = question, perspective
        self._sampler: DealSampler | None = None
        self._deals: list[Deal] = []

    def estimate(self, playouts: int = PLAYOUTS, forced: tuple[int, str] | None = None) -> Estimate:
        """Return the chances to win.

        forced: a seat that is asked, and its first move.

        Raises AnalysisError if the seat is not asked, or the move is not legal.
        """
        if self.is_over:
            ranks = [seat.rank for seat in self.match.row.seats]
            return Estimate(self._shares(ranks), (0.0,) * self.seats, 0)
        results = self.results(playouts, forced)
        columns = list(zip(*results, strict=True))
        chances = tuple([sum(column) / len(column) for column in columns])
        errors = tuple([standard_error(column, 0, 1, independent=self._independent()) for column in columns])
        return Estimate(chances, errors, len(results))

    def compare_moves(
        self, seat: int, playouts: int = PLAYOUTS, moves: Sequence[str] | None = None
    ) -> list[MoveEstimate]:
        """Compare moves of a seat that is asked, by its chance to win after each; the best one first.

        moves: those to compare with the one that was played; None for all legal ones.
        playouts: for each move.

        Raises AnalysisError if the seat is not asked, or a move is not legal.
        """
        if seat not in self.played:
            raise AnalysisError(f"seat {seat} of match {self.match.id} is not asked question {self._question}")
        played = self.played[seat]
        reference = [result[seat] for result in self.results(playouts, (seat, played))]
        estimates = []
        for move in dict.fromkeys((played, *(self.legal[seat] if moves is None else moves))):
            values = reference
            if move != played:
                values = [result[seat] for result in self.results(playouts, (seat, move))]
            differences = [value - other for value, other in zip(values, reference, strict=True)]
            estimates.append(
                MoveEstimate(
                    move,
                    sum(values) / playouts,
                    standard_error(values, 0, 1, independent=self._independent()),
                    sum(differences) / playouts,
                    0.0 if move == played else standard_error(differences, -1, 1, independent=self._independent()),
                )
            )
        return sorted(estimates, key=lambda estimate: -estimate.chance)

    def results(self, playouts: int, forced: tuple[int, str] | None = None, first: int = 0) -> list[Chances]:
        """Return the shares of the win, by seat, in playouts `first` to `first + playouts - 1`.

        forced: as in `estimate`. Result n of different forced moves can be compared: all else is equal.
        """
        if playouts < 1:
            raise AnalysisError(f"at least one playout is needed, not {playouts}")
        if forced is not None:
            self._check_move(*forced)
        return [self._play(number, forced) for number in range(first, first + playouts)]

    def _check_move(self, seat: int, move: str) -> None:
        """Raise AnalysisError unless a move of a seat is legal, as far as the perspective can know."""
        if self._perspective not in (None, seat):
            raise AnalysisError(
                f"seat {self._perspective} does not know the moves of seat {seat}: take its perspective"
            )
        if move not in self.legal.get(seat, ()):
            raise AnalysisError(f'"{move}" is not a legal move of seat {seat} at question {self._question}')

    def _play(self, number: int, forced: tuple[int, str] | None) -> Chances:
        """Play playout `number` to its end; return the shares of the win."""
        seed = hmac.digest(self._seed, f"playout/{number}".encode(), "sha256")
        state = self._deal(number).continued(hmac.digest(seed, b"later", "sha256"))
        policy = make_policy(self.policy, self._game, self.match.event.options, self.seats, seed)
        first_move = dict([forced] if forced else [])
        for _ in range(MOST_QUESTIONS):
            if not state.asked:
                break
            moves = []
            for seat in state.asked:
                if seat in first_move:
                    moves.append(first_move.pop(seat))
                elif self._forfeits[seat]:
                    moves.append(state.default(seat))
                else:
                    moves.append(policy.choose(state, seat))
            state.events.clear()
            state.apply(moves)
        return self._shares(ranks_with_forfeits(state.outcome().ranks, self._forfeits))

    def _deal(self, number: int) -> Deal:
        while len(self._deals) <= number:
            self._deals.append(self._samples().draw())
        return self._deals[number]

    def _samples(self) -> DealSampler:
        if self._sampler is None:
            draws = RandomDraws(hmac.digest(self._seed, b"deals", "sha256"))
            self._sampler = (
                WholeMatchDeals(self.match, self._question, draws)
                if self._perspective is None
                else SeatDeals(self.match, self._question, self._perspective, draws)
            )
        return self._sampler

    def _independent(self) -> bool:
        return self._samples().independent

    def _shares(self, ranks: Sequence[int]) -> Chances:
        winners = [rank == 1 for rank in ranks]
        teams = {team for team, has_won in zip(self._teams, winners, strict=True) if has_won}
        return tuple([1 / len(teams) if has_won else 0.0 for has_won in winners])


def estimate(
    match: StoredMatch,
    question: int,
    perspective: int | None = None,
    *,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    policy: str | None = None,
    forced: tuple[int, str] | None = None,
) -> Estimate:
    """Estimate the chances to win at a question. See `PlayoutPosition` and its `estimate`."""
    return PlayoutPosition(match, question, perspective, seed=seed, policy=policy).estimate(playouts, forced)


def compare_moves(
    match: StoredMatch,
    question: int,
    seat: int,
    *,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    policy: str | None = None,
    moves: Sequence[str] | None = None,
) -> list[MoveEstimate]:
    """Compare the moves of a seat at a question, as far as it knows the match. See `PlayoutPosition.compare_moves`."""
    return PlayoutPosition(match, question, seat, seed=seed, policy=policy).compare_moves(seat, playouts, moves)


def _known_forfeits(match: StoredMatch, ply: int | None, perspective: int | None) -> list[bool]:
    """Return by seat whether it has forfeited before answer `ply`; a seat knows of its own forfeit only."""
    lost = {
        fault.seat
        for fault in match.row.faults
        if fault.forfeit and ply is not None and fault.ply < ply and perspective in (None, fault.seat)
    }
    return [seat in lost for seat in range(len(match.row.seats))]
