"""Whether a bot beats another one: a tournament of a fixed size between the two, in a database that is thrown away."""

import os
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from arena.store import open_store
from arena.tournament.plan.definition import Entrant
from arena.tournament.plan.definition_builder import define
from arena.tournament.plan.schedule import Plan
from arena.tournament.plan.secret import new_secret
from arena.tournament.results.standings import standings
from arena.tournament.run.runner import Watcher, run
from arena.tournament.stored import new_tournament
from referee.engine.game import Game

ROUNDS = 100
"""Duplicate sets of the tournament: each deal in all rotations, so luck is shared evenly."""

SURE = 0.95
"""The likelihood of superiority that counts as beating."""


@dataclass(frozen=True, slots=True)
class Duel:
    """What came of it: the likelihood that the bot is better, from 0 to 1, and what happened in words."""

    los: float
    sentence: str

    @property
    def won(self) -> bool:
        """Whether the bot surely beats the other."""
        return self.los > SURE


def duel(
    bot: Entrant, rival: Entrant, game: Game, watcher: Watcher, rounds: int = ROUNDS, seed: int | None = None
) -> Duel:
    """Let two bots play a tournament of a game and return how sure it is that the first is better.

    seed: of the deals; None: nobody knows them beforehand.

    Raises RefereeError where no referee can play it.
    """
    field = (replace(bot, name="bot"), replace(rival, name="rival"))
    definition = define(game, game.options(), field, rounds=rounds)
    secret = new_secret(seed)
    matches = Plan.of(definition, secret).matches
    with (
        tempfile.TemporaryDirectory(prefix="arena-duel-") as folder,
        open_store(Path(folder) / "duel.db", create=True) as store,
    ):
        number = store.add_tournament(new_tournament(definition, secret, None, matches))
        stint = run(store, store.tournament(number), definition, len(os.sched_getaffinity(0)), watcher)
        if stint.stopped:
            raise KeyboardInterrupt
        table = standings(store, store.tournament(number)).table
    places = {row.bot: place for place, row in enumerate(table.rows)}
    los = float(table.los[places["bot"]][places["rival"]])
    told = "it is not known whether it is better" if los != los else f"it is better with a likelihood of {los:.1%}"
    return Duel(los, f"in {matches} matches of {game.name} against {rival.name} {told}")
