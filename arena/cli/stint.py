"""A stint at a tournament: it is begun or gone on with, played, and told."""

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from arena.cli.crew import Crew, manned
from arena.cli.deals import Deals
from arena.cli.echo import echo
from arena.cli.eventlog import EventLog
from arena.cli.fieldnames import FieldNames
from arena.cli.gate import NOWHERE, Listening, opened
from arena.cli.heading import heading
from arena.cli.progress import Progress
from arena.cli.telling import Telling, Watchers
from arena.texts import json_text
from arena.tournament.plan.definition import Definition
from arena.tournament.run.hosting import Hosting

if TYPE_CHECKING:
    from arena.cli.live import LiveRanking
    from arena.remote.gate import Gate
    from arena.store import Store
    from arena.store.rows import Tournament
    from arena.tournament.results.standings import Standings
    from arena.tournament.run.runner import Stint, Watcher

PAUSED = 6
"""Exit code of a tournament that its organiser has paused."""


def begin(
    definition: Definition,
    deals: Deals,
    db: str,
    crew: Crew,
    hosting: Hosting,
    telling: Telling,
    listening: Listening = NOWHERE,
) -> None:
    """Store a tournament and play it."""
    from arena.store import open_store
    from arena.tournament.plan.entropy import check_known
    from arena.tournament.plan.formats import course_of
    from arena.tournament.plan.secret import new_secret
    from arena.tournament.stored import new_tournament

    seed = deals.seed
    if definition.entropy and deals != Deals():
        raise click.UsageError(f"--entropy and --{'deals-of' if seed is None else 'seed'} exclude each other")
    crew.check(definition)
    confined = hosting.rated(definition.field)
    with open_store(db, create=deals.of is None, write=True) as store:
        secret = new_secret(seed)
        if deals.of is not None:
            earlier = store.tournament(deals.of)
            check_known(earlier)
            secret, seed = earlier.mixed_secret, None if earlier.seed is None else int(earlier.seed)
        matches = course_of(definition, secret).matches
        if definition.entropy:
            number = store.add_tournament(new_tournament(definition, secret, None, matches, confined))
            _await(store.tournament(number), store.where, telling.as_json)
            return
        with opened(listening, definition, db) as gate:
            number = store.add_tournament(new_tournament(definition, secret, seed, matches, confined))
            _play(store, store.tournament(number), definition, crew, hosting, telling, gate)


def go_on(
    number: int,
    db: str,
    crew: Crew,
    hosting: Hosting,
    telling: Telling,
    listening: Listening = NOWHERE,
    by: str | None = None,
    entropy: str | None = None,
) -> None:
    """Play what is missing of a stored tournament, and print its table.

    by: who says so; None: who runs arena. entropy: what is mixed into its secret before.
    """
    from arena.store import open_store
    from arena.submissions.roster import Roster
    from arena.tournament.control import resume, who
    from arena.tournament.plan.entropy import check_known, mix
    from arena.tournament.stored import definition_of

    with open_store(db, write=True) as store:
        tournament = store.tournament(number)
        definition = definition_of(tournament, Roster(db, store.submissions.all()), store.decisions(number))
        crew.check(definition)
        hosting.rated(definition.field)
        if entropy is not None:
            tournament = mix(store, tournament, entropy, who(by))
        check_known(tournament)
        with opened(listening, definition, db) as gate:
            resume(store, tournament, by)
            _play(store, tournament, definition, crew, hosting, telling, gate)


def _await(tournament: "Tournament", where: str, as_json: bool) -> None:
    """Print what is to be published of a tournament before its entropy is known."""
    if as_json:
        told = {
            "tournament": tournament.id,
            "awaits": tournament.awaited_entropy,
            "seed_hash": tournament.secret_hash,
            "definition_hash": tournament.definition_hash,
        }
        echo(json_text(told))
        return
    echo(f"tournament {tournament.id} awaits its entropy: {tournament.awaited_entropy}")
    echo(f"seed hash       {tournament.secret_hash}")
    echo(f"definition hash {tournament.definition_hash}")
    echo(
        "publish both before anybody can know the value; then play with: "
        f'arena tourney resume {tournament.id} --entropy "..." --db {where}',
        err=True,
    )


