"""arena.testing: holds a game to the contract of `referee.engine.game`. For the authors of games.

    from arena.testing import check_game

    def test_my_game_keeps_the_contract():
        check_game(MY_GAME)

    suite            check_game: every promise, for every preset; needs Hypothesis (`pip install 'botarena[testing]'`)
    check            what a check is: one promise, looked at in one match
    case             one match under test, from a seed or a scenario; players: who plays it
    determinism      check_determinism, check_chance, check_replay
    moves            check_moves, check_questions
    log, views       check_log, check_views
    copies           check_copies                                             -> arena.snapshot
    conservation     check_counts
    ending           check_end, check_outcome
    noninterference  check_hiding, check_views_follow_the_log                 -> counterfactual, seat_knowledge, dealer
    declaration      check_declaration
    playthrough      a match of every preset as text, to be kept and reviewed; a command of its own
    violation        BrokenPromise: which promise, where, and how to see it again

Every check can be called by itself: `check_hiding(game, {"reveal": "anti"}, 6, seed=3)`.
"""

from arena.testing.case import MatchCase
from arena.testing.check import Check
from arena.testing.conservation import check_counts
from arena.testing.copies import check_copies
from arena.testing.declaration import check_declaration
from arena.testing.determinism import check_chance, check_determinism, check_replay
from arena.testing.ending import check_end, check_outcome
from arena.testing.log import check_log
from arena.testing.moves import check_moves, check_questions
from arena.testing.noninterference import check_hiding, check_views_follow_the_log
from arena.testing.suite import CHECKS, check_game, check_preset, check_scenarios
from arena.testing.views import check_views
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
