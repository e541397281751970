"""The options that commands share that play tournaments."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import TOURNAMENT_NUMBER, Duration, add_options
from arena.cli.output import print_progress
from arena.durations import format_duration
from arena.tournament.plan.definition import DEFAULT_MAX_LAG_MS, DEFAULT_READY_MS, MODES, Mode, TimeControl
from arena.tournament.plan.stop_rule import ERROR_CONTROLS, ErrorControl, StopRule, parse_sprt

if TYPE_CHECKING:
    from arena.remote.gate import Gate
    from arena.store import Store
    from arena.tournament.plan.definition import Definition
    from arena.tournament.run.executor import Executor, Invite
    from arena.tournament.run.hosting import Hosting
    from arena.tournament.run.referee_process import EarlyReferees

LOCAL = "local"
"""The executor that is this machine."""

START_HELP = "Time from the start of a process to its hello."
READY_HELP = "Time before a match in which a bot gets ready, where it asks for that; 0: no limit."

_ADDRESS = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\s:\[\]]+):([0-9]{1,5})")

dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Print the plan: matches, meetings and expected precision; play nothing."
)

move_time_option = click.option(
    "--move-time", type=Duration(), default="1s", show_default=True, help="Time limit of an answer; 0: none."
)


fischer_option = click.option(
    "--fischer",
    is_flag=True,
    help="Add what an answer leaves of the move time to the bank: a clock of --bank with increments of --move-time.",
)


@dataclass(frozen=True, slots=True)
class StartTimes:
    """How long bots may take to start, in milliseconds. usual: all of them. bots: single ones, with their names."""

    usual: int
    bots: tuple[tuple[str, int], ...]


def _parse_starts(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> StartTimes:
    duration, usual, bots = Duration(), None, []
    for text in texts:
        name, equals, time = text.rpartition("=")
        milliseconds = duration.convert(time, param, ctx)
        if equals:
            bots.append((name, milliseconds))
        elif usual is None:
            usual = milliseconds
        else:
            raise click.BadParameter(f"all bots have two start times, {texts[0]} and {text}: give one")
    return StartTimes(TimeControl().start_time_ms if usual is None else usual, tuple(bots))


def start_option(help: str = START_HELP) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option `--start` of a single time."""
    usual = format_duration(TimeControl().start_time_ms)
    return click.option("--start", type=Duration(), default=usual, show_default=True, help=help)


starts_option = click.option(
    "--start",
    "starts",
    multiple=True,
    metavar="[BOT=]TIME",
    callback=_parse_starts,
    help="Time from the start of a process to its hello, of all bots or of one; repeatable  [default: 10s]",
)
"""Passes `starts`: a `StartTimes`."""


def ready_option(help: str = READY_HELP) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option `--ready`."""
    usual = format_duration(DEFAULT_READY_MS)
    return click.option("--ready", type=Duration(), default=usual, show_default=True, help=help)


def limit_options(
    start_help: str = START_HELP, ready_help: str = READY_HELP
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return what adds --start and --ready, handed on together as `limits`: a `TimeControl`.

    The command ends with a PlanError for a start time of 0.
    """

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def command(*args: Any, start: int, ready: int, **others: Any) -> Any:
            from arena.tournament.plan.start_times import check_start_time

            limits = TimeControl(start_time_ms=check_start_time(start), ready_time_ms=ready)
            return function(*args, limits=limits, **others)

        return add_options(command, start_option(start_help), ready_option(ready_help))

    return add


def bank_option(help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option `--bank`."""
    return click.option("--bank", type=Duration(), default="10s", show_default=True, help=help)


@dataclass(frozen=True, slots=True)
class DealSource:
    """Where the deals of a new tournament come from: a number, an earlier tournament, or else a random secret."""

    seed: int | None = None
    tournament: int | None = None


def deal_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --seed and --deals-of, handed on together as `deals`."""

    @wraps(function)
    def command(*args: Any, seed: int | None, deals_of: int | None, **others: Any) -> Any:
        if seed is not None and deals_of is not None:
            raise click.UsageError("--seed and --deals-of exclude each other")
        return function(*args, deals=DealSource(seed, deals_of), **others)

    return add_options(
        command,
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            metavar="N",
            help="Derive the deals from a number; for development only.",
        ),
        click.option(
            "--deals-of",
            type=TOURNAMENT_NUMBER,
            metavar="ID",
            help="Reuse the deals of an earlier tournament.",
        ),
    )