def _play(
    store: "Store",
    tournament: "Tournament",
    definition: Definition,
    crew: Crew,
    hosting: Hosting,
    telling: Telling,
    gate: "Gate | None",
) -> None:
    """Play what is missing, then tell the result."""
    from arena.tournament.results.standings import standings
    from arena.tournament.run.runner import run

    played = store.count(tournament.id or 0)
    left = tournament.matches - played
    echo(
        f"tournament {tournament.id}: {left:,} {'match' if left == 1 else 'matches'} to play, "
        f"seed hash {tournament.secret_hash}, definition hash {tournament.definition_hash}",
        err=True,
    )
    resume = f"arena tourney --resume {tournament.id} --db {store.where}"
    with ExitStack() as stack:
        log = (
            stack.enter_context(EventLog(telling.events, tournament, _names(store, tournament)))
            if telling.events is not None
            else None
        )
        if log is not None:
            log.begin(played)
        try:
            shown = _shown(store, tournament, played, telling.live)
            watchers: list[Watcher] = [shown] if log is None else [shown, log]
            invite = gate.invite if gate is not None else None
            with manned(crew, store) as (executor, room), shown:
                jobs = _jobs(definition, crew.jobs, room)
                stint = run(store, tournament, definition, jobs, Watchers(watchers), hosting, invite, executor)
        except BaseException:
            echo(f"what was played is kept; go on with: {resume}", err=True)
            raise
        tournament = store.tournament(tournament.id or 0)  # bots may have entered
        result = standings(store, tournament)
        if log is not None:
            log.end(_state(stint), _object(tournament, stint, result))
    if telling.as_json:
        echo(json_text(_object(tournament, stint, result)))
    elif telling.events != "-":
        _print(tournament, stint, result)
    if stint.paused is not None:
        reason = f": {stint.paused.reason}" if stint.paused.reason else ""
        echo(f"paused by {stint.paused.who}{reason}; go on with: {resume}", err=True)
        raise SystemExit(PAUSED)
    if stint.verdict is not None:
        raise SystemExit(stint.verdict.code)
    if stint.stopped:
        echo(f"stopped early; go on with: {resume}", err=True)
        raise SystemExit(128 + stint.stopped)


def _jobs(definition: Definition, wanted: int | None, cores: int) -> int:
    """Return how many referees are to play. Raises UsageError where clocks could not be fair with so many."""
    if definition.time.mode == "clock" and (wanted or 0) > cores:
        raise click.UsageError(f"--mode clock plays one match on each core, and there are {cores}, not {wanted}")
    return wanted or cores


def _shown(store: "Store", tournament: "Tournament", played: int, live: bool) -> "Progress | LiveRanking":
    """Return what people see of it meanwhile."""
    if not live:
        return Progress(tournament.matches, played)
    from arena.cli.live import Counting, LiveRanking
    from arena.store import StoreUnavailable
    from arena.tournament.results.standings import omitted
    from arena.tournament.results.summaries import summary

    number = tournament.id or 0
    known = store.decision_count(number)

    def counting() -> Counting:
        now = store.tournament(number)
        return Counting(summary(store, now).tally, store.count(number), omitted(store, now))

    def decided() -> Counting | None:
        nonlocal known
        try:
            entries = store.decision_count(number)
            if entries == known:
                return None
            found = counting()
        except StoreUnavailable:  # the next drawing will tell
            return None
        known = entries
        return found

    return LiveRanking(tournament, counting(), names=_names(store, tournament), decided=decided)


def _names(store: "Store", tournament: "Tournament") -> "FieldNames":
    """Return the names of the field, to which bots may come."""
    from arena.cli.fieldnames import FieldNames

    return FieldNames(lambda: [entrant.name for entrant in store.tournament(tournament.id or 0).entrants])


def _state(stint: "Stint") -> str:
    if stint.paused:
        return "paused"
    return "ended early" if stint.verdict else "stopped" if stint.stopped else "finished"


def _print(tournament: "Tournament", stint: "Stint", result: "Standings") -> None:
    from arena.ratings.ranking_output import ranking_text

    seconds = stint.seconds if stint.matches == result.matches else None
    verdict, placing, strain = result.verdict, result.placing, result.strain
    told = heading(tournament, result.matches, result.decisions, seconds, verdict, placing, strain, result.undecided)
    for line in told:
        echo(line)
    echo()
    echo(ranking_text(result.table, result.conduct))


def _object(tournament: "Tournament", stint: "Stint", result: "Standings") -> dict[str, Any]:
    """Return what --json prints."""
    from arena.ratings.ranking_output import ranking_json

    return {
        "tournament": tournament.id,
        "game": tournament.game,
        "options": tournament.options,
        "rounds": tournament.definition["rounds"],
        "matches": result.matches,
        "decisions": result.decisions,
        "seconds": round(stint.seconds, 3),
        "seed_hash": tournament.secret_hash,
        **({"verdict": result.verdict.sentence} if result.verdict else {}),
        **({"undecided": result.undecided} if result.undecided else {}),
        **({"placing": result.placing} if result.placing else {}),
        "ranking": ranking_json(result.table, result.conduct),
    }
