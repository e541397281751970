"""What is tuned: numbers with a start, bounds and a step, and where they are declared.

--parameter caution=0.5,0..1[,STEP]        on the command line
[parameters.caution] start = 0.5 ...       in a bot.toml (`arena.packs.parameters`)
caution, float, 0.5, 0, 1, 0.1, 0.002      in a file, as OpenBench and fishtest have it
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from arena.packs.manifest import Manifest
from arena.packs.parameters import MOST, NAME, number_text, placeholders, range_problem
from arena_tune.errors import TuneError
from referee.engine.near import did_you_mean

Values = tuple[float, ...]
"""A value of each parameter, in their order; those of integers are not rounded."""

USUAL_STEPS = 20
"""The usual step is the range by so many."""

LEAST_INTEGER_STEP = 0.5
"""A smaller step could leave an integer as it is on both sides."""

FINENESS = 100
"""Values are played, printed and written to so many parts of a step."""

LONGEST_FILE = 256 * 1024
"""Bytes of a file of parameters."""

_OPTION = re.compile(r"\s*([^=\s]+)\s*=\s*([^,\s]+)\s*,\s*([^,\s]+?)\s*\.\.\s*([^,\s]+)\s*(?:,\s*([^,\s]+)\s*)?")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that is tuned.

    least, most: its bounds, which it may take.
    """

    name: str
    start: float
    least: float
    most: float
    step: float
    """By how much it is changed at the end of a run (c_end)."""
    rate: float | None = None
    """Its own rate (r_end); None: that of the run."""
    is_integer: bool = False
    """Whether it is played as a whole number."""

    def bounded(self, value: float) -> float:
        """Return a value, or the bound that it is beyond."""
        return min(max(value, self.least), self.most)

    def played(self, value: float) -> float:
        """Return what a bot is given for a value: a whole number, or one with as many digits as its step needs."""
        value = self.bounded(value)
        return (
            int(self.bounded(math.floor(value + 0.5))) if self.is_integer else self.bounded(round(value, self.digits))
        )

    def text(self, value: float) -> str:
        """Return what a bot is given for a value, as a command line has it."""
        return number_text(self.played(value))

    @property
    def digits(self) -> int:
        """How many digits after the point its values are given with."""
        return 0 if self.is_integer else max(0, math.ceil(math.log10(FINENESS / self.step)))

    @classmethod
    def make(
        cls,
        name: str,
        start: float,
        least: float,
        most: float,
        step: float | None = None,
        rate: float | None = None,
        *,
        is_integer: bool,
    ) -> Self:
        """Return a parameter. Raises TuneError for numbers that make none."""
        if not NAME.fullmatch(name):
            raise TuneError(
                f'"{name}" cannot name a parameter: use letters, digits and _, and no digit at its beginning'
            )
        if problem := range_problem(start, least, most, step):
            raise TuneError(f"the parameter {name} {problem}")
        if rate is not None and not rate > 0:
            raise TuneError(f"the parameter {name} has the rate {rate:g}: it must be above 0")
        if is_integer and step is not None and step < LEAST_INTEGER_STEP:
            raise TuneError(
                f"the parameter {name} has step = {step:g}, which changes no whole number: take {LEAST_INTEGER_STEP} "
                "or more, or give it bounds with a point to tune it as a fraction"
            )
        usual = (most - least) / USUAL_STEPS
        step = step or (max(usual, LEAST_INTEGER_STEP) if is_integer else usual)
        return cls(name, start, least, most, float(step), rate, is_integer)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values that `from_json` reads."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the parameter that `to_json` wrote."""
        return cls(**values)


