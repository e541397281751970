"""Definitions as the store keeps them, and back."""

import platform
from collections.abc import Iterable
from dataclasses import replace

from arena import __version__
from arena.store.definition import StoredDefinition
from arena.store.rows import DecisionRow, EntrantRow, NewEvent, TournamentRow
from arena.submissions.roster import Roster
from arena.tournament.errors import PlanError
from arena.tournament.plan.decisions import Decisions
from arena.tournament.plan.definition import Definition
from arena.tournament.plan.field import check_unchanged, unpack_again
from referee.engine import chance
from referee.engine.registry import game


def new_tournament(
    definition: Definition, secret: bytes, seed: int | None, matches: int, sandbox: str = ""
) -> NewEvent:
    """Return what is stored before the first match.

    seed: the number after --seed, where it was given. sandbox: how bots are confined at the start, where that is known.
    """
    confined = {"sandbox": sandbox} if sandbox else {}
    return NewEvent(
        game=definition.game,
        options=dict(definition.options),
        behaviour=definition.behaviour,
        definition=StoredDefinition(definition.to_json()),
        secret=secret,
        seed=None if seed is None else str(seed),
        versions={"arena": __version__, "chance": str(chance.VERSION), "python": platform.python_version(), **confined},
        entrants=tuple(EntrantRow(bot.name, bot.command, bot.folder, bot.sha256) for bot in definition.field),
        matches=matches,
    )


def definition_of(
    tournament: TournamentRow, roster: Roster | None = None, log: Iterable[DecisionRow] = ()
) -> Definition:
    """Return the definition of a stored tournament that is to go on, with the field that began it.

    roster: the submitted bots of its database. log: the tournament's; who entered later is looked at too.

    Raises PlanError where rules or schedule have changed since it began, FieldError where a bot has.
    """
    definition = Definition.from_json(tournament.definition.values)
    now = game(definition.game).behaviour
    if now != definition.behaviour:
        raise PlanError(
            f"tournament {tournament.id} was begun with behaviour {definition.behaviour} of {definition.game}, and "
            f"this is behaviour {now}: results of both cannot be mixed; go on with the version of arena that began it"
        )
    whole = Decisions.of(definition, log).field
    check_unchanged(whole)
    unpack_again(whole[len(definition.field) :], roster or Roster())
    return replace(definition, field=unpack_again(definition.field, roster or Roster()))
