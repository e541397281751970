"""What may end a tournament before its last round, as it is written down beforehand."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from arena.tournament.errors import PlanError

if TYPE_CHECKING:
    from arena.ratings.sprt import Sprt

BLOCK = 250
"""Rounds between two looks. A block is played by fresh processes in every rotation, so short ones cost starts."""


Kind = Literal["sprt", "separated"]
"""What kinds of rules there are."""


@dataclass(frozen=True, slots=True)
class StopRule:
    """What ends a tournament early.

    kind: "sprt": the first bot of the field is tested against the second. "separated": every two neighbours of the
    ranking are told apart at 95 %. The others: of the test, as in `arena.ratings.sprt.Sprt`.
    """

    kind: Kind
    elo0: float = 0.0
    elo1: float = 0.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Raise RatingError for a test that makes no sense."""
        if self.kind == "sprt":
            self.sprt()

    def sprt(self) -> "Sprt":
        """Return the test."""
        from arena.ratings.sprt import Sprt  # numpy takes a tenth of a second, and few tournaments have a rule

        return Sprt(self.elo0, self.elo1, self.alpha, self.beta)

    def to_json(self) -> dict[str, Any]:
        """Return the rule as JSON values, of which `StopRule(**values)` makes it again."""
        return asdict(self) if self.kind == "sprt" else {"kind": self.kind}


def parse_sprt(text: str) -> StopRule:
    """Return the rule of `elo0=0,elo1=10,alpha=0.05,beta=0.05`, of which the last two may be left out.

    Raises PlanError for anything else, RatingError for a test that makes no sense.
    """
    values: dict[str, float] = {}
    for part in text.split(","):
        name, sign, value = (word.strip() for word in part.partition("="))
        if not sign or name not in ("elo0", "elo1", "alpha", "beta") or name in values:
            raise PlanError(f'"{part.strip()}" has no place in a test: write elo0=0,elo1=10,alpha=0.05,beta=0.05')
        try:
            values[name] = float(value)
        except ValueError:
            raise PlanError(f'{name} is a number, not "{value}"') from None
    if missing := [name for name in ("elo0", "elo1") if name not in values]:
        raise PlanError(f"a test needs {' and '.join(missing)}: write elo0=0,elo1=10")
    return StopRule("sprt", **values)
