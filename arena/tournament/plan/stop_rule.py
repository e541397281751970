"""Stop rules: conditions, declared before the first match, that end a tournament early."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from arena.tournament.errors import PlanError

if TYPE_CHECKING:
    from arena.ratings.sprt import Sprt

BLOCK = 250
"""Rounds per block if there is a stop rule, which is checked after each block.

A block is played by fresh processes in every rotation, so shorter blocks cost process starts.
"""

Kind = Literal["sprt", "separated"]
"""The kinds of stop rules."""

ErrorControl = Literal["familywise", "pairwise"]
"""What alpha bounds where a ranking is tested until its neighbours are separated: the probability of any false
separation, over all pairs and all tests; or that of one pair at one test."""

ERROR_CONTROLS: tuple[ErrorControl, ...] = get_args(ErrorControl)


@dataclass(frozen=True, slots=True)
class StopRule:
    """A condition that ends a tournament early.

    kind: "sprt": a test of the first bot of the field against the second is decided. "separated": every two neighbours
    of the ranking are separated. elo0, elo1, alpha, beta: of the test, as in `arena.ratings.sprt.Sprt`. alpha of
    "separated": the error rate of the separation, 0.05. control: what it bounds.
    """

    kind: Kind
    elo0: float = 0.0
    elo1: float = 0.0
    alpha: float = 0.05
    beta: float = 0.05
    control: ErrorControl = "familywise"

    def __post_init__(self) -> None:
        """Raise RatingError for invalid parameters of the test."""
        if self.kind == "sprt":
            self.sprt()

    def sprt(self) -> "Sprt":
        """Return the test."""
        from arena.ratings.sprt import Sprt  # importing numpy takes 0.1 s, and few tournaments have a stop rule

        return Sprt(self.elo0, self.elo1, self.alpha, self.beta)

    def to_json(self) -> dict[str, Any]:
        """Return JSON values that `from_json` reads."""
        if self.kind == "sprt":
            return {key: value for key, value in asdict(self).items() if key != "control"}
        return {"kind": self.kind, "control": self.control}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the rule that `to_json` wrote. Older versions wrote no control, and theirs was pairwise.

        Raises TypeError for unknown keys, RatingError for invalid parameters of the test.
        """
        return cls(**({"control": "pairwise"} if values.get("kind") == "separated" else {}) | dict(values))


def parse_sprt(text: str) -> StopRule:
    """Parse `elo0=0,elo1=10,alpha=0.05,beta=0.05`; the last two are optional.

    Raises PlanError for anything else, RatingError for invalid parameters of the test.
    """
    values: dict[str, float] = {}
    for part in text.split(","):
        name, sign, value = (word.strip() for word in part.partition("="))
        if not sign or name not in ("elo0", "elo1", "alpha", "beta") or name in values:
            raise PlanError(f'"{part.strip()}" is not a parameter of a test: write elo0=0,elo1=10,alpha=0.05,beta=0.05')
        try:
            values[name] = float(value)
        except ValueError:
            raise PlanError(f'{name} is a number, not "{value}"') from None
    if missing := [name for name in ("elo0", "elo1") if name not in values]:
        raise PlanError(f"a test needs {' and '.join(missing)}: write elo0=0,elo1=10")
    return StopRule("sprt", values["elo0"], values["elo1"], values.get("alpha", 0.05), values.get("beta", 0.05))
