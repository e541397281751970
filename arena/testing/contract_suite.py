"""The whole suite: every promise, for every preset, driven by Hypothesis."""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from arena.testing.case import STEPS, MatchCase, from_scenario
from arena.testing.conservation import check_counts
from arena.testing.contract_check import Check
from arena.testing.copy_checks import check_copies
from arena.testing.declaration import check_declaration
from arena.testing.determinism import check_chance, check_determinism, check_replay
from arena.testing.ending import check_end, check_outcome
from arena.testing.log_checks import check_log
from arena.testing.move_checks import check_moves, check_questions
from arena.testing.noninterference import check_hiding, check_views_follow_the_log
from arena.testing.view_checks import check_views
from arena.testing.violation import BrokenPromise
from referee.engine.game import Game

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

if find_spec("hypothesis") is None:
    raise ModuleNotFoundError(
        "arena.testing lets Hypothesis choose the matches, and it is not installed: pip install 'botarena[testing]'",
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
    check_replay,
    check_end,
)
"""Every promise that is checked match by match: first that copies are independent, on which the others rely."""


SIMPLER = 30
"""How many matches are tried in search of a simpler one that breaks a promise too."""


def check_game(
    game: Game,
    *,
    presets: Iterable[str] | None = None,
    scenarios: Path | None = None,
    examples: int = 8,
    checks: Iterable[Check] = CHECKS,
) -> None:
    """Hold a game to every promise of the contract.

    presets: the names of those to play, all by default. scenarios: a folder of scenario files; as many of
    their matches are gone on with. examples: how many matches are played for each preset. checks: the promises.

    The same arguments always play the same matches. Raises BrokenPromise for the simplest match that Hypothesis
    can find.
    """
    check_declaration(game)
    for name in game.presets if presets is None else presets:
        check_preset(game, name, examples=examples, checks=checks)
    if scenarios is not None:
        check_scenarios(game, scenarios, examples=examples, checks=checks)


def check_preset(game: Game, preset: str, *, examples: int = 8, checks: Iterable[Check] = CHECKS) -> None:
    """Hold a game to the contract under one of its presets. Raises BrokenPromise."""
    from hypothesis import strategies as st

    given = game.presets[preset]
    seats = game.tables(game.options.parse(given))
    # The recommended number first: Hypothesis takes the first for the simplest, and likes it.
    seats.sort(key=lambda number: (number != game.recommended, number))
    cases = st.builds(
        lambda seats, seed, play, steps: MatchCase(game, given, seats, seed, play, steps),
        st.sampled_from(seats),
        st.integers(0, 2**20),
        st.integers(0, 2**20),
        st.sampled_from([STEPS, STEPS // 4, STEPS // 20]),
    )
    _drive(cases, examples, tuple(checks))


def check_scenarios(game: Game, folder: Path, *, examples: int = 8, checks: Iterable[Check] = CHECKS) -> None:
    """Hold a game to the contract in matches that begin as its scenario files tell. Raises BrokenPromise."""
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
    """Let Hypothesis choose the matches and, where one breaks a promise, look for a simpler one."""
    from hypothesis import HealthCheck, Phase, given, settings

    broken: dict[str, BrokenPromise] = {}
    wanted = list(checks)
    simpler = 0

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
        nonlocal simpler
        if case.where() in broken:
            raise broken[case.where()]
        # Hypothesis would look for minutes, and find little: another seed is another match.
        simpler += bool(broken)
        if simpler > SIMPLER:
            return
        for check in wanted:
            try:
                check.run(case)
            except BrokenPromise as error:
                wanted[:] = [check]
                broken[case.where()] = error
                raise

    play()


__all__ = ["CHECKS", "BrokenPromise", "check_game", "check_preset", "check_scenarios"]
