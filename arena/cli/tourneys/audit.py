"""`arena tourney audit`: look for collusion, forfeits and unequal seats."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import TOURNAMENT_NUMBER, db_option
from arena.cli.output import echo, table_text
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text, shell_line

if TYPE_CHECKING:
    from arena.ratings.collusion import Suspicion
    from arena.results.audit import Audit

SHOWN = 10
"""Suspicions printed besides those that stand out."""

SUSPICIONS = (
    word_column(""),
    text_column("what"),
    Column("points in %"),
    Column("expected", drop=2),
    Column("beyond"),
    Column("± 95 %"),
    Column("deals", drop=1),
    Column("chance"),
)
WITHOUT = (
    Column("rank"),
    text_column("bot"),
    Column("Elo"),
    Column("seats forfeited", drop=1),
    Column("rank without"),
    Column("Elo without"),
)


@click.command("audit")
@click.argument("id", metavar="[ID]", required=False, type=TOURNAMENT_NUMBER)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead, with all pairs of bots.")
@db_option
def command(id: int | None, as_json: bool, db: str) -> None:
    """Look for collusion, forfeits and unequal seats.

    Audits tournament ID, or the latest. For every pair of bots: does one lose more points to the other than their
    ratings predict, and do both score more against others when together than apart? Bots of one author, three or more,
    are tested together, too. Then prints the share of forfeited
    matches, the ranking without them, and how often each bot sat in each seat.

    Exit code 0: nothing stands out, 1: a pair stands out, 2: there is no such tournament.
    """
    from arena.results.audit import audit
    from arena.results.stored_tournament import StoredTournament
    from arena.store import open_store

    with open_store(db) as store:
        tournament = StoredTournament.load(store, id)
        report = audit(tournament)
    names = tournament.names
    if as_json:
        echo(json_text(_object(tournament.id, report, names)))
    else:
        finished = "" if tournament.row.finished else f" of {tournament.row.matches:,}, as it is not finished"
        echo(f"tournament {tournament.id}: {tournament.game}, {report.matches:,} matches that count{finished}")
        for lines in (_collusion(report, tournament.id), _forfeits(report), _seats(report, names)):
            echo("")
            for line in lines:
                echo(line)
    raise SystemExit(1 if report.accused else 0)


def _object(number: int, report: "Audit", names: Sequence[str]) -> dict[str, Any]:
    """Return what --json prints."""
    without = {row.bot: row for row in report.without.rows}
    return {
        "tournament": number,
        "matches": report.matches,
        "every": report.every,
        "pairs": [
            {
                "kind": suspicion.kind,
                "one": suspicion.one,
                "other": suspicion.other,
                "members": list(suspicion.members),
                "comparisons": round(suspicion.comparisons, 6),
                "deals": suspicion.deals,
                "made": round(suspicion.points, 6),
                "expected": round(suspicion.points - suspicion.excess, 6),
                "beyond": round(suspicion.excess, 6),
                "bar": round(suspicion.ci95, 6),
                "elo": round(suspicion.elo, 2),
                "chance": suspicion.p_value,
                "stands_out": suspicion.stands_out,
            }
            for suspicion in report.suspicions
        ],
        "forfeits": {
            "matches": report.forfeited,
            "share": round(report.forfeited / report.matches, 6) if report.matches else None,
            "by_bot": report.forfeits,
            "ranking": [
                {
                    "bot": row.bot,
                    "rank": row.rank,
                    "elo": round(row.elo, 2),
                    "rank_without": without[row.bot].rank if row.bot in without else None,
                    "elo_without": round(without[row.bot].elo, 2) if row.bot in without else None,
                }
                for row in report.table.rows
            ],
        },
        "seats": {"bots": list(names), "matches": report.seats},
    }


def _collusion(report: "Audit", number: int) -> Iterator[str]:
    """Yield what every two bots did for each other."""
    from arena.ratings.collusion import MIN_DEALS, MIN_EXCESS, MIN_GROUP_DEALS, SIGNIFICANCE

    if not report.suspicions:
        yield (
            f"collusion: unknown; it takes three bots or more, of which two met in {MIN_DEALS} deals at least, or "
            f"three of one author, of which any two met in {MIN_GROUP_DEALS}"
        )
        return
    accused = report.accused
    honest = f"in {100 * SIGNIFICANCE:g} of 100 tournaments of honest bots"
    if accused:
        yield f"collusion: {len(accused)} of {len(report.suspicions)} looked at stand out (!), which happens {honest}"
    else:
        yield f"collusion: nothing stands out of {len(report.suspicions)} looked at ({honest} something does)"
    shown = [*accused, *[suspicion for suspicion in report.suspicions if not suspicion.stands_out][:SHOWN]]
    yield table_text(SUSPICIONS, [_line(suspicion) for suspicion in shown])
    if len(report.suspicions) > len(shown):
        yield f"... and {len(report.suspicions) - len(shown)} more, which --json prints"
    if report.every > 1:
        yield f"One of {report.every} deals was sampled, which is enough."
    yield "points: of the second bot against the first, or of both against the others at their table"
    yield (
        "chance: that honest bots, any two of all these, show as much. Less than "
        f"{100 * MIN_EXCESS:g} % beyond never stands out: styles do as much."
    )
    if accused:
        yield "This is no proof, as one style may play into the hands of another; look at the matches:"
        one, other, *_ = accused[0].members or (accused[0].one, accused[0].other)
        line = shell_line("arena", "matches", "--tourney", number, "--bot", one, "--against", other)
        yield f"  {line}"
    if len(report.table.rows) == 3 and accused:
        yield "Of three bots at every table results do not tell which two it is."


def _effect(suspicion: "Suspicion") -> str:
    """Return what the bots did for each other."""
    one, other = (
        f"the other bots of {name}" if suspicion.members and name not in suspicion.members else name
        for name in (suspicion.one, suspicion.other)
    )
    if suspicion.kind == "group":
        return f"the {len(suspicion.members)} bots of {suspicion.one} together"
    return f"{one} and {other} together" if suspicion.kind == "together" else f"from {one} to {other}"


def _line(suspicion: "Suspicion") -> list[str]:
    what = _effect(suspicion)
    chance = (
        ">0.99" if suspicion.p_value > 0.99 else "<0.0001" if suspicion.p_value < 0.0001 else f"{suspicion.p_value:.2g}"
    )
    return [
        "!" if suspicion.stands_out else "",
        what,
        f"{100 * suspicion.points:.1f}",
        f"{100 * (suspicion.points - suspicion.excess):.1f}",
        f"{100 * suspicion.excess:+.1f}",
        f"{100 * suspicion.ci95:.1f}",
        str(suspicion.deals),
        chance,
    ]


def _forfeits(report: "Audit") -> Iterator[str]:
    """Yield the forfeits, and the ranking without them."""
    from arena.ratings.elo_text import elo_text

    if not report.forfeited:
        yield "forfeits: none"
        return
    share = 100 * report.forfeited / max(report.matches, 1)
    yield f"forfeits: in {report.forfeited:,} matches ({share:.1f} %); the ranking without them"
    without = {row.bot: row for row in report.without.rows}
    lines = []
    for row in report.table.rows:
        other = without.get(row.bot)
        lines.append(
            [
                row.rank,
                row.bot,
                elo_text(row.elo, row.bound, 1),
                report.forfeits.get(row.bot, "-"),
                other.rank if other else "-",
                elo_text(other.elo, other.bound, 1) if other else "-",
            ]
        )
    yield table_text(WITHOUT, lines)


def _seats(report: "Audit", names: Sequence[str]) -> Iterator[str]:
    """Yield how often each bot sat in each seat."""
    widest = max((max(counts) - min(counts) for counts in report.seats if counts), default=0)
    if widest == 0:
        yield "seats: every bot sat in every seat equally often"
        return
    yield f"seats: one bot sat in some seat {widest:,} times more than in another"
    columns = [text_column("bot"), *(Column(f"seat {seat}") for seat in range(len(report.seats[0])))]
    yield table_text(columns, [[name, *counts] for name, counts in zip(names, report.seats, strict=True)], heads=1)
