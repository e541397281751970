"""`arena question`: export recorded questions to files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.lazy_group import CommandGroup
from arena.cli.options import MATCH_NUMBER, TOURNAMENT_NUMBER, PathType, db_option
from arena.cli.output import echo, print_progress, write_text
from arena.values.texts import shell_line

if TYPE_CHECKING:
    from arena.store import Store

MOST_FAULTS = 100
"""The faults that are exported or asked by default."""

limit_faults_option = click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=MOST_FAULTS,
    show_default=True,
    help="With --faults: most questions; 0: all.",
)


@click.group("question", cls=CommandGroup)
def command() -> None:
    """Export recorded questions to files.

    `arena ask` asks them again.
    """


@command.command("export")
@click.argument("match", metavar="[MATCH]", required=False, type=MATCH_NUMBER)
@click.argument("move", metavar="[MOVE]", required=False, type=click.IntRange(min=0))
@click.option(
    "--to",
    "target",
    metavar="FILE|DIR",
    type=PathType(path_type=Path),
    help="Write to this file or folder, which is made if it is missing.",
)
@click.option("--expect", multiple=True, metavar="MOVE", help="Name a right move in the file; repeatable.")
@click.option(
    "--faults", type=TOURNAMENT_NUMBER, metavar="N", help="Export each question of tournament N with a fault."
)
@click.option("--bot", metavar="NAME", help="With --faults: only those of this bot.")
@limit_faults_option
@db_option
def export(
    match: int | None,
    move: int | None,
    target: Path | None,
    expect: tuple[str, ...],
    faults: int | None,
    bot: str | None,
    limit: int,
    db: str,
) -> None:
    """Export a recorded question to a file.

    The file holds the question of answer MOVE of match MATCH, and all that its seat saw and was asked before; nothing
    that other seats knew. Keep it beside your bot: `arena ask BOT FILE` asks it again, without a database.

    \b
        arena question export 12 57 --to tests/king.json --expect keep
        arena question export --faults 3 --bot club/owl --to tests/faults/

    `arena replay 12 --text` prints the numbers of the answers. Without --to, the question is printed. In a folder, and
    with --faults, files are called match-12-move-57.json.
    """
    from arena.bots.question_export import recorded_question
    from arena.store import open_store

    if faults is not None:
        if match is not None or expect:
            raise click.UsageError("--faults chooses the questions: leave out MATCH, MOVE and --expect")
        if target is None:
            raise click.UsageError("--faults needs a folder for the files: --to DIR")
        with open_store(db) as store:
            _export_faults(store, faults, bot, limit, target)
        return
    if match is None or move is None:
        raise click.UsageError("name a match and an answer: `arena question export 12 57 --to question.json`")
    if bot is not None:
        raise click.UsageError("--bot needs --faults")
    with open_store(db) as store:
        text = recorded_question(store.match(match), move, expect).to_text()
    if target is None:
        echo(text, nl=False)
        return
    file = target / _name(match, move) if target.is_dir() else target
    write_text(file, text, "--to")
    print_progress(f"wrote {file}: ask it with `arena ask BOT {shell_line(file)}`")


def _export_faults(store: "Store", tournament: int, bot: str | None, limit: int, folder: Path) -> None:
    from itertools import islice

    from arena.bots.fault_questions import fault_questions
    from arena.bots.question_export import recorded_question

    check_bot_of(store, tournament, bot)
    questions = fault_questions(store, tournament, bot)
    count = 0
    for question in islice(questions, limit or None):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.BadParameter(f"{folder} cannot be made: {error.strerror}", param_hint="--to") from None
        recorded = recorded_question(question.match, question.fault.ply)
        write_text(folder / _name(question.match.id, question.fault.ply), recorded.to_text(), "--to")
        count += 1
    if not count:
        echo(f"{bot or 'no bot'} made no fault in tournament {tournament}" if bot else "no bot made a fault", err=True)
        return
    print_progress(f"wrote {count:,} questions to {folder}: ask them with `arena ask BOT {shell_line(folder)}`")
    if next(questions, None) is not None:
        print_progress(f"there are more than {limit} faults: export all with --limit 0")


def check_bot_of(store: "Store", tournament: int, bot: str | None) -> None:
    """Raise BadParameter if a tournament has no bot of a name; StoreError if there is no such tournament."""
    from referee.engine.near import did_you_mean

    names = store.tournament(tournament).names
    if bot is not None and bot not in names:
        raise click.BadParameter(
            f'no bot "{bot}" plays in tournament {tournament}{did_you_mean(bot, names)}', param_hint="--bot"
        )


def _name(match: int, move: int) -> str:
    return f"match-{match}-move-{move}.json"