def clock_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a tournament's clock, handed on together as `time`."""

    @wraps(function)
    def command(
        *args: Any,
        move_time: int,
        bank: int,
        fischer: bool,
        ready: int,
        mode: Mode,
        ponder: bool,
        lag: int | None,
        slot: int,
        **others: Any,
    ) -> Any:
        time = TimeControl(
            move_time_ms=move_time,
            bank_ms=bank,
            mode=mode,
            ponder=ponder,
            most_lag_ms=lag if lag is not None else DEFAULT_MAX_LAG_MS if mode == "clock" else 0,
            slot_ms=slot,
            fischer=fischer,
            ready_time_ms=ready,
        )
        return function(*args, time=time, **others)

    return add_options(
        command,
        move_time_option,
        bank_option("Extra time of a seat, for a whole match."),
        fischer_option,
        ready_option(),
        click.option(
            "--mode",
            type=click.Choice(MODES),
            default="fast",
            show_default=True,
            help="fast: many matches at once; clock: one match per core, for fair clocks.",
        ),
        click.option("--ponder", is_flag=True, help="Mode clock: let bots think in their opponents' time."),
        click.option(
            "--lag",
            type=Duration(),
            help=f"Mode clock: void and replay a match with a longer referee delay  [default: {DEFAULT_MAX_LAG_MS}ms]",
        ),
        click.option(
            "--slot",
            type=Duration(),
            default="0",
            help="Mode clock: least time from turn to turn, so that delays reveal no secret card (cambio, cucco).",
        ),
    )


def stop_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --sprt, --until-separated and --error-control, handed on together as `stop`: a StopRule, or None.

    The command ends with a PlanError or RatingError for a test that makes no sense.
    """

    @wraps(function)
    def command(
        *args: Any, sprt: str | None, until_separated: bool, error_control: ErrorControl | None, **others: Any
    ) -> Any:
        if sprt is not None and until_separated:
            raise click.UsageError("--sprt and --until-separated exclude each other")
        if error_control is not None and not until_separated:
            raise click.UsageError("--error-control needs --until-separated")
        separated = StopRule("separated", control=error_control or "familywise") if until_separated else None
        stop = parse_sprt(sprt) if sprt is not None else separated
        return function(*args, stop=stop, **others)

    return add_options(
        command,
        click.option(
            "--sprt",
            metavar="elo0=E,elo1=E",
            help="Stop once a sequential test shows the first bot elo1, or only elo0, stronger.",
        ),
        click.option(
            "--until-separated",
            is_flag=True,
            help="Stop once all neighbours in the ranking are separated at 95 %.",
        ),
        click.option(
            "--error-control",
            type=click.Choice(ERROR_CONTROLS),
            help="What the 5 % of --until-separated bound: any false separation, of all pairs at all tests, or one of "
            "a single pair at a single test  [default: familywise]",
        ),
    )


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """What a tournament prints while it is played and at its end.

    as_json: one JSON object instead of the table. live: the ranking is drawn while matches are played. events: a file
    to which a line of JSON is added for each event; "-": stdout, and nothing else is printed there; None: no events.
    """

    as_json: bool = False
    live: bool = False
    events: str | None = None


def output_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --json, --live and --events, handed on together as `output`."""

    @wraps(function)
    def command(*args: Any, as_json: bool, live: bool, events: str | None, **others: Any) -> Any:
        if as_json and events == "-":
            raise click.UsageError("--json and --events - exclude each other: the last event holds the ranking")
        if live and not sys.stderr.isatty():
            raise click.UsageError("--live needs a terminal on stderr: for programs use --events FILE")
        return function(*args, output=OutputOptions(as_json, live, events), **others)

    return add_options(
        command,
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table."),
        click.option("--live", is_flag=True, help="Draw the ranking while matches are played."),
        click.option("--events", metavar="FILE", help="Append each event to FILE as a line of JSON; -: stdout."),
    )


@dataclass(frozen=True, slots=True)
class RefereeOptions:
    """How many referee processes play (None: one for each core), on which executor, and how long they wait.

    busy_limit: in mode clock, after how many milliseconds on a machine that is too busy to give up; None: never.
    """

    jobs: int | None
    executor: str = LOCAL
    busy_limit: int | None = None

    def check(self, definition: "Definition", hosting: "Hosting") -> None:
        """Raise UsageError where the executor cannot play a tournament. hosting: how its bots are run."""
        if self.executor == LOCAL:
            return
        if definition.time.mode == "clock":
            raise click.UsageError(
                "--mode clock needs a core per match, which a cluster cannot guarantee: use --executor local"
            )
        if remote := ", ".join(bot.remote for bot in definition.field if bot.remote):
            raise click.UsageError(f"remote bots ({remote}) cannot reach the nodes of a cluster: use --executor local")
        if hosting.secrets:
            raise click.UsageError("--secret leaves this machine with no bot: use --executor local")
        if granted := ", ".join(bot.name for bot in definition.field if bot.grants):
            raise click.UsageError(
                f"bots with grants ({granted}) could use the ports of a cluster, which asks for no password: "
                "use --executor local"
            )

    def host_leagues(self, hosting: "Hosting") -> "Hosting":
        """Return how the bots of leagues are run: on a cluster none has what it is granted."""
        return replace(hosting, grants=self.executor == LOCAL)

    def start_early(self, matches: int, remote: "RemoteOptions") -> "EarlyReferees":
        """Start the referees of this machine that will play a tournament.

        matches: that it has left, at the least. remote: where its remote bots connect, if it has any.
        """
        from arena.tournament.run.referee_process import EarlyReferees, cores
        from referee.sandbox.cpu_supply import usable_cores

        if self.executor != LOCAL:
            return EarlyReferees(())
        return EarlyReferees(cores(1 if remote.listen is not None else self.jobs or usable_cores()), matches)


