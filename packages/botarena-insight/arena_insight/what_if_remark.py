"""What is said of a match that was played on from another move."""

from arena.language.messages import gettext as _
from arena.replay.readable import in_words
from arena.values.rows import StoredMatch
from arena_insight.match_branch import MatchBranch


def what_if_remark(match: StoredMatch, branch: MatchBranch) -> str:
    """Return what was changed and who played, in the language of the current request."""
    kept = len(branch.plies) - branch.ply - 1
    how = _("the next {0} answers are those of the record", kept) if kept else _("no later answer of the record fits")
    players = ", ".join(match.players)
    return _(
        "What if {0} had answered {1} instead of {2} (answer {3} of match {4}): {5}, then play {6}.",
        *(
            match.players[branch.seat],
            in_words(match, branch.move),
            in_words(match, branch.recorded),
            branch.ply,
            match.id,
            how,
            players,
        ),
    )