def parse_option(text: str) -> Parameter:
    """Return the parameter of `--parameter NAME=START,MIN..MAX[,STEP]`. Raises TuneError."""
    found = _OPTION.fullmatch(text)
    if found is None:
        raise TuneError(
            f'--parameter "{text}" is not NAME=START,MIN..MAX or NAME=START,MIN..MAX,STEP, such as caution=0.5,0..1'
        )
    name, *texts = found.groups()
    numbers = [_number(each, f'--parameter "{text}"') for each in texts if each is not None]
    start, least, most, *step = numbers
    is_integer = all(isinstance(number, int) for number in (start, least, most))
    return Parameter.make(name, start, least, most, *step, is_integer=is_integer)


def read_file(path: Path) -> list[Parameter]:
    """Return the parameters of a file: `name, int|float, start, min, max, c_end, r_end` on each line.

    The type may be missing, as in fishtest: then whole numbers make an integer. Empty lines, and those that begin with
    #, say nothing.

    Raises TuneError, with the line, for the first mistake.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LONGEST_FILE + 1)
        lines = content.decode("utf-8-sig").splitlines()
    except OSError as error:
        raise TuneError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TuneError(f"{path} is not UTF-8 text") from None
    if len(content) > LONGEST_FILE:
        raise TuneError(f"{path} has more than {LONGEST_FILE // 1024} KiB, which is too long for a list of parameters")
    parameters = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                parameters.append(_parse_line(line))
            except TuneError as error:
                raise TuneError(f"{path}, line {number}: {error}") from None
    return parameters


def _parse_line(line: str) -> Parameter:
    name, *words = (word.strip() for word in line.split(","))
    kind = words.pop(0).lower() if len(words) == 6 else None
    if len(words) != 5 or kind not in (None, "int", "float"):
        raise TuneError(f'"{line.strip()[:80]}" is not NAME, int or float, START, MIN, MAX, C_END, R_END')
    start, least, most, step, rate = (_number(word, name) for word in words)
    is_integer = all(isinstance(number, int) for number in (start, least, most)) if kind is None else kind == "int"
    return Parameter.make(name, start, least, most, step, rate, is_integer=is_integer)


def of_manifest(manifest: Manifest) -> list[Parameter]:
    """Return the parameters that a bot.toml declares."""
    return [
        Parameter.make(name, each.start, each.min, each.max, each.step, is_integer=each.is_integer)
        for name, each in manifest.parameters.items()
    ]


def check_all(parameters: Sequence[Parameter], command: Iterable[str]) -> None:
    """Raise TuneError where the parameters are not those that a command line has placeholders for.

    command: its words.
    """
    names = [parameter.name for parameter in parameters]
    used = list(placeholders(command))
    if not names and not used:
        raise TuneError(
            "there is nothing to tune: write {NAME} into the command of the bot, and --parameter NAME=START,MIN..MAX, "
            "or declare [parameters.NAME] in its bot.toml"
        )
    if len(names) > MOST:
        raise TuneError(f"{len(names)} parameters are more than the {MOST} of a run")
    for place, name in enumerate(names):
        if name in names[:place]:
            raise TuneError(f"the parameter {name} is declared twice: once is enough")
        if name not in used:
            raise TuneError(
                f"the command of the bot has no {{{name}}}{did_you_mean(name, used)}: write it where the parameter goes"
            )
    for name in used:
        if name not in names:
            raise TuneError(
                f"the command of the bot has {{{name}}}, and there is no such parameter{did_you_mean(name, names)}: "
                f"add --parameter {name}=START,MIN..MAX"
            )


def texts(parameters: Sequence[Parameter], values: Values) -> dict[str, str]:
    """Return what a bot is given for values, by the names of the parameters."""
    return {each.name: each.text(value) for each, value in zip(parameters, values, strict=True)}


def _number(text: str, where: str) -> int | float:
    """Return a number: an integer where it is written as one. Raises TuneError."""
    try:
        number = int(text) if re.fullmatch(r"[+-]?[0-9]{1,15}", text) else float(text)
    except ValueError:
        raise TuneError(f'{where}: "{text}" is not a number') from None
    if not abs(number) < 1e15:
        raise TuneError(f'{where}: "{text}" is not a number below 10^15')
    return number
