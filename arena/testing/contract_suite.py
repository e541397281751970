"""The whole suite: every check, for every preset, on matches that Hypothesis generates."""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from arena.hooks.installed_entries import load, targets
from arena.testing.case import STEPS, MatchCase, from_scenario
from arena.testing.conservation import check_counts
from arena.testing.contract_check import Check
from arena.testing.copy_checks import check_copies
from arena.testing.declaration import check_declaration
from arena.testing.determinism import check_chance, check_determinism, check_replay
from arena.testing.ending import check_end, check_outcome
from arena.testing.known_chance import check_known_chance
from arena.testing.log_checks import check_log
from arena.testing.move_checks import check_moves, check_questions
from arena.testing.noninterference import check_hiding, check_views_follow_the_log
from arena.testing.view_checks import check_views
from arena.testing.violation import BrokenPromise
from arena.values.installing import how_to_install
from referee.engine.game import Game

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

if find_spec("hypothesis") is None:
    raise ModuleNotFoundError(
        f"arena.testing needs Hypothesis, which is not installed: {how_to_install('botarena[testing]')}",
        name="hypothesis",
    )

CHECKS: tuple[Check, ...] = (
    check_copies,
    check_questions,
    check_log,
    check_moves,
    check_determinism,
    check_chance,
    check_counts,
    check_outcome,
    check_views,
    check_views_follow_the_log,
    check_hiding,
    check_known_chance,
    check_replay,
    check_end,
)
"""All checks of single matches: first that copies are independent, on which the others rely."""


def all_checks() -> tuple[Check, ...]:
    """Return all checks, those that installed packages add last."""
    return (*CHECKS, *(load(target) for target in targets("arena.checks").values()))


MOST_SHRINKS = 30
"""Most matches that are tried to find a simpler one that breaks the promise."""


def check_game(
    game: Game,
    *,
    presets: Iterable[str] | None = None,
    scenarios: Path | None = None,
    examples: int = 8,
    checks: Iterable[Check] | None = None,
) -> None:
    """Test a game against every promise of the contract.

    presets: the names of those to play, all by default.
    scenarios: a folder of scenario files whose matches are continued.
    examples: number of matches for each preset, and of continued ones.
    checks: the promises to test; None: all, those that packages add by the group `arena.checks` too.

    The same arguments always play the same matches. Raises BrokenPromise for the simplest match that Hypothesis
    can find.
    """
    checks = all_checks() if checks is None else tuple(checks)
    check_declaration(game)
    for name in game.presets if presets is None else presets:
        check_preset(game, name, examples=examples, checks=checks)
    if scenarios is not None:
        check_scenarios(game, scenarios, examples=examples, checks=checks)


def check_preset(game: Game, preset: str, *, examples: int = 8, checks: Iterable[Check] = CHECKS) -> None:
    """Test a game against the contract under one of its presets. Raises BrokenPromise."""
    from hypothesis import strategies as st

    options = game.presets[preset]
    seats = game.tables(game.options.parse(options))
    # The recommended number first: Hypothesis prefers the first as the simplest.
    seats.sort(key=lambda number: (number != game.recommended, number))
    cases = st.builds(
        lambda seats, seed, play, steps: MatchCase(game, options, seats, seed, play, steps),
        st.sampled_from(seats),
        st.integers(0, 2**20),
        st.integers(0, 2**20),
        st.sampled_from([STEPS, STEPS // 4, STEPS // 20]),
    )
    _drive(cases, examples, tuple(checks))


def check_scenarios(game: Game, folder: Path, *, examples: int = 8, checks: Iterable[Check] = CHECKS) -> None:
    """Test a game against the contract in matches that continue its scenarios. Raises BrokenPromise."""
    from hypothesis import strategies as st

    files = sorted(folder.rglob("*.toml"))
    if files:
        cases = st.builds(
            lambda file, play: from_scenario(game, file, play=play, steps=STEPS // 4),
            st.sampled_from(files),
            st.integers(0, 2**20),
        )
        _drive(cases, examples, tuple(checks))


def _drive(cases: "SearchStrategy[MatchCase]", examples: int, checks: tuple[Check, ...]) -> None:
    """Let Hypothesis generate matches and, if one breaks a promise, look for a simpler one."""
    from hypothesis import HealthCheck, Phase, given, settings

    broken: dict[str, BrokenPromise] = {}
    remaining = list(checks)
    shrinks = 0

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases)
    def play(case: MatchCase) -> None:
        nonlocal shrinks
        if case.where() in broken:
            raise broken[case.where()]
        # Hypothesis would search for minutes and gain little: another seed is another match.
        shrinks += bool(broken)
        if shrinks > MOST_SHRINKS:
            return
        for check in remaining:
            try:
                check.run(case)
            except BrokenPromise as error:
                remaining[:] = [check]
                broken[case.where()] = error
                raise

    play()


__all__ = ["CHECKS", "BrokenPromise", "check_game", "check_preset", "check_scenarios"]
