"""The decisions that a bot and better bots made in the same seats of the same deals, read from stored matches."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from arena.record.played_rules import played_by_referee, rules, steps
from arena.values.errors import ArenaError
from arena.values.rows import StoredMatch
from arena_insight.weaknesses.choice import Choice, classifier
from arena_insight.weaknesses.contest import Contest, Sitting
from referee.engine.errors import EngineError


class Decision(NamedTuple):
    """A decision that a seat made in a recorded match."""

    sitting: Sitting
    """The seat that made it, and the bot that held it."""
    position: int
    """The number of the frame in which it was asked."""
    ply: int
    """The number of the answer in the match."""
    choice: Choice
    move: str
    """The move, as it was sent."""
    legal: Sequence[str]
    """The legal moves, as they were sent."""


class Decisions(NamedTuple):
    """The decisions of some matches."""

    own: Sequence[Decision]
    """The decisions of the bot."""
    better: Sequence[Decision]
    """The decisions of better bots."""
    matches: int
    """The number of matches that were read."""
    unreadable: int
    """The number of matches that the installed rules cannot replay."""


def sample_sittings(contest: Contest, most: int) -> list[Sitting]:
    """Return the seats whose decisions are compared: of the bot, and of better bots in the same deals.

    Of deals that both played, evenly spread over the contest, as many as have about `most` decisions; but always one.
    """
    by_deal: dict[tuple[bytes, int], list[Sitting]] = {}
    for sitting in contest.own:
        rivals = [rival for rival in contest.others.get(sitting.place, ()) if rival.bot in contest.better]
        if rivals:
            by_deal.setdefault(sitting.place.deal, []).extend([sitting, *rivals])
    deals = list(by_deal.values())
    if not deals:
        return []
    decisions = sum({sitting.match: sitting.decisions for deal in deals for sitting in deal}.values())
    count = len(deals) if decisions <= most else max(1, len(deals) * most // decisions)
    chosen = [deals[number * len(deals) // count] for number in range(count)]
    return list(dict.fromkeys(sitting for deal in chosen for sitting in deal))


def read_decisions(
    contest: Contest,
    sittings: Sequence[Sitting],
    load: Callable[[Sequence[int]], Iterable[StoredMatch]],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Decisions:
    """Replay the matches of some seats and return the decisions made there.

    Answers of the referee, and those of a seat that had no choice, are left out.

    load: returns stored matches by their ids.
    progress: is told the matches read, and how many there are.
    """
    by_match: dict[int, dict[int, Sitting]] = {}
    for sitting in sittings:
        by_match.setdefault(sitting.match, {})[sitting.place.seat] = sitting
    own: list[Decision] = []
    better: list[Decision] = []
    matches = unreadable = 0
    for match in load(list(by_match)):
        try:
            decisions = list(decisions_of(match, by_match[match.id]))
        except (EngineError, ArenaError):
            unreadable += 1
            continue
        matches += 1
        for decision in decisions:
            (own if decision.sitting.bot == contest.bot else better).append(decision)
        progress(matches + unreadable, len(by_match))
    return Decisions(own, better, matches, unreadable)


def decisions_of(match: StoredMatch, sittings: dict[int, Sitting]) -> Iterator[Decision]:
    """Yield the decisions of some seats of a match.

    sittings: by seat.

    Raises UnknownGame, OptionError or RecordError if the record does not fit the installed rules.
    """
    classify = classifier(rules(match).game.name)
    views: dict[int, object] = {}
    for position, (state, answers) in enumerate(steps(match)):
        for step in answers:
            if step.seat not in views or len(step.legal) == 1 or played_by_referee(match.row, step.seat, step.ply):
                continue
            choice = classify(views[step.seat], step.legal, step.move)
            yield Decision(sittings[step.seat], position - 1, step.ply, choice, step.move, step.legal)
        views = {seat: state.view(seat) for seat in state.asked if seat in sittings}
