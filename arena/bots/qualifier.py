"""A qualifier: a tournament of fixed size between two bots, in a temporary database."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from arena.bots.trial_matches import SLOW
from arena.plan.definition_builder import define
from arena.plan.new_event import new_event
from arena.plan.schedule import Plan
from arena.plan.secret import new_secret
from arena.results.standings import standings
from arena.results.stored_tournament import StoredTournament
from arena.run.runner import Watcher, run
from arena.store import open_store
from arena.values.definition import Entrant, Settings, TimeControl
from referee.engine.game import Game
from referee.sandbox.cpu_supply import usable_cores

REQUIRED_LOS = 0.95
"""The likelihood of superiority above which the bot passes."""


@dataclass(frozen=True, slots=True)
class QualifierResult:
    """The result of a qualifier."""

    los: float
    """The likelihood that the bot is better, from 0 to 1."""
    sentence: str
    """The result in words."""
    is_slow: bool = False
    """Whether the bot exceeded a time limit in some match."""

    @property
    def won(self) -> bool:
        """Whether the bot is better with the required likelihood."""
        return self.los > REQUIRED_LOS


def play_qualifier(
    bot: Entrant,
    opponent: Entrant,
    game: Game,
    watcher: Watcher,
    rounds: int,
    seed: int | None = None,
    time: TimeControl | None = None,
) -> QualifierResult:
    """Play a qualifier of `bot` against `opponent` and return the result.

    seed: the seed of the deals; None for a random one.
    time: clock and limits; None: the usual ones.

    Raises RefereeError if no referee can play it.
    """
    field = (replace(bot, name="bot"), replace(opponent, name="rival"))
    definition = define(game, game.options(), field, Settings(rounds=rounds), time=time or TimeControl())
    secret = new_secret(seed)
    matches = Plan.of(definition, secret).matches
    with (
        tempfile.TemporaryDirectory(prefix="arena-duel-") as folder,
        open_store(Path(folder) / "duel.db", create=True) as store,
    ):
        number = store.add_tournament(new_event(definition, secret, None, matches))
        tournament = StoredTournament.load(store, number)
        played = run(tournament, definition, usable_cores(), watcher)
        if played.stopped:
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
