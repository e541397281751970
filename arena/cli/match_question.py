"""`arena match --from --move`: repeat a recorded question."""

from typing import Any

import click

from arena.cli.answer_report import AskedQuestionReport
from arena.cli.invitations import print_invitation
from arena.cli.output import echo, print_progress
from arena.run.hosting import Hosting
from arena.values.texts import json_text


def repeat_question(
    source: int | None,
    ply: int | None,
    bots: tuple[str, ...],
    attach: tuple[int, ...],
    hosting: Hosting,
    as_json: bool,
    db: str,
) -> None:
    """Ask the question of answer `ply` of match `source` again and print the answer.

    bots: at most one, the bot to ask; none for the one that sat there.
    attach: the seat of the question, to wait for a bot instead.

    Exit code 1 if the bot gives no legal answer in time.
    """
    from arena.bots.question_export import plies_of, recorded_question, seat_at
    from arena.bots.repeated_question import ask_again
    from arena.packs.roster import open_roster
    from arena.plan.field import find_bots, samples, seat_attached
    from arena.plan.match_prefix import bot_of_seat
    from arena.record.played_rules import version_remark
    from arena.store import open_store

    if source is None or ply is None:
        raise click.UsageError("--from and --move need each other: --from 12 --move 57 is answer 57 of match 12")
    if len(bots) > 1:
        raise click.UsageError("--from asks one bot: name one, or none for the bot that sat there")
    if bots and attach:
        raise click.UsageError("--attach waits for a bot that you start yourself: leave out BOT")
    with open_store(db) as store:
        match = store.match(source)
        log = store.decisions_of(match)
    if remark := version_remark(match):
        print_progress(remark)
    question = recorded_question(match, ply)
    seat = seat_at(match, ply)
    if attach and attach != (seat,):
        raise click.UsageError(f"answer {ply} of match {source} is of seat {seat}: --attach {seat}")
    if attach:
        (bot,) = seat_attached((), [0], "attached")
    elif bots:
        game = match.event.game
        (bot,) = find_bots(bots, samples(game), open_roster(db), game=game)
    else:
        bot = bot_of_seat(match, seat, log, open_roster(db))
    hosting.check_mode()
    invite = print_invitation if attach else None
    answers = ask_again(question, bot, sandbox=hosting.sandbox, invite=invite)
    report = AskedQuestionReport(f"match {match.id}, answer {ply}, seat {seat}", bot.name, answers)
    plies = plies_of(match, seat)
    if as_json:
        echo(json_text({"match": match.id, **_json(report, plies)}))
    else:
        for line in report.lines(lambda number: plies[number - 1]):
            echo(line)
    if not report.is_as_expected:
        raise SystemExit(1)


def _json(report: AskedQuestionReport, plies: list[int]) -> dict[str, Any]:
    """Return what --json prints: the answer, and the earlier answers that differ, with their numbers in the match."""
    values = report.to_json()
    by_ply = [{"ply": plies[asked["number"] - 1], **asked} for asked in values["before"]]
    otherwise = {asked.number for asked in report.answers.otherwise}
    return {
        "bot": values["bot"],
        "answer": values["answer"] and {"ply": plies[len(by_ply)], **values["answer"]},
        "before": len(by_ply),
        "otherwise": [asked for asked in by_ply if asked["number"] in otherwise],
        "failure": values["failure"],
        "output": values["output"],
    }
