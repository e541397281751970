"""The organiser's decisions during a tournament, read from its log.

The schedule is a pure function of the definition, the secret, the log and the results. The log therefore also records
the start of each **leg**: a stage, or a block of rounds in single-stage events. The participants of a leg follow from
the log entries before it, so a withdrawal or a late entry takes effect at the same point however often the tournament
is interrupted, and on any machine.

    pause, resume   no match is played in between
    leg             details: leg; written by arena when the leg starts
    withdraw        details: place (index in the field), remaining ("drop" or "forfeit"), results ("keep" or "omit");
                    with "drop" also void (ranges of numbers of matches): the sets that the bot has not finished,
                    followed by an entry "void" for each of their stored matches; its withdrawal is the number of this
    enter           details: place (index in the field), bot
    void            details: match (its number), replay
    extend          details: rounds (in all), matches (in all)
    entropy         details: value; mixed into the secret before the first leg (`arena.plan.entropy`)
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal, get_args

from msgspec.structs import replace

from arena.plan.packed_numbers import are_packed, unpack_numbers
from arena.plan.schedule import Plan
from arena.ratings import Result
from arena.values.definition import Definition, Entrant
from arena.values.rows import DecisionRow, late_entrants
from arena.values.tournament_errors import PlanError

DETAIL_TYPES: dict[str, dict[str, type]] = {
    "leg": {"leg": int},
    "withdraw": {"place": int, "remaining": str, "results": str},
    "enter": {"place": int, "bot": dict},
    "void": {"match": int, "replay": bool},
    "extend": {"rounds": int, "matches": int},
    "entropy": {"value": str},
}
"""The required details of a log entry and their types, by kind."""

RemainingPolicy = Literal["drop", "forfeit"]
"""What happens to the remaining matches of a withdrawn bot: not played, or forfeited by default moves."""

REMAINING_POLICIES: tuple[RemainingPolicy, ...] = get_args(RemainingPolicy)

ResultsPolicy = Literal["keep", "omit"]
"""What happens to the results of a withdrawn bot: they count in the ranking, or not."""

RESULTS_POLICIES: tuple[ResultsPolicy, ...] = get_args(ResultsPolicy)


def is_valid_entry(kind: str, details: Any) -> bool:
    """Return whether the details of a log entry of this kind are complete and valid."""
    if not isinstance(details, dict):
        return False
    if not all(type(details.get(key)) is required for key, required in DETAIL_TYPES.get(kind, {}).items()):
        return False
    if kind == "withdraw":
        return (
            details["remaining"] in REMAINING_POLICIES
            and details["results"] in RESULTS_POLICIES
            and details["place"] >= 0
            and are_packed(details.get("void", []))
        )
    if kind == "enter":
        try:
            Entrant.from_json(details["bot"])
        except ValueError:
            return False
    return all(details[key] >= 0 for key, required in DETAIL_TYPES.get(kind, {}).items() if required is int)


def refuse_redraws(log: Iterable[DecisionRow]) -> None:
    """Raise PlanError for a log of an arena that had other bots play what a withdrawn bot had not finished."""
    for entry in log:
        if entry.kind == "redraw" or (_drops_matches(entry) and "void" not in entry.details):
            raise PlanError(
                f"entry {entry.number} of the tournament's log is of an earlier arena, in which other bots played the "
                "sets that a withdrawn bot had not finished: play on, verify and rank the tournament with that "
                "version; its matches can be listed, replayed and exported with this one"
            )


@dataclass(frozen=True)
class Decisions:
    """The decisions of a tournament, read from its log."""

    log: tuple[DecisionRow, ...] = ()
    field: tuple[Entrant, ...] = ()
    """All bots that ever took part, late entrants last."""
    initial_bots: int = 0
    """How many bots began the tournament."""
    initial_rounds: int = 0
    """The number of rounds that the tournament was defined with."""

    @classmethod
    def of(cls, definition: Definition, log: Iterable[DecisionRow] = ()) -> "Decisions":
        """Read a log.

        definition: with the field that began the tournament.

        Raises PlanError for a log in which a withdrawn bot left its open sets to others.
        """
        entries = tuple(log)
        refuse_redraws(entries)
        field = (*definition.field, *late_entrants(entries))
        return cls(entries, field, len(definition.field), definition.rounds)

    def apply(self, definition: Definition) -> Definition:
        """Return the definition with the full field, including late entrants, and the rounds as extended since."""
        return replace(definition, field=self.field, rounds=self.rounds or definition.rounds)

    @property
    def rounds(self) -> int | None:
        """The number of rounds that the tournament was last extended to; None if it was not."""
        return next((entry.details["rounds"] for entry in reversed(self.log) if entry.kind == "extend"), None)

    @property
    def pause(self) -> DecisionRow | None:
        """The log entry that paused the tournament; None if it is not paused."""
        last = next((entry for entry in reversed(self.log) if entry.kind in ("pause", "resume")), None)
        return last if last is not None and last.kind == "pause" else None

    @property
    def next_leg(self) -> int:
        """The number of the first leg that has not started."""
        return max((entry.details["leg"] + 1 for entry in self.log if entry.kind == "leg"), default=0)

    def participants_by_leg(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return the participants, as indices in the field, with the leg from which on they play.

        There is an entry for each change of participants. Future legs have the participants of the next one, as the
        log stands now.
        """
        changes: list[tuple[int, tuple[int, ...]]] = []
        entered, dropped = self.initial_bots, set[int]()

        def start_leg(leg: int) -> None:
            participants = tuple(bot for bot in range(entered) if bot not in dropped)
            if not changes or changes[-1][1] != participants:
                changes.append((leg if changes else 0, participants))  # a damaged log may begin with a later leg

        for entry in self.log:
            if entry.kind == "leg":
                start_leg(entry.details["leg"])
            elif _drops_matches(entry):
                dropped.add(entry.details["place"])
            entered += entry.kind == "enter"
        start_leg(self.next_leg)
        return changes

    def participants(self, leg: int) -> tuple[int, ...]:
        """Return the participants of a leg, as indices in the field."""
        return next(participants for first, participants in reversed(self.participants_by_leg()) if first <= leg)

    @property
    def dropped(self) -> frozenset[int]:
        """The bots whose remaining matches are not played, as indices in the field."""
        return frozenset(entry.details["place"] for entry in self.log if _drops_matches(entry))

    @property
    def omitted(self) -> frozenset[str]:
        """The names of the bots whose matches do not count in the ranking."""
        omitted = {entry.details["place"] for entry in self.log if entry.kind == "withdraw" and _omits_results(entry)}
        return frozenset(self.field[bot].name for bot in omitted)

    @property
    def withdrawn(self) -> frozenset[int]:
        """All bots that an organiser withdrew, as indices in the field."""
        return frozenset(entry.details["place"] for entry in self.log if entry.kind == "withdraw")

    @property
    def void(self) -> tuple[range, ...]:
        """The numbers of the matches of all sets that withdrawn bots had not finished."""
        return tuple(chain.from_iterable(unpack_numbers(entry.details.get("void", ())) for entry in self.log))

    @property
    def unreplayed(self) -> frozenset[int]:
        """The numbers of the void matches that are not played again."""
        return frozenset(
            entry.details["match"] for entry in self.log if entry.kind == "void" and not entry.details["replay"]
        )

    def skipped(self, plan: Plan) -> frozenset[int]:
        """Return the numbers of the matches of a plan that need not be played; some may have been played already."""
        numbers = range(plan.offset.match, plan.offset.match + plan.matches)
        skipped = {number for number in self.unreplayed if number in numbers}
        if dropped := self.dropped:
            skipped |= {
                match.number
                for match in plan.iter_matches()
                if any(player.entrant in dropped for player in match.players)
            }
        return frozenset(skipped)

    def is_complete(self, plan: Plan, results: Iterable[Result]) -> bool:
        """Return whether all matches of a plan that are not skipped have been played.

        results: the results of those played.
        """
        dropped_names = {self.field[bot].name for bot in self.dropped}
        required = plan.matches - len(self.skipped(plan))
        return sum(dropped_names.isdisjoint(bots_of(result)) for result in results) >= required

    def affects_running_matches(self, seen: int) -> bool:
        """Return whether any log entry after the first `seen` affects matches that are being played."""
        kinds = ("pause", "withdraw", "void", "extend")
        return any(entry.kind in kinds for entry in self.log[seen:])


def bots_of(result: Result) -> set[str]:
    """Return the names of all bots of a match."""
    return {bot for team in result.teams for bot in ([team] if isinstance(team, str) else team)}


def _drops_matches(entry: DecisionRow) -> bool:
    return entry.kind == "withdraw" and entry.details["remaining"] == "drop"


def _omits_results(entry: DecisionRow) -> bool:
    return bool(entry.details["results"] == "omit")
