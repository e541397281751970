"""Stop rules: conditions, declared before the first match, that end a tournament early."""

from typing import Annotated, Any, Literal, get_args

from arena.values.errors import RatingError
from arena.values.settings import Stored, setting
from arena.values.tournament_errors import PlanError

BLOCK = 250
"""Rounds per block if there is a stop rule, which is checked after each block.

A block is played by fresh processes in every rotation, so shorter blocks cost process starts.
"""

_MAX_ELO = 100_000
"""The largest hypothesis in Elo: beyond any real difference, within floating-point range."""

Kind = Literal["sprt", "separated"]
"""The kinds of stop rules."""

ErrorControl = Literal["familywise", "pairwise"]
"""What alpha bounds where a ranking is tested until its neighbours are separated: the probability of any false
separation, over all pairs and all tests; or that of one pair at one test."""

ERROR_CONTROLS: tuple[ErrorControl, ...] = get_args(ErrorControl)


class StopRule(Stored, frozen=True, forbid_unknown_fields=True):
    """A condition that ends a tournament early."""

    kind: Annotated[
        Kind,
        setting(
            "sprt: a test of the first bot against the second is decided; separated: every two neighbours of the "
            "ranking are separated.",
            key="stop.kind",
        ),
    ]
    elo0: Annotated[
        float, setting("The Elo difference of the null hypothesis.", key="stop.elo0", usual="required with sprt")
    ] = 0.0
    elo1: Annotated[
        float, setting("The Elo difference of the alternative.", key="stop.elo1", usual="required with sprt")
    ] = 0.0
    alpha: Annotated[float, setting("The probability of a false acceptance of the alternative.", key="stop.alpha")] = (
        0.05
    )
    """Of "separated": the error rate of the separation, which is always the default."""
    beta: Annotated[
        float, setting("The probability of a false acceptance of the null hypothesis.", key="stop.beta")
    ] = 0.05
    control: Annotated[
        ErrorControl,
        setting(
            "What the 5 % of separated bound: any false separation, of all pairs at all tests, or one of a single pair "
            "at a single test.",
            key="stop.control",
        ),
    ] = "familywise"

    def __post_init__(self) -> None:
        """Raise RatingError for invalid parameters of the test."""
        if self.kind == "sprt":
            check_test(self.elo0, self.elo1, self.alpha, self.beta)

    def to_json(self) -> dict[str, Any]:
        """Return JSON values that `from_json` reads: those of its kind."""
        return {name: getattr(self, name) for name in keys_of(self.kind)}


def keys_of(kind: Kind) -> tuple[str, ...]:
    """Return the fields that a rule of a kind has."""
    return ("kind", "elo0", "elo1", "alpha", "beta") if kind == "sprt" else ("kind", "control")


def check_test(elo0: float, elo1: float, alpha: float, beta: float) -> None:
    """Raise RatingError for hypotheses or error probabilities with which nothing can be tested."""
    for name, elo in (("elo0", elo0), ("elo1", elo1)):
        if not abs(elo) < _MAX_ELO:
            raise RatingError(f"{name} is a difference of Elo, below {_MAX_ELO:,}, not {elo:g}")
    if not elo0 < elo1:
        raise RatingError(f"elo1 must be greater than elo0, and {elo1:g} is not greater than {elo0:g}")
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not 0 < value < 0.5:
            raise RatingError(f"{name} is the chance of a wrong verdict, between 0 and 0.5, not {value:g}")


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
