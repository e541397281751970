"""A match played on from a move that was not played: its replay, and the offer to have it played."""

from arena.language.messages import gettext as _
from arena.record.played_rules import rules
from arena.replay.html import fragment
from arena.replay.readable import in_words, match_codes
from arena.replay.replay_page import head, player
from arena.replay.rules_drawer import rules_drawer
from arena.server.files import art_address
from arena.server.matches.compare import Side, compared
from arena.server.matches.replay import player_scripts, save_menu
from arena.values.rows import StoredMatch
from arena_insight.templates import TEMPLATES
from arena_insight.what_if import WhatIf
from arena_insight.what_if_matches import Change
from arena_insight.what_if_remark import what_if_remark
from referee.engine.record import Step

_match_link = TEMPLATES.macro("what_if/links.html", "match_link")
_compare_link = TEMPLATES.macro("what_if/links.html", "compare_link")


def address(change: Change) -> str:
    """Return the path of the page of a what-if."""
    return f"/matches/{change.match}/what-if/{change.answer}/{change.choice}"


def show(change: Change, what_if: WhatIf, frame: int) -> str:
    """Return the replay of a what-if.

    frame: the number of the frame with the other move, which is the same in the match.
    """
    match, branch = what_if.match, what_if.branch
    game = match.event.game
    title = _("What if, match {0}: {1}: {2}", change.match, match.players[branch.seat], in_words(match, branch.move))
    return TEMPLATES.page(
        "matches/replay.html",
        translated=True,
        title=title,
        base=address(change),
        game=game,
        art=art_address(game),
        codes=match_codes(match),
        attributes={"data-remark": what_if_remark(match, branch), "data-unstored": True},
        head=head(
            title,
            [_match_link(change.match, frame)],
            match.players,
            [None, *range(len(match.players))],
            save_menu(has_questions=False),
            _compare_link(address(change)),
        ),
        player=fragment(player(match.players, rules_drawer(*rules(match)))),
        scripts=player_scripts(game),
    )


def compare(change: Change, match: StoredMatch, what_if: WhatIf) -> str:
    """Return a match beside what would have become of it.

    match: the match as it was played.
    """
    sides = [Side(address(change), _("what if")), Side(f"/matches/{match.id}", _("match {0}", match.id))]
    return compared(match, sides, remark=what_if_remark(what_if.match, what_if.branch))


def offer(change: Change, match: StoredMatch, step: Step, *, may_play: bool) -> str:
    """Return the page that offers to have a what-if played.

    step: the recorded answer.
    """
    return TEMPLATES.page(
        "what_if/offer.html",
        translated=True,
        match=match.id,
        answer=change.answer,
        choice=change.choice,
        player=match.players[step.seat],
        move=in_words(match, step.legal[change.choice]),
        recorded=in_words(match, step.move),
        may_play=may_play,
    )
