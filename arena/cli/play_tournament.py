"""Start or resume a tournament, play it, and report it."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, overload

import click

from arena.cli.event_log import EventLog, check_events
from arena.cli.output import echo, table_width
from arena.cli.ranking_preload import RankingPreload
from arena.cli.slow_parts import slow_parts
from arena.cli.tournament_options import (
    DealSource,
    OutputOptions,
    RefereeOptions,
    RemoteOptions,
    open_executor,
    open_gate,
)
from arena.results.tournament_header import tournament_header
from arena.run.hosting import Hosting
from arena.run.progress import Progress, Watchers
from arena.values.definition import Definition
from arena.values.texts import json_text, shell_line
from arena.values.tournament_errors import PlayedError

if TYPE_CHECKING:
    from arena.cli.live_ranking import LiveRanking
    from arena.results.standings import Standings
    from arena.results.stored_tournament import StoredTournament
    from arena.run.executor import Executor
    from arena.run.referee_process import EarlyReferees
    from arena.run.remote.gate import Gate
    from arena.run.runner import RunResult, Watcher
    from arena.values.rows import TournamentRow

NO_REMOTE = RemoteOptions()

PAUSED = 6
"""Exit code of a tournament that its organiser has paused."""


def start_tournament(
    definition: Definition,
    deals: DealSource,
    db: str,
    referees: RefereeOptions,
    hosting: Hosting,
    output: OutputOptions,
    remote: RemoteOptions = NO_REMOTE,
    early: "EarlyReferees | None" = None,
) -> None:
    """Start a tournament: store it and play it; one with entropy waits for that.

    early: its referees, if they were started already.
    """
    from arena.plan.formats import format_of
    from arena.plan.secret import new_secret

    seed = deals.seed
    if definition.entropy and deals != DealSource():
        raise click.UsageError(f"--entropy and --{'deals-of' if seed is None else 'seed'} exclude each other")
    referees.check(definition, hosting)
    check_events(output.events)
    output.check(definition.game, referees.executor)
    secret = new_secret(seed)
    matches = format_of(definition, secret).matches
    with ExitStack() as stack:
        if early is None:
            early = stack.enter_context(referees.start_early(0 if definition.entropy else matches, remote))
        # Slow to import: the referees do the same meanwhile.
        from arena.plan.entropy import check_entropy_known
        from arena.plan.new_event import new_event
        from arena.results.stored_tournament import StoredTournament
        from arena.store import open_store

        confinement = hosting.check_rated_mode(definition.field)
        store = stack.enter_context(open_store(db, create=deals.tournament is None, write=True))
        if deals.tournament is not None:
            earlier = store.tournament(deals.tournament)
            check_entropy_known(earlier)
            secret, seed = earlier.mixed_secret, None if earlier.seed is None else int(earlier.seed)
        if definition.entropy:
            number = store.add_tournament(new_event(definition, secret, None, matches, confinement))
            _print_awaited(store.tournament(number), store.where, output.as_json)
            return
        with open_gate(remote, definition, db) as gate:
            number = store.add_tournament(new_event(definition, secret, seed, matches, confinement))
            _play(StoredTournament.load(store, number), definition, referees, hosting, output, gate, early)


def resume_tournament(
    number: int,
    db: str,
    referees: RefereeOptions,
    hosting: Hosting,
    output: OutputOptions,
    remote: RemoteOptions = NO_REMOTE,
    by: str | None = None,
    entropy: str | None = None,
    rounds: int | None = None,
) -> None:
    """Resume a stored tournament: play the matches that are missing, and report it.

    by: who resumes it; None: who runs arena.
    entropy: the public value that it awaits, mixed into its secret.
    rounds: the number in all to which it is extended first; None: it is not extended.
    """
    from arena.packs.roster import Roster
    from arena.plan.entropy import check_entropy_known
    from arena.results.control import extend, mix_entropy, resume
    from arena.results.stored_tournament import StoredTournament
    from arena.run.runner import refuse_second_run
    from arena.store import open_store

    with open_store(db, write=True) as store:
        tournament = StoredTournament.load(store, number)
        refuse_second_run(number, store.runs.current(number))
        definition = tournament.resumable_definition(Roster(db, store.submissions.all()))
        output.check(definition.game, referees.executor)
        referees.check(definition, hosting)
        hosting.check_rated_mode(definition.field)
        if entropy is not None:
            tournament = mix_entropy(tournament, entropy, by)
        check_entropy_known(tournament.row)
        if rounds is not None:
            tournament = extend(tournament, rounds, by)
        left = tournament.row.matches - store.count(number)
        with referees.start_early(left, remote) as early, open_gate(remote, definition, db) as gate:
            resume(tournament, by)
            _play(tournament, definition, referees, hosting, output, gate, early)


def _print_awaited(tournament: "TournamentRow", where: str, as_json: bool) -> None:
    """Print what the organiser publishes before the entropy of a tournament is known."""
    if as_json:
        published = {
            "tournament": tournament.id,
            "awaits": tournament.awaited_entropy,
            "seed_hash": tournament.secret_hash,
            "definition_hash": tournament.definition_hash,
        }
        echo(json_text(published))
        return
    echo(f"tournament {tournament.id} awaits its entropy: {tournament.awaited_entropy}")
    echo(f"seed hash       {tournament.secret_hash}")
    echo(f"definition hash {tournament.definition_hash}")
    echo(
        "publish both before anybody can know the value; then play with: "
        f'arena tourney resume {tournament.id} --entropy "..." {shell_line("--db", where)}',
        err=True,
    )


def _play(
    tournament: "StoredTournament",
    definition: Definition,
    referees: RefereeOptions,
    hosting: Hosting,
    output: OutputOptions,
    gate: "Gate | None",
    early: "EarlyReferees",
) -> None:
    """Play the matches that are missing, then report the result."""
    from arena.run.runner import run

    store, row = tournament.store, tournament.row
    played = store.count(row.id)
    left = row.matches - played
    echo(
        f"tournament {row.id}: {left:,} {'match' if left == 1 else 'matches'} to play, "
        f"seed hash {row.secret_hash}, definition hash {row.definition_hash}",
        err=True,
    )
    for bot in definition.field:
        if bot.grants:
            echo(f"{bot.name} is granted {', '.join(bot.grants)}", err=True)
    for place, clock in definition.odds.items():
        echo(f"{definition.field[place].name} has the clock {clock}", err=True)
    for line in slow_parts():
        echo(line, err=True)
    resume = shell_line("arena", "tourney", "resume", tournament.id, "--db", store.where)
    with ExitStack() as stack:
        log = (
            stack.enter_context(EventLog(output.events, row, field_names(tournament)))
            if output.events is not None
            else None
        )
        if log is not None:
            log.begin(played)
        try:
            display = open_display(tournament, played, output.live)
            preload = RankingPreload()
            watchers: list[Watcher] = [display, preload] if log is None else [display, log, preload]
            writers, live = stack.enter_context(output.open_files(tournament, display.say))
            watchers += writers
            invite = gate.invite if gate is not None else None
            with open_executor(referees, store, early, invite) as (executor, room), display:
                jobs = _jobs(definition, referees.jobs, room)
                _print_needs(tournament, jobs, executor)
                limit = None if referees.busy_limit is None else referees.busy_limit / 1000
                everybody = Watchers(watchers)
                run_result = run(
                    tournament,
                    definition,
                    jobs,
                    everybody,
                    hosting,
                    invite,
                    executor,
                    limit,
                    lets_matches_end=True,
                    live=live,
                )
        except PlayedError:  # another process plays on
            raise
        except BaseException:
            echo(f"what is stored is not played again; resume with: {resume}", err=True)
            raise
        preload.wait()
        from arena.results.standings import standings  # slow to import: not before the referees have work

        tournament = tournament.reload()  # bots may have entered
        result = standings(tournament)
        end = tournament.row.log_end
        if log is not None:
            log.end(_state(run_result), _result_json(tournament.row, run_result, result))
    if output.as_json:
        echo(json_text(_result_json(tournament.row, run_result, result)))
    elif output.events != "-":
        _print_result(tournament, run_result, result)
    if tournament.row.finished and end.entries:
        echo(f"tournament {row.id}: its log has {end.entries:,} entries, log hash {end.digest}", err=True)
    if run_result.paused is not None:
        reason = f": {run_result.paused.reason}" if run_result.paused.reason else ""
        echo(f"paused by {run_result.paused.who}{reason}; resume with: {resume}", err=True)
        raise SystemExit(PAUSED)
    if run_result.verdict is not None:
        raise SystemExit(run_result.verdict.code)
    if run_result.stopped:
        echo(f"stopped early; resume with: {resume}", err=True)
        raise SystemExit(128 + run_result.stopped)


def _print_needs(tournament: "StoredTournament", jobs: int, executor: "Executor") -> None:
    """Print how many processes and how much memory the first phases need, where they run on this machine."""
    from arena.run.capacity import allocate, describe

    capacity = executor.capacity()
    plan = tournament.format.plan(0, tournament.results)
    if capacity is not None and plan is not None:
        echo(describe(plan.processes, jobs, allocate(plan.processes, plan.seats, jobs, capacity), capacity), err=True)


def _jobs(definition: Definition, jobs: int | None, cores: int) -> int:
    """Return how many referees play. Raises UsageError where clocks could not be fair with so many."""
    if definition.time.mode == "clock" and (jobs or 0) > cores:
        raise click.UsageError(f"--mode clock plays one match per core: use --jobs {cores} or fewer, not {jobs}")
    return jobs or cores


def open_display(tournament: "StoredTournament", played: int, live: bool) -> "Progress | LiveRanking":
    """Return what shows the progress of a tournament on stderr.

    played: the number of matches that are stored.
    """
    if not live:
        return Progress(tournament.row.matches, played)
    from arena.cli.live_ranking import Counting, LiveRanking
    from arena.store import StoreUnavailable

    store, number = tournament.store, tournament.id
    known_entries = store.decision_count(number)

    def read_counting() -> Counting:
        now = tournament.reload()
        tally = now.summary.tally if now.opening_of is None else now.source.tally()
        return Counting(tally, store.count(number), now.omitted)

    def read_decided() -> Counting | None:
        """Return what counts now, where the log of the tournament has grown, or its deals may be one experiment."""
        nonlocal known_entries
        try:
            entries = store.decision_count(number)
            if entries == known_entries and tournament.opening_of is None:
                return None
            counting = read_counting()
        except StoreUnavailable:  # the next drawing asks again
            return None
        known_entries = entries
        return counting

    return LiveRanking(tournament.row, read_counting(), names=field_names(tournament), decided=read_decided)


class FieldNames(Sequence[str]):
    """The names of a field that may grow while it plays.

    read: returns all names; called for a place that is not known yet.
    """

    def __init__(self, read: Callable[[], Sequence[str]]) -> None:
        self._read = read
        self._names = read()

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, int) and place >= len(self._names):
            self._names = self._read()
        return self._names[place]

    def __len__(self) -> int:
        return len(self._names)


def field_names(tournament: "StoredTournament") -> FieldNames:
    """Return the names of a tournament's field, which may grow."""
    return FieldNames(lambda: tournament.reload().names)


