"""arena.testing: test a game against the contract of `referee.engine.game`. For the authors of games.

    from arena.testing import check_game

    def test_my_game_keeps_the_contract():
        check_game(MY_GAME)

    contract_suite   check_game: every check, for every preset; needs Hypothesis (the extra `testing` of botarena)
    contract_check   Check: one promise of the contract, tested in one match
    case             MatchCase: one match under test, from a seed or a scenario
    case_chance      its chance, which records requests and can change an answer
    policies         how its seats choose moves
    determinism      check_determinism, check_chance, check_replay
    move_checks      check_moves, check_questions
    log_checks       check_log
    view_checks      check_views
    copy_checks      check_copies                                             -> arena.values.snapshot
    conservation     check_counts
    ending           check_end, check_outcome
    noninterference  check_hiding, check_views_follow_the_log                 -> counterfactual, seat_knowledge
    known_chance     check_known_chance
    declaration      check_declaration
    playthrough      a match of every preset as text, for review; a command of its own
    violation        BrokenPromise: which promise, where, and how to reproduce it

Every check can be called by itself: `check_hiding(game, {"reveal": "anti"}, 6, seed=3)`.
"""

from arena.testing.case import MatchCase
from arena.testing.conservation import check_counts
from arena.testing.contract_check import Check
from arena.testing.contract_suite import CHECKS, check_game, check_preset, check_scenarios
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

__all__ = [
    "CHECKS",
    "BrokenPromise",
    "MatchCase",
    "Check",
    "check_chance",
    "check_copies",
    "check_counts",
    "check_declaration",
    "check_determinism",
    "check_end",
    "check_game",
    "check_hiding",
    "check_known_chance",
    "check_log",
    "check_moves",
    "check_outcome",
    "check_preset",
    "check_questions",
    "check_replay",
    "check_scenarios",
    "check_views",
    "check_views_follow_the_log",
]
