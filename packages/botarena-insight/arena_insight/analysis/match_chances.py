"""The chances to win throughout a match, as a perspective knows it.

Not every frame is estimated: first frames at even distances, then those between which the chances change most.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from arena.replay.replay import Replay
from arena.run.sample_policies import best_policy, check_policy
from arena.values.process_pool import process_pool
from arena.values.rows import StoredMatch
from arena_insight.analysis.errors import KILLED, AnalysisError
from arena_insight.analysis.playouts import PLAYOUTS, Estimate, estimate

EVEN_FRAMES = 20
"""Frames at even distances, the first and the last included."""

MOST_FRAMES = 32
"""Frames that are estimated in all."""

PER_ROUND = 4
"""Frames that are chosen together, whatever the number of processes: so the choice does not depend on it."""

SWINGS = 5
"""The largest swings that are reported."""

CLEAR = 3.0
"""A swing is reported if it exceeds so many of its standard errors: some of hundreds of changes exceed two by luck."""


@dataclass(frozen=True, slots=True)
class FrameChances:
    """The chances at a frame of the perspective."""

    frame: int
    """The number of the frame, from 0."""
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class Swing:
    """A change of a seat's chance between two estimated frames."""

    seat: int
    before_frame: int
    frame: int
    before: float
    after: float
    error: float
    """The standard error of the change."""

    @property
    def change(self) -> float:
        """How much the chance has grown."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class MatchChances:
    """The chances throughout a match."""

    perspective: int | None
    """The seat whose knowledge is kept; None: the whole match."""
    policy: str
    """The sample bot that plays the playouts."""
    playouts: int
    """The number of playouts for each frame."""
    seed: int
    """The number that fixes the playouts, as in `PlayoutPosition`."""
    frames: tuple[FrameChances, ...]
    """The frames that are estimated, in order; the last one is the end of the match."""

    def swings(self, most: int = SWINGS) -> list[Swing]:
        """Return the largest changes from one estimated frame to the next, each of the seat whose chance changed most.

        Only those that are larger than `CLEAR` standard errors; the largest first.
        """
        changes = [_largest(before, after) for before, after in pairwise(self.frames)]
        clear = [swing for swing in changes if abs(swing.change) > CLEAR * swing.error]
        return sorted(clear, key=lambda swing: -abs(swing.change))[:most]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values. `points` are lists of frame, chances and errors, as `from_json` reads them."""
        return {
            "seat": self.perspective,
            "policy": self.policy,
            "playouts": self.playouts,
            "seed": self.seed,
            "points": [
                [point.frame, _rounded(point.estimate.chances), _rounded(point.estimate.errors)]
                for point in self.frames
            ],
            "swings": [
                {
                    "seat": swing.seat,
                    "from": swing.before_frame,
                    "move": swing.frame,
                    "before": round(swing.before, 4),
                    "after": round(swing.after, 4),
                    "error": round(swing.error, 4),
                }
                for swing in self.swings()
            ],
        }

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "MatchChances":
        """Return what `to_json` wrote."""
        last = values["points"][-1][0]
        return cls(
            values["seat"],
            values["policy"],
            values["playouts"],
            values["seed"],
            tuple(
                FrameChances(frame, Estimate(tuple(chances), tuple(errors), 0 if frame == last else values["playouts"]))
                for frame, chances, errors in values["points"]
            ),
        )


def analyse(
    match: StoredMatch,
    perspective: int | None = None,
    *,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    policy: str | None = None,
    jobs: int = 1,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> MatchChances:
    """Estimate the chances throughout a match.

    perspective, playouts, seed, policy: as in `arena_insight.analysis.playouts`.
    jobs: processes that compute at the same time; the result does not depend on it.
    report: is told after each estimate how many of how many frames are done.

    Raises AnalysisError for a seat that does not exist, UnknownPolicy for a policy; UnknownGame, OptionError or
    RecordError if the record does not fit the installed rules.
    """
    seats = len(match.row.seats)
    if perspective is not None and not 0 <= perspective < seats:
        raise AnalysisError(f"match {match.id} has the seats 0 to {seats - 1}, not {perspective}")
    policy = best_policy(match.event.game) if policy is None else check_policy(policy, match.event.game)
    questions = [frame.position for frame in Replay(match).frames(perspective)]
    total = min(MOST_FRAMES, len(questions))
    known: dict[int, Estimate] = {}
    with ExitStack() as stack:
        run = partial(estimate, match, perspective=perspective, playouts=playouts, seed=seed, policy=policy)
        mapped: Callable[[Sequence[int]], Iterable[Estimate]] = partial(map, run)
        if jobs > 1:
            pool = stack.enter_context(process_pool(jobs, AnalysisError(KILLED)))
            mapped = partial(pool.map, run)
        chosen = _even(len(questions))
        while chosen:
            for frame, result in zip(chosen, mapped([questions[frame] for frame in chosen]), strict=True):
                known[frame] = result
                report(len(known), total)
            chosen = _between(known, min(PER_ROUND, total - len(known)))
    return MatchChances(
        perspective, policy, playouts, seed, tuple(FrameChances(frame, known[frame]) for frame in sorted(known))
    )


def _even(count: int) -> list[int]:
    """Return frames at even distances."""
    wanted = min(EVEN_FRAMES, count)
    return sorted({round(number * (count - 1) / max(1, wanted - 1)) for number in range(wanted)})


def _between(known: dict[int, Estimate], most: int) -> list[int]:
    """Return the frames in the middle of the largest changes, in order; none if there are no frames between any."""
    frames = sorted(known)
    gaps = [
        (abs(_largest(FrameChances(one, known[one]), FrameChances(other, known[other])).change), -one, other)
        for one, other in pairwise(frames)
        if other - one > 1
    ]
    return sorted((other - minus) // 2 for _, minus, other in sorted(gaps, reverse=True)[:most])


def _largest(before: FrameChances, after: FrameChances) -> Swing:
    """Return the change of the seat whose chance changes most."""
    one, other = before.estimate, after.estimate
    seat = max(range(len(one.chances)), key=lambda place: abs(other.chances[place] - one.chances[place]))
    error = (one.errors[seat] ** 2 + other.errors[seat] ** 2) ** 0.5
    return Swing(seat, before.frame, after.frame, one.chances[seat], other.chances[seat], error)


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 4) for value in values]
