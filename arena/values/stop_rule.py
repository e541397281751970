"""Stop rules: conditions, declared before the first match, that end a tournament early."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, get_args

from arena.values.errors import RatingError
from arena.values.settings import Setting, SettingError, Stored, setting, settings_of
from arena.values.tournament_errors import PlanError

BLOCK = 250
"""Rounds per block if there is a stop rule: until neighbours are separated, results are looked at after each block.

A block is played by fresh processes in every rotation, so shorter blocks cost process starts.
"""

LOOK = 8
"""Rounds to the first look of a test, and from one look to the next; later looks are rarer (`looks`)."""

_RARER = 50
"""A look comes once there are a 50th more rounds, where that is more than `LOOK`.

So a test of any length has a few hundred looks, which cost no more than its matches, and is 1 % longer on average
than one that looks at every deal.
"""

_MAX_ELO = 100_000
"""The largest hypothesis in Elo: beyond any real difference, within floating-point range."""

_MAX_NELO = 500
"""The largest hypothesis in normalised Elo: 98 % of the points, where half of the matches are ties."""

Model = Literal["logistic", "normalized"]
"""What the hypotheses of a test are: Elo, or normalised Elo."""

MODELS: tuple[Model, ...] = get_args(Model)

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
    model: Annotated[
        Model,
        setting(
            "What elo0 and elo1 are: logistic: Elo; normalized: normalised Elo, the surplus of points over the luck of "
            "a match.",
            key="stop.model",
        ),
    ] = "logistic"
    look: Annotated[
        int,
        setting(
            "Rounds to the first look of a test, and between looks, as long as these are 2 % of all so far; 0: a look "
            "comes after each block.",
            key="stop.look",
            least=0,
            usual=str(LOOK),
        ),
    ] = 0
    """0 in tests that were stored before there was this field."""
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
            check_test(self.elo0, self.elo1, self.alpha, self.beta, self.model)

    @classmethod
    def choose(cls, chosen: Mapping[str, Any]) -> Self:
        return cls(**({"look": LOOK} if chosen.get("kind") == "sprt" else {}) | dict(chosen))

    def to_json(self) -> dict[str, Any]:
        """Return JSON values that `from_json` reads: those of its kind."""
        kept = super().to_json()
        later = ("model", "look")
        return {name: getattr(self, name) for name in keys_of(self.kind) if name not in later or name in kept}

    def looks(self, rounds: int, block: int) -> list[int]:
        """Return after which rounds the results are looked at, ascending.

        rounds: of the tournament.
        block: rounds of a block.
        """
        looks, done = list[int](), 0
        while done < rounds:
            done = min(rounds, done + (max(self.look, done // _RARER) if self.look else block))
            looks.append(done)
        return looks


def keys_of(kind: Kind) -> tuple[str, ...]:
    """Return the fields that a rule of a kind has."""
    return ("kind", "elo0", "elo1", "alpha", "beta", "model", "look") if kind == "sprt" else ("kind", "control")


def check_test(elo0: float, elo1: float, alpha: float, beta: float, model: Model = "logistic") -> None:
    """Raise RatingError for hypotheses or error probabilities with which nothing can be tested."""
    most, what = (_MAX_ELO, "Elo") if model == "logistic" else (_MAX_NELO, "normalised Elo")
    for name, elo in (("elo0", elo0), ("elo1", elo1)):
        if not abs(elo) < most:
            raise RatingError(f"{name} is a difference of {what}, below {most:,}, not {elo:g}")
    if not elo0 < elo1:
        raise RatingError(f"elo1 must be greater than elo0, and {elo1:g} is not greater than {elo0:g}")
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not 0 < value < 0.5:
            raise RatingError(f"{name} is the chance of a wrong verdict, between 0 and 0.5, not {value:g}")


def parse_sprt(text: str) -> StopRule:
    """Parse `elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalized,look=8`; all but the first two are optional.

    Raises PlanError for anything else, RatingError for invalid parameters of the test.
    """
    known = {one.name: one for one in settings_of(StopRule) if one.name in keys_of("sprt")[1:]}
    said: dict[str, Any] = {"kind": "sprt"}
    for part in text.split(","):
        name, sign, value = (word.strip() for word in part.partition("="))
        if not sign or name not in known or name in said:
            raise PlanError(
                f'"{part.strip()}" is not a parameter of a test: write elo0=0,elo1=10,alpha=0.05,beta=0.05,'
                f"model=normalized,look={LOOK}"
            )
        said[name] = _parameter(known[name], value)
    if missing := [name for name in ("elo0", "elo1") if name not in said]:
        raise PlanError(f"a test needs {' and '.join(missing)}: write elo0=0,elo1=10")
    return StopRule.choose(said)


def _parameter(known: Setting, text: str) -> Any:
    """Return the value of a parameter of a test. Raises PlanError."""
    if known.kind == "number":
        try:
            return float(text)
        except ValueError:
            raise PlanError(f'{known.name} is a number, not "{text}"') from None
    try:
        return known.read(int(text) if known.kind == "integer" and text.isdecimal() else text)
    except SettingError:
        raise PlanError(f'{known.name} is {known.expected}, not "{text}"') from None
