"""`arena replay`: replay a stored match, in the viewer or as its log."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.database import DEFAULT_DB
from arena.cli.match_report import output_lines
from arena.cli.options import (
    MATCH_NUMBER,
    Duration,
    PathType,
    db_option,
    json_option,
    owner_option,
    restrict_to_owner,
)
from arena.cli.output import echo, write_text
from arena.cli.package_options import package_options
from arena.values.installing import how_to_install
from arena.values.texts import json_text, shell_line
from referee.engine.registry import in_units

if TYPE_CHECKING:
    from arena.language.message import Message
    from arena.record.match_log import Entry
    from arena.replay.known_values import Known
    from arena.store import Store
    from arena.values.rows import OutputRow, StoredMatch


@click.command("replay")
@click.argument("id", metavar="ID", type=MATCH_NUMBER)
@click.option("--text", "as_text", is_flag=True, help="Print the log as text  [default unless on a terminal]")
@click.option("--at", type=click.IntRange(min=0), metavar="N", help="Open the viewer at move N  [default: 0]")
@click.option("--seat", type=click.IntRange(min=0), metavar="N", help="Show only what seat N could see.")
@click.option("--slower", type=Duration(), help="Print only the answers that took so long.")
@click.option("--output", is_flag=True, help="Print all output of the bots below the log.")
@click.option(
    "--html",
    "page",
    type=PathType(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a self-contained page that shows the match move by move.",
)
@click.option(
    "--svg",
    "drawing",
    type=PathType(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a picture of the table at move N of --at  [default: at the end]",
)
@click.option(
    "--round", "round_number", type=click.IntRange(min=1), metavar="N", help="Animate round N in the picture of --svg."
)
@click.option(
    "--scenario",
    type=PathType(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the match up to move N of --at as a scenario file  [default: to its end]",
)
@package_options("replay")
@owner_option
@json_option
@db_option
def command(
    id: int,
    as_text: bool,
    at: int | None,
    seat: int | None,
    slower: int | None,
    output: bool,
    page: Path | None,
    drawing: Path | None,
    round_number: int | None,
    scenario: Path | None,
    packages: dict[str, Any],
    owner: str | None,
    as_json: bool,
    db: str,
) -> None:
    """Replay a stored match, whole or as one seat saw it.

    On a terminal this opens a viewer (the extra tui of botarena) that shows the table move by move; ? lists its keys.
    With --seat it opens on what that seat knew. Elsewhere, and with --text, it prints the log.

    The rules replay the recorded answers. The log prints the lines of the game at the margin and, indented below them,
    each answer with the time it took, the bot's note, and its fault if any; the legal moves in brackets are as bots
    answer them. With --seat it prints the answers, notes, times and faults of that seat only.

    With --slower 200ms it prints only the answers that took 200 ms or more; `arena match --from` asks one again.

    Notes and output are private to a bot's owner: --owner NAME prints what that owner may read.
    """
    forms = [
        name
        for name, is_chosen in (
            ("text", as_text),
            ("json", as_json),
            ("html", page is not None),
            ("svg", drawing is not None),
            ("scenario", scenario is not None),
        )
        if is_chosen
    ]
    if len(forms) > 1:
        raise click.UsageError(f"--{forms[0]} and --{forms[1]} exclude each other")
    if round_number is not None and (drawing is None or at is not None):
        raise click.UsageError("--round needs --svg, and cannot be combined with --at")
    from arena.hooks.plugins import plugins
    from arena.record.played_rules import version_remark
    from arena.results.stage_names import StageNames
    from arena.store import open_store

    with open_store(db) as store:
        match = restrict_to_owner(store.match(id), owner)
        stage = StageNames(store).of(match.tournament_id, match.row.deal)
        hook = plugins().hook
        changed: tuple[StoredMatch, str] | None = hook.arena_replay(options=packages, store=store, match=match)
        match, remark = (match, version_remark(match)) if changed is None else changed
        known = {} if changed else _known_values(store, match)
    seats = len(match.row.seats)
    if seat is not None and seat >= seats:
        raise click.BadParameter(f"match {id} has the seats 0 to {seats - 1}", param_hint="--seat")
    if remark:
        echo(remark, err=True)
    viewed = not forms and not output and slower is None and sys.stdin.isatty() and sys.stdout.isatty()
    if scenario is not None:
        _write_scenario(match, at, scenario)
        return
    if drawing is not None:
        _draw(match, at, round_number, seat, drawing)
        return
    if at is not None and not viewed:
        raise click.UsageError("--at needs the viewer, which opens on a terminal only")
    if slower is not None and page is not None:
        raise click.UsageError("--slower and --html exclude each other")
    if page is not None:
        _write(match, seat, page, (remark or "") if changed else "", known)
    elif viewed and find_spec("textual"):
        _view(match, at or 0, seat, db, (remark or "") if changed else "", known)
    elif as_json:
        _print_json(match, seat, output, slower, stage, known)
    else:
        if viewed:
            echo(f"this is the log; to get the viewer: {how_to_install('botarena[tui]')}", err=True)
        _print_text(match, seat, output, slower, stage, known)


def _known_values(store: "Store", match: "StoredMatch") -> "Known":
    """Return what packages know of a match, by perspective."""
    from arena.replay.known_values import known_values

    return {seat: known_values(store, match, seat) for seat in (None, *range(len(match.row.seats)))}


def _write_scenario(match: "StoredMatch", at: int | None, file: Path) -> None:
    """Write the match up to a move, or to its end."""
    from arena.record.scenario_export import scenario_text
    from arena.replay.replay import Replay

    replay = Replay(match)
    last = replay.count() - 1
    if at is not None and at > last:
        raise click.BadParameter(f"match {match.id} has the moves 0 to {last}", param_hint="--at")
    text = scenario_text(match, replay.answers_before(last if at is None else at))
    write_text(file, text, "--scenario")
    echo(f"wrote {file}: play it with `arena scenario {shell_line(file)}`", err=True)


def _draw(match: "StoredMatch", at: int | None, number: int | None, seat: int | None, file: Path) -> None:
    """Write a picture of the table at a move, or of a round."""
    from arena.replay.picture.animation import NoSuchRound, animation
    from arena.replay.picture.picture import Moment, picture
    from arena.replay.replay import Replay

    replay = Replay(match)
    last = replay.count(seat) - 1
    if at is not None and at > last:
        raise click.BadParameter(f"match {match.id} has the moves 0 to {last}", param_hint="--at")
    try:
        text = (
            picture(replay, Moment(last if at is None else at, None, seat))
            if number is None
            else animation(replay, number, seat)
        )
    except NoSuchRound as error:
        raise click.BadParameter(str(error), param_hint="--round") from error
    write_text(file, text, "--svg")
    echo(f"wrote {file}: open it in a browser", err=True)


def _write(match: "StoredMatch", seat: int | None, file: Path, remark: str, known: "Known") -> None:
    """Write the page: of one seat what it knew; otherwise everything, and what each seat knew."""
    from arena.replay import document
    from arena.replay.replay import Replay

    viewpoints = [None, *range(len(match.row.seats))] if seat is None else [seat]
    write_text(file, document.page(Replay(match, remark), viewpoints, known), "--html")
    echo(f"wrote {file}: open it in a browser", err=True)


def _view(match: "StoredMatch", at: int, seat: int | None, db: str, remark: str, known: "Known") -> None:
    from arena.replay.replay import Replay
    from arena.replay.terminal.app import Viewer
    from arena.store import hide_password

    where = "" if db == DEFAULT_DB else f" --db {shell_line(hide_password(db))}"
    Viewer(Replay(match, remark), at, seat, where, known).run()


def _entries(match: "StoredMatch", seat: int | None, slower: int | None) -> "list[Entry]":
    """Return the log.

    slower: only the answers that took so many ms; None for all, events and faults.
    """
    from arena.record.match_log import LogDecision, log

    entries = log(match, seat)
    if slower is None:
        return list(entries)
    return [
        entry
        for entry in entries
        if isinstance(entry, LogDecision) and entry.micros is not None and entry.micros >= slower * 1000
    ]


def _print_json(
    match: "StoredMatch",
    seat: int | None,
    output: bool,
    slower: int | None,
    stage: "Message | None",
    known: "Known",
) -> None:
    from arena.record import text
    from arena.replay.json_values import story_values
    from arena.replay.replay import Replay

    replay_json: dict[str, Any] = {
        "match": match.id,
        "tournament": match.tournament_id,
        "stage": stage,
        "game": match.event.game,
        "options": match.event.options,
        "deal": match.row.deal,
        "rotation": match.row.rotation,
        "seat": seat,
        "players": match.players,
        "log": text.values(_entries(match, seat, slower)),
        "scores": [in_units(match.event.game, seat_row.score) for seat_row in match.row.seats],
        "ranks": [seat_row.rank for seat_row in match.row.seats],
        "story": story_values(Replay(match), seat, chances=known.get(seat, {}).get("chances")),
    }
    if output:
        replay_json["output"] = {number: printed.text for number, printed in _outputs(match, seat)}
    echo(json_text(replay_json))


def _print_text(
    match: "StoredMatch",
    seat: int | None,
    output: bool,
    slower: int | None,
    stage: "Message | None",
    known: "Known",
) -> None:
    from arena.record import text
    from arena.replay.costly_moves import story_with_chances
    from arena.replay.readable import log_in_words, reader_of
    from arena.replay.replay import Replay
    from arena.replay.story import story_lines

    entries = _entries(match, seat, slower)
    told = story_with_chances(Replay(match), seat, known.get(seat, {}).get("chances"))
    reader = reader_of(match)
    story = [] if slower else ["", *story_lines(told, reader.of)]
    lines = text.lines(log_in_words(match, entries, reader), reader.names)
    for part in (text.heading(match, seat, stage), [""], lines, [""], text.ending(match), story):
        for line in part:
            echo(line)
    if output:
        echo()
        for number, printed in _outputs(match, seat):
            for line in output_lines(number, match.players[number], printed, whole=True):
                echo(line)


def _outputs(match: "StoredMatch", seat: int | None) -> "list[tuple[int, OutputRow]]":
    """Return the output of the bots by seat; of one seat, or of all for None."""
    return [(number, output) for number, output in sorted(match.outputs.items()) if seat in (None, number)]
