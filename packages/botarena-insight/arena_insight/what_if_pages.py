"""A match played on from a move that was not played: its replay, and the offer to have it played."""

from arena.language.languages import LANGUAGE
from arena.language.messages import gettext as _
from arena.record.played_rules import rules
from arena.replay.html import Element, tag
from arena.replay.replay_page import head, player
from arena.replay.rules_drawer import rules_drawer
from arena.server.files import art_address
from arena.server.matches.compare import Side, compared
from arena.server.matches.replay import player_scripts, save_menu
from arena.server.pages.layout import content, page, sheet
from arena.values.rows import StoredMatch
from arena_insight.what_if import WhatIf
from arena_insight.what_if_matches import Change
from arena_insight.what_if_remark import what_if_remark
from referee.engine.record import Step


def address(change: Change) -> str:
    """Return the path of the page of a what-if."""
    return f"/matches/{change.match}/what-if/{change.answer}/{change.choice}"


def show(change: Change, what_if: WhatIf, frame: int) -> str:
    """Return the replay of a what-if.

    frame: the number of the frame with the other move, which is the same in the match.
    """
    match, branch = what_if.match, what_if.branch
    game = match.event.game
    title = _("What if, match {0}: seat {1} {2}", change.match, branch.seat, _(branch.move))
    return page(
        title,
        tag(
            "main",
            {"id": "content"},
            tag(
                "div",
                {
                    "id": "replay",
                    "data-base": address(change),
                    "data-game": game,
                    "data-art": art_address(game),
                    "data-remark": what_if_remark(what_if.match, what_if.branch),
                    "data-unstored": True,
                },
                head(
                    title,
                    [tag("a", {"href": f"/matches/{change.match}#move={frame}"}, _("match {0}", change.match))],
                    match.players,
                    [None, *range(len(match.players))],
                    save_menu(has_questions=False),
                    tag(
                        "div",
                        {"class": "deal"},
                        tag(
                            "a",
                            {"href": f"{address(change)}/compare", "data-moment": True},
                            _("compare with the match"),
                        ),
                    ),
                ),
                player(match.players, rules_drawer(*rules(match))),
            ),
        ),
        here="/matches",
        kind="replay",
        language=LANGUAGE.get(),
        styles=("player.css", "items.css", "rules.css"),
        scripts=player_scripts(),
    )


def compare(change: Change, match: StoredMatch, what_if: WhatIf) -> str:
    """Return a match beside what would have become of it.

    match: the match as it was played.
    """
    sides = [Side(address(change), _("what if")), Side(f"/matches/{match.id}", _("match {0}", match.id))]
    return compared(match, sides, tag("p", {"class": "warn"}, what_if_remark(what_if.match, what_if.branch)))


def offer(change: Change, match: StoredMatch, step: Step, *, may_play: bool) -> str:
    """Return the page that offers to have a what-if played.

    step: the recorded answer.
    """
    move = step.legal[change.choice]
    sign_in = tag("p", {}, tag("a", {"href": "/sign-in"}, _("Sign in to try it.")))
    return page(
        _("What if, match {0}", match.id),
        content(
            _("What if seat {0} had answered {1}?", step.seat, _(move)),
            sheet(
                tag("p", {}, _("{0} answered {1}.", match.players[step.seat], _(step.move))),
                tag(
                    "p",
                    {},
                    tag("a", {"href": f"/matches/{match.id}"}, _("match {0}, answer {1}", match.id, change.answer)),
                ),
                _form(change) if may_play else sign_in,
            ),
        ),
        here="/matches",
        language=LANGUAGE.get(),
        styles=("site.css",),
    )


def _form(change: Change) -> Element:
    return tag(
        "form",
        {"method": "post", "action": f"/matches/{change.match}/what-if"},
        tag("input", {"type": "hidden", "name": "answer", "value": change.answer}),
        tag("input", {"type": "hidden", "name": "choice", "value": change.choice}),
        tag("button", {"class": "main"}, _("play it on")),
    )
