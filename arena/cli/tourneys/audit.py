"""`arena tourney audit`: may the ranking of a tournament be believed."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from arena.cli.database import db_option
from arena.cli.echo import echo
from arena.cli.settings import SETTINGS
from arena.texts import json_text

if TYPE_CHECKING:
    from arena.ratings.collusion import Suspicion
    from arena.tournament.results.audit import Audit

SHOWN = 10
"""Suspicions that are printed beside those that stand out."""


@click.command("audit", context_settings=SETTINGS)
@click.argument("id", metavar="[ID]", required=False, type=click.IntRange(min=1))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead, with all pairs of bots.")
@db_option
def command(id: int | None, as_json: bool, db: str) -> None:
    """Look for collusion, forfeits and unequal seats.

    Looks at tournament ID, or the latest. For every two bots: do points flow from one to the other beyond what the
    ratings expect, and do both make more of the others with each other than without? Then what share of the matches
    was forfeited, with the ranking without them, and how often each bot sat in each seat.

    Exit code 0: nothing stands out, 1: two bots do, 2: there is no such tournament.
    """
    from arena.store import open_store
    from arena.tournament.results.audit import audit

    with open_store(db) as store:
        tournament = store.latest() if id is None else store.tournament(id)
        found = audit(store, tournament)
    names = tournament.names
    if as_json:
        echo(json_text(_object(tournament.id or 0, found, names)))
    else:
        finished = "" if tournament.finished else f" of {tournament.matches:,}, as it is not finished"
        echo(f"tournament {tournament.id}: {tournament.game}, {found.matches:,} matches that count{finished}")
        for lines in (_collusion(found, tournament.id or 0), _forfeits(found), _seats(found, names)):
            echo("")
            for line in lines:
                echo(line)
    raise SystemExit(1 if found.accused else 0)


def _object(number: int, found: "Audit", names: Sequence[str]) -> dict[str, Any]:
    """Return what --json prints."""
    without = {row.bot: row for row in found.without.rows}
    return {
        "tournament": number,
        "matches": found.matches,
        "every": found.every,
        "pairs": [
            {
                "kind": each.kind,
                "one": each.one,
                "other": each.other,
                "comparisons": round(each.comparisons, 6),
                "deals": each.deals,
                "made": round(each.made, 6),
                "expected": round(each.made - each.beyond, 6),
                "beyond": round(each.beyond, 6),
                "bar": round(each.ci95, 6),
                "elo": round(each.elo, 2),
                "chance": each.chance,
                "stands_out": each.stands_out,
            }
            for each in found.suspicions
        ],
        "forfeits": {
            "matches": found.forfeited,
            "share": round(found.forfeited / found.matches, 6) if found.matches else None,
            "by_bot": found.forfeits,
            "ranking": [
                {
                    "bot": row.bot,
                    "rank": row.rank,
                    "elo": round(row.elo, 2),
                    "rank_without": without[row.bot].rank if row.bot in without else None,
                    "elo_without": round(without[row.bot].elo, 2) if row.bot in without else None,
                }
                for row in found.table.rows
            ],
        },
        "seats": {"bots": list(names), "matches": found.seats},
    }


def _collusion(found: "Audit", number: int) -> Iterator[str]:
    """Yield what every two bots did for each other."""
    from arena.ratings.collusion import MIN_DEALS, MIN_EXCESS, SIGNIFICANCE
    from arena.ratings.text_table import TextTable

    if not found.suspicions:
        yield (
            "collusion: nothing can be told. It takes three bots or more, of which two met in "
            f"{MIN_DEALS} deals at least"
        )
        return
    accused = found.accused
    honest = f"in {100 * SIGNIFICANCE:g} of 100 tournaments of honest bots"
    if accused:
        yield f"collusion: {len(accused)} of {len(found.suspicions)} looked at stand out (!), which happens {honest}"
    else:
        yield f"collusion: nothing stands out of {len(found.suspicions)} looked at ({honest} something does)"
    shown = [*accused, *[each for each in found.suspicions if not each.stands_out][:SHOWN]]
    headers = ["", "what", "points in %", "expected", "beyond", "± 95 %", "deals", "chance"]
    yield TextTable(headers, [_line(each) for each in shown], (0, 1), []).render()
    if len(found.suspicions) > len(shown):
        yield f"... and {len(found.suspicions) - len(shown)} more, which --json prints"
    if found.every > 1:
        yield f"Of {found.every} deals one was looked at, which tells enough."
    yield "points: of the second bot against the first, or of both against the others at their table"
    yield (
        "chance: that honest bots, any two of all these, show as much. Less than "
        f"{100 * MIN_EXCESS:g} % beyond never stands out: styles do as much."
    )
    if accused:
        yield "This is no proof, as one style may play into the hands of another; look at the matches:"
        first = accused[0]
        yield f"  arena matches --tourney {number} --bot {first.one} --against {first.other}"
    if len(found.table.rows) == 3 and accused:
        yield "Of three bots at every table results do not tell which two it is."


def _line(each: "Suspicion") -> list[str]:
    what = f"from {each.one} to {each.other}" if each.kind == "flow" else f"{each.one} and {each.other} together"
    chance = ">0.99" if each.chance > 0.99 else "<0.0001" if each.chance < 0.0001 else f"{each.chance:.2g}"
    return [
        "!" if each.stands_out else "",
        what,
        f"{100 * each.made:.1f}",
        f"{100 * (each.made - each.beyond):.1f}",
        f"{100 * each.beyond:+.1f}",
        f"{100 * each.ci95:.1f}",
        str(each.deals),
        chance,
    ]


def _forfeits(found: "Audit") -> Iterator[str]:
    """Yield what forfeits did."""
    from arena.ratings.text_table import TextTable

    if not found.forfeited:
        yield "forfeits: none"
        return
    share = 100 * found.forfeited / max(found.matches, 1)
    yield f"forfeits: in {found.forfeited:,} matches ({share:.1f} %); the ranking without them"
    without = {row.bot: row for row in found.without.rows}
    lines = []
    for row in found.table.rows:
        other = without.get(row.bot)
        lines.append(
            [
                row.rank,
                row.bot,
                f"{row.bound} {row.elo:+.1f}".strip(),
                found.forfeits.get(row.bot, "-"),
                other.rank if other else "-",
                f"{other.bound} {other.elo:+.1f}".strip() if other else "-",
            ]
        )
    yield TextTable(["rank", "bot", "Elo", "seats forfeited", "rank without", "Elo without"], lines, (1,), []).render()


def _seats(found: "Audit", names: Sequence[str]) -> Iterator[str]:
    """Yield who sat where."""
    from arena.ratings.text_table import TextTable

    widest = max((max(mine) - min(mine) for mine in found.seats if mine), default=0)
    if widest == 0:
        yield "seats: every bot sat in every seat equally often"
        return
    yield f"seats: one bot sat in some seat {widest:,} times more than in another"
    headers = ["bot", *(f"seat {seat}" for seat in range(len(found.seats[0])))]
    yield TextTable(headers, [[name, *mine] for name, mine in zip(names, found.seats, strict=True)], (0,), []).render()
