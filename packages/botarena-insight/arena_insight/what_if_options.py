"""The options of `arena replay` for a match that is played on from another move."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from referee.sandbox import MODES

if TYPE_CHECKING:
    from arena.store import Store
    from arena.values.rows import StoredMatch

HELP = """--what-if 57=exchange shows what would have become of the match with the move "exchange" at answer 57:
recorded answers go on as long as they fit, and from there the bots of the match play, or sample bots in the place of
those that cannot be started. Nothing is stored."""


class AnswerMove(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click only
    """The number of an answer and a move: 57=exchange."""

    name = "answer=move"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, str]:
        """Return the number and the move. Fails for anything else."""
        number, is_pair, move = str(value).partition("=")
        if not is_pair or not number.isdecimal() or len(number) > 9 or not move:
            self.fail(f"{value!r} is not an answer and a move: 57=exchange", param, ctx)
        return int(number), move


def replay_options() -> Sequence[click.Option]:
    """Return the options."""
    return [
        click.Option(
            ["--what-if", "what_if"],
            type=AnswerMove(),
            metavar="N=MOVE",
            help="Play the match on from another answer N, by its bots, and replay that.",
        ),
        click.Option(
            ["--sandbox"], type=click.Choice(MODES), default="auto", show_default=True, help="Sandbox of the bots."
        ),
    ]


def play_given(options: Mapping[str, Any], store: "Store", match: "StoredMatch") -> "tuple[StoredMatch, str] | None":
    """Play a match on from the answer that the options name; return it with what is to be said of it.

    None if they name none.
    """
    if options["what_if"] is None:
        return None
    from arena.packs.roster import Roster
    from arena.run.hosting import Hosting
    from arena_insight.match_branch import branch, choice_of
    from arena_insight.what_if import play_what_if, table_of
    from arena_insight.what_if_remark import what_if_remark

    answer, move = options["what_if"]
    branched = branch(match, answer, choice_of(match, answer, move))
    roster = Roster(store.where, store.submissions.all())
    table = table_of(match, store.decisions_of(match), roster, lambda name: True)
    what_if = play_what_if(match, branched, table, Hosting(options["sandbox"]))
    return what_if.match, what_if_remark(what_if.match, what_if.branch)
