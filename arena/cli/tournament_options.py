"""The options that commands share that play tournaments."""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import TOURNAMENT_NUMBER, Duration, PathType, add_options
from arena.cli.output import print_progress
from arena.cli.setting_options import options_of, struct_options
from arena.hooks.executors import executors
from arena.hooks.match_files import match_files
from arena.hooks.published import executor_remedy
from arena.values.definition import CLOCK_KEYS, TimeControl
from arena.values.stop_rule import ERROR_CONTROLS, ErrorControl, StopRule, parse_sprt

if TYPE_CHECKING:
    from arena.results.stored_tournament import StoredTournament
    from arena.run.executor import Executor, Invite
    from arena.run.hosting import Hosting
    from arena.run.referee_process import EarlyReferees
    from arena.run.remote.gate import Gate
    from arena.run.runner import Watcher
    from arena.store import Store
    from arena.values.definition import Definition
    from arena.values.rows import MatchRow

LOCAL = "local"
"""The executor that is this machine."""

_START = options_of(TimeControl)["start_time_ms"]

_ADDRESS = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\s:\[\]]+):([0-9]{1,5})")

dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Print the plan: matches, meetings and expected precision; play nothing."
)


@dataclass(frozen=True, slots=True)
class StartTimes:
    """How long bots may take to start, in milliseconds."""

    usual: int
    """The time of all bots that are not listed."""
    bots: tuple[tuple[str, int], ...]
    """The names of single bots, each with its time."""


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


starts_option = click.option(
    "--start",
    "starts",
    multiple=True,
    metavar="[BOT=]TIME",
    callback=_parse_starts,
    help=f"{_START.help[:-1]}, of all bots or of one; repeatable  [default: {_START.shown(_START.default)}]",
)
"""Passes `starts`: a `StartTimes`."""


