"""`arena ask`: ask a bot recorded questions again."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.answer_report import AskedQuestionReport, summary
from arena.cli.invitations import print_invitation
from arena.cli.options import TOURNAMENT_NUMBER, Duration, db_option, json_option, sandbox_option
from arena.cli.output import echo, print_progress
from arena.cli.question import check_bot_of, limit_faults_option
from arena.run.hosting import Hosting
from arena.values.texts import json_text, shell_line

if TYPE_CHECKING:
    from arena.sdk.recorded_question import RecordedQuestion
    from arena.values.definition import Entrant

Question = tuple[str, "RecordedQuestion", "Entrant"]
"""A question with its title and the bot to ask."""


@click.command("ask")
@click.argument("words", metavar="BOT FILE...", nargs=-1)
@click.option("--expect", multiple=True, metavar="MOVE", help="Accept only this move; repeatable.")
@click.option("--recorded", is_flag=True, help="Accept only the recorded move, where the bot of the record answered.")
@click.option("--move-time", type=Duration(), help="Time for each answer; 0: a minute  [default: the recorded time]")
@click.option("--attach", is_flag=True, help="Wait for a bot that you start yourself; leave out BOT.")
@click.option("--faults", type=TOURNAMENT_NUMBER, metavar="N", help="Ask each question of tournament N with a fault.")
@click.option("--bot", metavar="NAME", help="With --faults: only those of this bot.")
@limit_faults_option
@sandbox_option
@json_option
@db_option
def command(
    words: tuple[str, ...],
    expect: tuple[str, ...],
    recorded: bool,
    move_time: int | None,
    attach: bool,
    faults: int | None,
    bot: str | None,
    limit: int,
    sandbox: str,
    as_json: bool,
    db: str,
) -> None:
    """Ask a bot recorded questions again.

    Name the bot as in `arena match`, then files of `arena question export`, or folders of such files. No database is
    needed. For each question the bot is started anew, takes the seat of the record, and is first asked all earlier
    questions of that seat.

    \b
        arena ask ./mybot tests/king.json --expect keep
        arena ask ./mybot tests/questions/
        arena ask ./mybot --faults 3 --bot club/owl

    The answer to each question is printed with the time it took. It must be legal and in time, and one of the expected
    moves: those of --expect, or else those named in the file; without either, any.

    With --attach a question waits for a bot that you start yourself, in a debugger for instance, with the environment
    printed on stderr. It has no clock, and may be restarted.

    With --faults the questions come from the database: those at which a bot of tournament N made a fault. Without BOT,
    each is asked of the bot that made it.

    Exit code 0: all answers as expected, 1: one is not, 2: there is nothing to ask.
    """
    from arena.bots.repeated_question import ask_again

    if expect and recorded:
        raise click.UsageError("--expect and --recorded exclude each other")
    if attach and move_time is not None:
        raise click.UsageError("an attached bot has no clock: leave out --move-time")
    Hosting(sandbox).check_mode()
    if faults is not None:
        questions = _faults(words, faults, bot, limit, attach, db)
    elif bot is not None:
        raise click.UsageError("--bot needs --faults")
    else:
        questions = _files(words, attach, db)
    invite = print_invitation if attach else None
    expected = [_expected(title, question, expect, recorded) for title, question, _ in questions]
    reports: list[AskedQuestionReport] = []
    for (title, question, entrant), moves in zip(questions, expected, strict=True):
        answers = ask_again(question, entrant, move_time_ms=move_time, sandbox=sandbox, invite=invite)
        reports.append(report := AskedQuestionReport(title, entrant.name, answers, moves))
        if not as_json:
            for line in report.lines(detailed=len(questions) == 1):
                echo(line)
    if as_json:
        echo(json_text({"answers": [report.to_json() for report in reports]}))
    elif len(reports) > 1:
        echo(summary(reports))
    raise SystemExit(0 if all(report.is_as_expected for report in reports) else 1)


def _expected(title: str, question: "RecordedQuestion", expect: tuple[str, ...], recorded: bool) -> tuple[str, ...]:
    """Return the moves that are right; none if any is."""
    asked = question.question
    for move in expect:
        if move not in asked.legal:
            raise click.BadParameter(
                f'"{move}" is not a legal move of {title}: {", ".join(asked.legal)}', param_hint="--expect"
            )
    if recorded:
        return (asked.move,) if asked.move and not asked.fault else ()
    return expect or question.expect


def _files(words: tuple[str, ...], attach: bool, db: str) -> list[Question]:
    """Return the questions of files and folders. Raises UsageError for what is missing."""
    from arena.bots.repeated_question import QuestionError, encoded_views
    from arena.sdk.errors import BadQuestion
    from arena.sdk.recorded_question import load_question

    if len(words) < (1 if attach else 2):
        raise click.UsageError("name a bot and the file of a question: `arena ask ./mybot question.json`")
    names = words if attach else words[1:]
    files = [file for name in names for file in _files_of(Path(name))]
    questions = []
    for file in files:
        try:
            question = load_question(file)
        except BadQuestion as error:
            raise QuestionError(str(error)) from None
        try:
            encoded_views(question)
        except QuestionError as error:
            raise QuestionError(f"{file}: {error}") from None
        questions.append((str(file), question))
    entrant = _attached() if attach else _named(words[0], {question.game for _, question in questions}, db)
    _warn_of_other_rules(questions)
    return [(title, question, entrant) for title, question in questions]


def _files_of(path: Path) -> Iterator[Path]:
    """Yield a file, or the .json files below a folder, sorted. Raises UsageError if there are none."""
    if not path.is_dir():
        yield path
        return
    files = sorted(file for file in path.rglob("*.json") if file.is_file())
    if not files:
        raise click.UsageError(
            f"{path} has no .json files: `arena question export ... --to {shell_line(path)}` makes one"
        )
    yield from files


def _named(name: str, games: set[str], db: str) -> "Entrant":
    """Return the bot of a name. Raises FieldError if there is none, or it does not play one of the games."""
    from arena.packs.roster import open_roster
    from arena.plan.field import find_bots, samples

    roster = open_roster(db)
    for game in sorted(games):
        (entrant,) = find_bots([name], samples(game), roster, game=game, any_path=True)
    return entrant


def _attached() -> "Entrant":
    from arena.plan.field import seat_attached

    (entrant,) = seat_attached((), [0], "attached")
    return entrant


def _warn_of_other_rules(questions: list[tuple[str, "RecordedQuestion"]]) -> None:
    from referee.engine import registry

    for title, question in questions:
        installed = registry.game(question.game).behaviour
        if question.behaviour != installed:
            print_progress(
                f"{title} was recorded with version {question.behaviour} of {question.game}'s rules, "
                f"and version {installed} is installed: its views and moves are those of the record"
            )


def _faults(
    words: tuple[str, ...], tournament: int, bot: str | None, limit: int, attach: bool, db: str
) -> list[Question]:
    """Return the questions at which bots made faults. Raises UsageError, or an ArenaError if there are none."""
    from itertools import islice

    from arena.bots.fault_questions import fault_questions
    from arena.bots.question_export import recorded_question
    from arena.packs.roster import open_roster
    from arena.plan.match_prefix import bot_of_seat
    from arena.store import open_store
    from arena.values.tournament_errors import FieldError

    if len(words) > (0 if attach else 1):
        raise click.UsageError("--faults chooses the questions: leave out the files")
    with open_store(db) as store:
        check_bot_of(store, tournament, bot)
        fault_answers = fault_questions(store, tournament, bot)
        chosen = list(islice(fault_answers, limit or None))
        log = store.decisions(tournament)
        if not chosen:
            raise FieldError(f"{bot or 'no bot'} made {'no' if bot else 'a'} fault in tournament {tournament}")
        if next(fault_answers, None) is not None:
            print_progress(f"there are more than {limit} faults: ask all with --limit 0")
    entrant = _attached() if attach else _named(words[0], {chosen[0].match.event.game}, db) if words else None
    roster = open_roster(db)
    questions = []
    for match, name, fault in chosen:
        asked = entrant or bot_of_seat(match, fault.seat, log, roster)
        title = f"match {match.id}, answer {fault.ply} ({fault.kind} of {name})"
        questions.append((title, recorded_question(match, fault.ply), asked))
    return questions