def _state(run_result: "RunResult") -> str:
    if run_result.paused:
        return "paused"
    return "ended early" if run_result.verdict else "stopped" if run_result.stopped else "finished"


def _print_result(tournament: "StoredTournament", run_result: "RunResult", result: "Standings") -> None:
    from arena.ratings.ranking_output import ranking_text

    seconds = run_result.seconds if run_result.matches == result.matches else None
    for line in tournament_header(tournament, result, seconds):
        echo(line)
    echo()
    echo(ranking_text(result.table, result.conduct, width=table_width()))


def _result_json(tournament: "TournamentRow", run_result: "RunResult", result: "Standings") -> dict[str, Any]:
    """Return what --json prints."""
    from arena.ratings.ranking_output import ranking_json

    plan = tournament.definition
    return {
        "tournament": tournament.id,
        "game": tournament.game,
        "options": tournament.options,
        "rounds": tournament.rounds,
        "matches": result.matches,
        "decisions": result.decisions,
        "seconds": round(run_result.seconds, 3),
        "seed_hash": tournament.secret_hash,
        "log_entries": tournament.log_end.entries,
        "log_hash": tournament.log_end.digest,
        **({"verdict": result.verdict.sentence} if result.verdict else {}),
        **({"undecided": result.undecided} if result.undecided else {}),
        **({"estimate": result.estimate.to_json(*tournament.names[:2])} if result.estimate else {}),
        **({"placing": result.placing} if result.placing else {}),
        **({"out_in": result.exits} if result.exits else {}),
        **({"repeats": result.table.repeats.to_json()} if result.table.repeats else {}),
        **(
            {"odds": {plan.field[place].name: clock.to_json() for place, clock in plan.odds.items()}}
            if plan.odds
            else {}
        ),
        "ranking": ranking_json(result.table, result.conduct),
    }