def _parse_clocks(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[tuple[str, dict[str, int]], ...]:
    return tuple(_parse_clock(ctx, param, text) for text in texts)


def _parse_clock(ctx: click.Context, param: click.Parameter, text: str) -> tuple[str, dict[str, int]]:
    """Return the name of a bot and its clock, in milliseconds by field; commas within the name are of the name."""
    name, duration = text, Duration()
    own: dict[str, int] = {}
    while (parts := name.rpartition(","))[1] and (key := parts[2].partition("=")[0].strip()) in CLOCK_KEYS:
        if CLOCK_KEYS[key] in own:
            raise click.BadParameter(f"{text} has two of {key}: give one")
        own[CLOCK_KEYS[key]] = duration.convert(parts[2].partition("=")[2].strip(), param, ctx)
        name = parts[0]
    if not own or not name:
        raise click.BadParameter(
            f'"{text}" is not NAME and a clock, such as owl,move-time=200ms,bank=5s or owl,bank=10s,increment=100ms'
        )
    return name.strip(), own


bot_option = click.option(
    "--bot",
    "clocks",
    multiple=True,
    metavar="NAME,move-time=T,bank=T",
    callback=_parse_clocks,
    help="Give one bot of the field a clock of its own (time odds): move-time=T, or increment=T of a clock with "
    "increments, and bank=T; what is left out is as for all. Repeatable.",
)
"""Passes `clocks`: the name of each bot and its clock, as `arena.plan.bot_clocks.with_clocks` takes them."""


def limit_options(start_help: str = "", ready_help: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return what adds --start and --ready, handed on together as `limits`: a `TimeControl`. The helps: if others."""
    return struct_options("limits", TimeControl, start_time_ms=start_help, ready_time_ms=ready_help)


def clock_options(*without: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return what adds the options of a clock, handed on together as `time`.

    without: fields that get no option.
    """
    return struct_options("time", TimeControl, *(name for name in options_of(TimeControl) if name not in without))


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
    """What a tournament prints while it is played and at its end."""

    as_json: bool = False
    """Whether one JSON object is printed instead of the table."""
    live: bool = False
    """Whether the ranking is drawn while matches are played."""
    events: str | None = None
    """A file to which a line of JSON is added for each event; "-" means stdout, where nothing else is printed then;
    None: no events are written.
    """
    matches_to: Path | None = None
    """A file to which each match is added as it ends, in the format of its suffix; None: there is none."""
    live_to: Path | None = None
    """A file that holds the matches under way, likewise; None: there is none."""

    def check(self, game: str, executor: str) -> None:
        """Raise UsageError where matches of a game, played by an executor, cannot be written to such files."""
        if self.live_to is not None and executor != LOCAL:
            raise click.UsageError("--live-to shows matches of this machine alone: use --executor local")
        for option, path in (("--matches-to", self.matches_to), ("--live-to", self.live_to)):
            if path is None:
                continue
            known = match_files()
            written = known.get(path.suffix.removeprefix("."))
            if written is None:
                suffixes = ", ".join(f".{suffix}" for suffix in known) or "none; botarena-chess adds .pgn"
                raise click.UsageError(f"{option} {path}: its suffix names no format of matches (known: {suffixes})")
            if not written.holds(game):
                games = ", ".join(written.games)
                raise click.UsageError(f"{option} {path}: {path.suffix} holds matches of {games}, and not of {game}")
            if not path.absolute().parent.is_dir():
                raise click.UsageError(f"{option} {path}: there is no folder {path.parent}")

    @contextmanager
    def open_files(
        self, tournament: "StoredTournament", say: Callable[[str], None]
    ) -> Iterator[tuple[list["Watcher"], Callable[[Sequence["MatchRow"]], None] | None]]:
        """Yield those who write such files, and what the rows of matches under way are for; None: nobody wants them."""
        with ExitStack() as stack:
            writers: list[Watcher] = []
            under_way = None
            for is_live, path in ((False, self.matches_to), (True, self.live_to)):
                if path is not None:
                    written = match_files()[path.suffix.removeprefix(".")].load(is_live=is_live)
                    writer = stack.enter_context(written(path, tournament, say))
                    writers.append(writer)
                    under_way = writer.under_way if is_live else None
            yield writers, under_way


def output_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add what a tournament prints and writes while it is played, handed on together as `output`."""

    @wraps(function)
    def command(
        *args: Any,
        as_json: bool,
        live: bool,
        events: str | None,
        matches_to: Path | None,
        live_to: Path | None,
        **others: Any,
    ) -> Any:
        if as_json and events == "-":
            raise click.UsageError("--json and --events - exclude each other: the last event holds the ranking")
        if live and not sys.stderr.isatty():
            raise click.UsageError("--live needs a terminal on stderr: for programs use --events FILE")
        return function(*args, output=OutputOptions(as_json, live, events, matches_to, live_to), **others)

    return add_options(
        command,
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table."),
        click.option("--live", is_flag=True, help="Draw the ranking while matches are played."),
        click.option(
            "--events", type=PathType(), metavar="FILE", help="Append each event to FILE as a line of JSON; -: stdout."
        ),
        click.option(
            "--matches-to",
            type=PathType(path_type=Path, dir_okay=False),
            metavar="FILE",
            help="Append each match to FILE as it ends, in the format of its suffix (.pgn with botarena-chess).",
        ),
        click.option(
            "--live-to",
            type=PathType(path_type=Path, dir_okay=False),
            metavar="FILE",
            help="Keep the matches under way in FILE, likewise, once they have taken four seconds.",
        ),
    )


@dataclass(frozen=True, slots=True)
class RefereeOptions:
    """How many referee processes play, on which executor, and how long they wait."""

    jobs: int | None
    """The number of referee processes; None: one for each core."""
    executor: str = LOCAL
    busy_limit: int | None = None
    """In mode clock, after how many milliseconds on a machine that is too busy to give up; None: never."""

    def check(self, definition: "Definition", hosting: "Hosting") -> None:
        """Raise UsageError where the executor cannot play a tournament.

        hosting: how its bots are run.
        """
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

        matches: the least number of matches that it has left.
        remote: where its remote bots connect, if it has any.
        """
        from arena.run.referee_process import EarlyReferees, cores
        from referee.sandbox.cpu_supply import usable_cores

        if self.executor != LOCAL:
            return EarlyReferees(())
        return EarlyReferees(cores(1 if remote.listen is not None else self.jobs or usable_cores()), matches)


def referee_options(default: str = "one per core") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add --jobs, --executor and --busy-limit, handed on together as `referees`.

    default: the default of --jobs in words, for the help.
    """
    elsewhere = executors().values()

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def command(*args: Any, jobs: int | None, executor: str, busy_limit: int | None, **others: Any) -> Any:
            return function(*args, referees=RefereeOptions(jobs, executor, busy_limit), **others)

        return add_options(
            command,
            click.option("--jobs", type=click.IntRange(min=1), help=f"Referee processes  [default: {default}]"),
            click.option(
                "--executor",
                metavar="|".join([LOCAL, *(executor.metavar for executor in elsewhere)]),
                default=LOCAL,
                show_default=True,
                callback=_check_executor,
                help=f"Where referees run: {', or '.join(['here', *(executor.place for executor in elsewhere)])}.",
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
    name = text.partition(":")[0]
    known = executors()
    if text == LOCAL or name in known:
        return text
    if needed := executor_remedy(name):
        raise click.BadParameter(f'"{text}" needs {needed}')
    raise click.BadParameter(f'"{text}" is not {", ".join([LOCAL, *(executor.forms for executor in known.values())])}')


@contextmanager
def open_executor(
    referees: RefereeOptions, store: "Store", early: "EarlyReferees | None" = None, invite: "Invite | None" = None
) -> "Iterator[tuple[Executor, int]]":
    """Open the executor; yield it and how many referees have room there.

    early, invite: as `Local` takes them.

    Raises ExecutorError for a cluster that cannot be reached.
    """
    if referees.executor == LOCAL:
        from arena.run.executor import Local

        local = Local(invite, early)
        yield local, local.room()
        return
    name, _, address = referees.executor.partition(":")
    with executors()[name].load()(address or None, store, print_progress) as opened:
        yield opened, opened.room()


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

    file = PathType(path_type=Path, dir_okay=False)
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
        values = {"--listen": options.listen, "--cert": options.cert, "--key": options.key}
        if given := [option for option, value in values.items() if value is not None]:
            raise click.UsageError(f"{given[0]} needs a remote bot in the field: --bots remote:NAME,...")
        yield None
        return
    if options.listen is None:
        raise click.UsageError(f"remote bots ({', '.join(names)}) need an address to connect to: --listen HOST:PORT")
    address = _ADDRESS.fullmatch(options.listen)
    if address is None or int(address[2]) > 65535:
        raise click.BadParameter(f'"{options.listen}" is not HOST:PORT, such as 0.0.0.0:7000', param_hint="--listen")
    if (options.cert is None) != (options.key is None):
        raise click.UsageError("--cert and --key need each other")
    from arena.run.remote.certificate import load_certificate, make_certificate
    from arena.run.remote.gate import Gate, GateSettings
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
