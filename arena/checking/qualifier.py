"""A qualifier: a tournament of fixed size between two bots, in a temporary database."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from arena.checking.report import SLOW
from arena.store import open_store
from arena.tournament.plan.definition import Entrant, TimeControl
from arena.tournament.plan.definition_builder import define
from arena.tournament.plan.new_event import new_event
from arena.tournament.plan.schedule import Plan
from arena.tournament.plan.secret import new_secret
from arena.tournament.results.standings import standings
from arena.tournament.results.stored_tournament import StoredTournament
from arena.tournament.run.runner import Watcher, run
from referee.engine.game import Game
from referee.sandbox.cpu_supply import usable_cores

ROUNDS = 100
"""Rounds of the tournament. Each deal is played in all rotations, so luck is shared evenly."""

REQUIRED_LOS = 0.95
"""The likelihood of superiority above which the bot passes."""


@dataclass(frozen=True, slots=True)
class QualifierResult:
    """The result. los: likelihood that the bot is better, from 0 to 1. sentence: the result in words.

    is_slow: the bot exceeded a time limit in some match.
    """

    los: float
    sentence: str
    is_slow: bool = False

    @property
    def won(self) -> bool:
        """Whether the bot is better with the required likelihood."""
        return self.los > REQUIRED_LOS


def play_qualifier(
    bot: Entrant,
    opponent: Entrant,
    game: Game,
    watcher: Watcher,
    rounds: int = ROUNDS,
    seed: int | None = None,
    time: TimeControl | None = None,
) -> QualifierResult:
    """Play a qualifier of `bot` against `opponent` and return the result.

    seed: of the deals; None for a random one. time: clock and limits; None: the usual ones.

    Raises RefereeError if no referee can play it.
    """
    field = (replace(bot, name="bot"), replace(opponent, name="rival"))
    definition = define(game, game.options(), field, rounds=rounds, time=time)
    secret = new_secret(seed)
    matches = Plan.of(definition, secret).matches
    with (
        tempfile.TemporaryDirectory(prefix="arena-duel-") as folder,
        open_store(Path(folder) / "duel.db", create=True) as store,
    ):
        number = store.add_tournament(new_event(definition, secret, None, matches))
        tournament = StoredTournament.load(store, number)
        stint = run(tournament, definition, usable_cores(), watcher)
        if stint.stopped:
            raise KeyboardInterrupt
        result = standings(tournament.reload())
        table = result.table
        is_slow = not SLOW.isdisjoint(result.conduct["bot"].faults)
    places = {row.bot: place for place, row in enumerate(table.rows)}
    los = float(table.los[places["bot"]][places["rival"]])
    conclusion = "it is unknown whether it is better" if los != los else f"it is better with a likelihood of {los:.1%}"
    if table.repeats is not None and table.repeats.repeated:
        conclusion += f", as {table.repeats.brief}"
    return QualifierResult(los, f"in {matches} matches of {game.name} against {opponent.name} {conclusion}", is_slow)
