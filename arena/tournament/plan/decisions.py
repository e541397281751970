"""What an organiser has decided in the course of a tournament, as its log tells it.

The schedule is a pure function of the definition, the secret, the log and the results. For that the log also says when
a **leg** begins: a stage, or in events that are planned in one go a block of rounds. Who takes part in a leg is settled
by the entries that stand before it, so that a withdrawal or an entry has its effect at the same place however often the
tournament is interrupted, and on whatever machine it is looked at.

    pause, resume   nobody plays in between
    leg             details: leg; written by arena as it begins to play it
    withdraw        details: place, remaining ("drop" or "forfeit"), results ("keep" or "omit")
    enter           details: place, bot
    void            details: match (its number), replay
    entropy         details: value; mixed into the secret before the first leg (`arena.tournament.plan.entropy`)
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from arena.ratings import Result
from arena.store.rows import DecisionRow
from arena.tournament.plan.definition import Definition, Entrant
from arena.tournament.plan.schedule import Plan

DETAILS: dict[str, dict[str, type]] = {
    "leg": {"leg": int},
    "withdraw": {"place": int, "remaining": str, "results": str},
    "enter": {"place": int, "bot": dict},
    "void": {"match": int, "replay": bool},
    "entropy": {"value": str},
}
"""What entries of the log say, by their kind, which all who read them rely on."""

Remaining = Literal["drop", "forfeit"]
"""What becomes of the matches that a withdrawn bot has before it: not played, or played by default moves."""

REMAINING: tuple[Remaining, ...] = get_args(Remaining)

Kept = Literal["keep", "omit"]
"""What becomes of those that it has played: they count in the ranking, or not."""

KEPT: tuple[Kept, ...] = get_args(Kept)


def is_known(kind: str, details: Any) -> bool:
    """Tell whether an entry of that kind says what it must."""
    if not isinstance(details, dict):
        return False
    if not all(type(details.get(key)) is wanted for key, wanted in DETAILS.get(kind, {}).items()):
        return False
    if kind == "withdraw":
        return details["remaining"] in REMAINING and details["results"] in KEPT and details["place"] >= 0
    if kind == "enter":
        try:
            Entrant.from_json(details["bot"])
        except TypeError:
            return False
    return all(details[key] >= 0 for key, wanted in DETAILS.get(kind, {}).items() if wanted is int)


@dataclass(frozen=True, slots=True)
class Decisions:
    """The log of a tournament, read. field: all who ever took part, later entrants last; first: how many began it."""

    log: tuple[DecisionRow, ...] = ()
    field: tuple[Entrant, ...] = ()
    first: int = 0

    @classmethod
    def of(cls, definition: Definition, log: Iterable[DecisionRow] = ()) -> "Decisions":
        """Return what a log says. definition: with the field that began the tournament."""
        entries = tuple(log)
        late = tuple(Entrant.from_json(entry.details["bot"]) for entry in entries if entry.kind == "enter")
        return cls(entries, (*definition.field, *late), len(definition.field))

    def whole(self, definition: Definition) -> Definition:
        """Return the definition with the whole field."""
        return replace(definition, field=self.field)

    @property
    def pause(self) -> DecisionRow | None:
        """The entry by which it is paused; None where it is not."""
        last = next((entry for entry in reversed(self.log) if entry.kind in ("pause", "resume")), None)
        return last if last is not None and last.kind == "pause" else None

    @property
    def begun(self) -> int:
        """The number of the first leg that has not begun."""
        return max((entry.details["leg"] + 1 for entry in self.log if entry.kind == "leg"), default=0)

    def spans(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return who takes part from which leg on, by places in the field; in legs to come, as it stands now."""
        spans: list[tuple[int, tuple[int, ...]]] = []
        entered, gone = self.first, set[int]()

        def begin(leg: int) -> None:
            members = tuple(place for place in range(entered) if place not in gone)
            if not spans or spans[-1][1] != members:
                spans.append((leg if spans else 0, members))  # a log that was damaged may begin with a later leg

        for entry in self.log:
            if entry.kind == "leg":
                begin(entry.details["leg"])
            elif _drops(entry):
                gone.add(entry.details["place"])
            entered += entry.kind == "enter"
        begin(self.begun)
        return spans

    def playing(self, leg: int) -> tuple[int, ...]:
        """Return who takes part in a leg, by places in the field."""
        return next(members for first, members in reversed(self.spans()) if first <= leg)

    @property
    def dropped(self) -> frozenset[int]:
        """The bots whose matches are played no more, by places in the field."""
        return frozenset(entry.details["place"] for entry in self.log if _drops(entry))

    @property
    def omitted(self) -> frozenset[str]:
        """The names of the bots whose matches do not count in the ranking."""
        left_out = {entry.details["place"] for entry in self.log if entry.kind == "withdraw" and _omits(entry)}
        return frozenset(self.field[place].name for place in left_out)

    @property
    def withdrawn(self) -> frozenset[int]:
        """All bots that an organiser withdrew, by places in the field."""
        return frozenset(entry.details["place"] for entry in self.log if entry.kind == "withdraw")

    @property
    def unreplayed(self) -> frozenset[int]:
        """The numbers of the matches that are void and not played again."""
        return frozenset(
            entry.details["match"] for entry in self.log if entry.kind == "void" and not entry.details["replay"]
        )

    def skipped(self, plan: Plan) -> frozenset[int]:
        """Return the matches of a plan that need not be played; some may have been played before it was decided."""
        numbers = range(plan.start.match, plan.start.match + plan.matches)
        skipped = {number for number in self.unreplayed if number in numbers}
        if dropped := self.dropped:
            skipped |= {
                match.number for match in plan.in_order() if any(player.entrant in dropped for player in match.players)
            }
        return frozenset(skipped)

    def complete(self, plan: Plan, results: Iterable[Result]) -> bool:
        """Tell whether all matches of a plan are played that are to be; results: of those that are."""
        names = {self.field[place].name for place in self.dropped}
        missing = plan.matches - len(self.skipped(plan))
        return sum(names.isdisjoint(bots_of(result)) for result in results) >= missing

    def changes(self, seen: int) -> bool:
        """Tell whether an entry after the first `seen` bears upon matches under way."""
        return any(entry.kind in ("pause", "withdraw", "void") for entry in self.log[seen:])


def bots_of(result: Result) -> set[str]:
    """Return the names of all bots of a match."""
    return {bot for team in result.teams for bot in ([team] if isinstance(team, str) else team)}


def _drops(entry: DecisionRow) -> bool:
    return entry.kind == "withdraw" and entry.details["remaining"] == "drop"


def _omits(entry: DecisionRow) -> bool:
    return bool(entry.details["results"] == "omit")