def referee_options(default: str = "one per core") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add --jobs, --executor and --busy-limit, handed on together as `referees`. default: of --jobs, for the help."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def command(*args: Any, jobs: int | None, executor: str, busy_limit: int | None, **others: Any) -> Any:
            return function(*args, referees=RefereeOptions(jobs, executor, busy_limit), **others)

        return add_options(
            command,
            click.option("--jobs", type=click.IntRange(min=1), help=f"Referee processes  [default: {default}]"),
            click.option(
                "--executor",
                metavar="local|ray[:ADDRESS]",
                default=LOCAL,
                show_default=True,
                callback=_check_executor,
                help="Where referees run: here, or on a Ray cluster (HOST:PORT).",
            ),
            click.option(
                "--busy-limit",
                type=Duration(),
                help="Mode clock: stop once the machine is too busy for fair clocks for so long; 0: at once  "
                "[default: wait]",
            ),
        )

    return decorate


def _check_executor(_ctx: click.Context, _param: click.Parameter, text: str) -> str:
    if text == LOCAL or text.partition(":")[0] == "ray":
        return text
    raise click.BadParameter(f'"{text}" is not local, ray or ray:HOST:PORT')


@contextmanager
def open_executor(
    referees: RefereeOptions, store: "Store", early: "EarlyReferees | None" = None, invite: "Invite | None" = None
) -> "Iterator[tuple[Executor, int]]":
    """Open the executor; yield it and how many referees have room there.

    early, invite: as `Local` takes them.

    Raises ExecutorError for a cluster that cannot be reached.
    """
    if referees.executor == LOCAL:
        from arena.tournament.run.executor import Local

        local = Local(invite, early)
        yield local, local.room()
        return
    from arena.tournament.run.ray_cluster import ray_cluster

    with ray_cluster(referees.executor.partition(":")[2] or None, store, print_progress) as cluster:
        yield cluster, cluster.room()


@dataclass(frozen=True, slots=True)
class RemoteOptions:
    """Where remote bots connect, and the certificate shown to them; without one a certificate is made."""

    listen: str | None = None
    cert: Path | None = None
    key: Path | None = None


def remote_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --listen, --cert and --key, handed on together as `remote`."""

    @wraps(function)
    def command(*args: Any, listen: str | None, cert: Path | None, key: Path | None, **others: Any) -> Any:
        return function(*args, remote=RemoteOptions(listen, cert, key), **others)

    file = click.Path(path_type=Path, dir_okay=False)
    return add_options(
        command,
        click.option(
            "--listen", metavar="HOST:PORT", help="Address where remote bots (remote:NAME) connect, over TLS."
        ),
        click.option("--cert", type=file, metavar="FILE", help="TLS certificate  [default: made by arena]"),
        click.option("--key", type=file, metavar="FILE", help="Private key of --cert."),
    )


@contextmanager
def open_gate(options: RemoteOptions, definition: "Definition", db: str) -> "Iterator[Gate | None]":
    """Let the remote bots of a tournament connect, and wait for them; yield None where the field has none.

    Raises UsageError for options that do not fit the field, RemoteError where no bot can connect.
    """
    names = [bot.remote for bot in definition.field if bot.remote]
    if not names:
        if options.listen is not None:
            raise click.UsageError("--listen needs a remote bot in the field: --bots remote:NAME,...")
        yield None
        return
    if options.listen is None:
        raise click.UsageError(f"remote bots ({', '.join(names)}) need an address to connect to: --listen HOST:PORT")
    address = _ADDRESS.fullmatch(options.listen)
    if address is None or int(address[2]) > 65535:
        raise click.BadParameter(f"{options.listen} is not HOST:PORT, such as 0.0.0.0:7000", param_hint="--listen")
    if (options.cert is None) != (options.key is None):
        raise click.UsageError("--cert and --key need each other")
    from arena.remote.certificate import load_certificate, make_certificate
    from arena.remote.gate import Gate, GateSettings
    from arena.store import open_store

    host = address[1]
    if options.cert is not None and options.key is not None:
        certificate = load_certificate(options.cert, options.key)
    else:
        certificate = make_certificate(Path() if "://" in db else Path(db).absolute().parent, host.strip("[]"))

    def token_hashes() -> list[tuple[str, str]]:
        with open_store(db) as store:  # read each time: a token may be revoked meanwhile
            return [(row.name, row.sha256) for row in store.tokens.all() if row.name in names]

    terms = GateSettings(definition.game, definition.matches_at_once)
    with Gate(options.listen, certificate, token_hashes, terms, print_progress) as gate:
        variables = f"ARENA_ADDRESS={host}:{gate.port} ARENA_CA={certificate.path if certificate.own else 'system'}"
        print_progress(
            f"start remote bots with {variables} ARENA_TOKEN=...; certificate SHA-256 {certificate.fingerprint}"
        )
        gate.wait(names)
        yield gate
