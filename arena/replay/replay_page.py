"""The elements of the replay page, which scripts fill; on the site and in a self-contained file."""

from collections.abc import Sequence

from arena.language.messages import gettext as _
from arena.replay.html import Attributes, Child, Element, tag
from arena.replay.keys import PAGE, SPEEDS
from arena.replay.rules_drawer import rules_button


def head(
    title: Child,
    details: Sequence[Child],
    players: Sequence[str],
    perspectives: Sequence[int | None],
    *tools: Child,
    standstill_ms: int = 0,
) -> Element:
    """Return the row with the heading, the choice of the perspective and the menu of everything rarely needed.

    details: what follows the heading.
    players: the names by seat.
    perspectives: the perspectives that can be chosen; None stands for the whole match.
    tools: what stands at the end of the menu.
    standstill_ms: how long the machine stood still.
    """
    options = [
        tag(
            "option",
            {"value": "all" if perspective is None else perspective},
            _("everything") if perspective is None else _seat(players, perspective),
        )
        for perspective in perspectives
    ]
    return tag(
        "div",
        {"class": "head"},
        tag("h1", {}, title),
        tag("span", {"class": "soft"}, details),
        _standstill(standstill_ms),
        tag("label", {}, tag("span", {}, _("seen by")), tag("select", {"id": "perspective"}, options)),
        rules_button(),
        tag("button", {"type": "button", "id": "more", "popovertarget": "menu"}, _("more")),
        _menu(players, tools),
    )


def _standstill(milliseconds: int) -> Element | None:
    """Return how long the machine stood still during a match, if it did."""
    if not milliseconds:
        return None
    return tag("span", {"class": "soft paused"}, _("the machine stood still for {0} s", f"{milliseconds / 1000:.1f}"))


def player(players: Sequence[str], rules: Element) -> list[Element]:
    """Return the elements below the heading.

    players: the names by seat.
    rules: the drawer with the rules.
    """
    return [
        tag("p", {"id": "trouble", "class": "fault", "role": "alert", "hidden": True}),
        tag("p", {"id": "remark", "class": "warn"}),
        tag(
            "div",
            {"class": "replay"},
            tag(
                "section",
                {"class": "stage", "aria-label": _("replay")},
                tag("div", {"class": "table", "id": "table", "role": "group", "aria-label": _("the table")}),
            ),
            _side(players, rules),
        ),
        _controls(),
        tag("p", {"id": "spoken", "class": "visually-hidden", "aria-live": "polite"}),
        key_help(PAGE),
    ]


def theme_button() -> Element:
    """Return the button that switches between the light and dark theme."""
    return tag(
        "button", {"type": "button", "id": "theme", "title": _("light or dark"), "aria-label": _("light or dark")}, "◐"
    )


def transport(position: Child, *more: Child, events: bool) -> Element:
    """Return the line of buttons that move through a match.

    position: what shows and sets the position in the match.
    more: what follows the buttons.
    events: whether a step is an event; otherwise it is a move.
    """
    speeds = [tag("option", {"value": f"{speed:g}", "selected": speed == 2}, f"{speed:g}×") for speed in SPEEDS]
    back, forward, unit = (
        (_("previous event"), _("next event"), _("events a second"))
        if events
        else (_("previous move"), _("next move"), _("moves a second"))
    )
    return tag(
        "div",
        {"class": "transport"},
        _button("first", "|‹", _("first move"), "sign far"),
        _button("before", "«", _("previous round"), "sign far"),
        _button("back", "‹", back, "sign"),
        _button("play", "▶\N{VARIATION SELECTOR-15}", _("play"), "sign main"),
        _button("step", "›", forward, "sign"),
        _button("after", "»", _("next round"), "sign far"),
        _button("end", "›|", _("last move"), "sign far"),
        position,
        tag(
            "label",
            {"title": unit},
            tag("span", {"class": "word"}, _("speed"), " "),
            tag("select", {"id": "speed", "aria-label": _("speed")}, speeds),
        ),
        more,
    )


def _controls() -> Element:
    return tag(
        "div",
        {"class": "controls", "role": "group", "aria-label": _("controls")},
        tag(
            "div",
            {"class": "scrub"},
            tag(
                "div",
                {"class": "ribbon"},
                tag(
                    "svg",
                    {"id": "ribbon", "viewBox": "0 0 1000 100", "preserveAspectRatio": "none", "aria-hidden": "true"},
                ),
                tag("span", {"id": "measure", "aria-hidden": "true"}),
                tag("input", {"type": "range", "id": "scrub", "min": 0, "max": 0, "value": 0, "aria-label": _("move")}),
            ),
            tag("div", {"id": "ends", "aria-hidden": "true"}),
        ),
        transport(
            tag(
                "span",
                {"class": "at"},
                tag("span", {"class": "word"}, _("move"), " "),
                tag("input", {"type": "number", "id": "number", "min": 0, "value": 0, "aria-label": _("move number")}),
                tag("span", {"class": "word"}, " ", _("of"), " "),
                tag("span", {"id": "last"}, "0"),
            ),
            tag(
                "button",
                {
                    "type": "button",
                    "id": "kind",
                    "hidden": True,
                    "aria-pressed": "true",
                    "title": _("chances or scores (c)"),
                },
                _("chances"),
            ),
            tag("div", {"class": "legend", "id": "legend", "aria-hidden": "true"}),
            events=True,
        ),
    )


def _menu(players: Sequence[str], tools: Sequence[Child]) -> Element:
    """Return what the button "more" opens."""
    return tag(
        "div",
        {"id": "menu", "popover": "", "role": "group", "aria-label": _("more")},
        tag(
            "div",
            {"class": "actions"},
            _action("next-out", _("next elimination"), "e"),
            _action("next-fault", _("next fault"), "f"),
            tag(
                "div",
                {"class": "of"},
                _action("next-move", _("next move of"), "m"),
                tag("select", {"id": "of", "aria-label": _("seat")}, _seat_options(players)),
            ),
            _action("swing", _("largest swing"), "b"),
            _action("lines", _("chances to win or scores"), "c"),
            _action("verify", _("verify the record"), "v", closes=True),
            _action("again", _("copy the command that asks the bot again"), "a", closes=True),
            _action("link", _("copy the link to this position"), "l", closes=True),
            _action("keys", _("keys"), "?", closes=True),
        ),
        tools,
    )


def _action(id: str, name: str, key: str, *, closes: bool = False) -> Element:
    """Return an entry of the menu.

    closes: whether it closes the menu, which would cover what it shows.
    """
    attributes: Attributes = {"type": "button", "id": id}
    closing: Attributes = {"popovertarget": "menu", "popovertargetaction": "hide"} if closes else {}
    return tag("button", {**attributes, **closing}, name, " ", tag("kbd", {}, key))


def _side(players: Sequence[str], rules: Element) -> Element:
    return tag(
        "div",
        {"class": "side"},
        tag(
            "div",
            {"class": "tabs", "role": "radiogroup", "aria-label": _("beside the table")},
            _tab("question", _("Question"), chosen=True),
            _tab("story", _("Story")),
            _tab("log", _("Log")),
        ),
        tag(
            "section",
            {"class": "sheet question", "id": "question", "tabindex": "0", "aria-label": _("question and answer")},
        ),
        tag(
            "section",
            {"class": "sheet story", "aria-label": _("key moments")},
            tag("h2", {}, _("Key moments")),
            tag("ol", {"id": "story"}),
        ),
        tag(
            "section",
            {"class": "sheet log", "aria-label": _("log")},
            tag(
                "div",
                {"class": "title"},
                tag("h2", {}, _("Log")),
                tag(
                    "input",
                    {"type": "search", "id": "search", "placeholder": _("search"), "aria-label": _("search the log")},
                ),
            ),
            tag("ol", {"id": "log", "tabindex": 0, "aria-label": _("log of the match")}),
        ),
        rules,
        tag(
            "details",
            {"class": "sheet output", "id": "output"},
            tag("summary", {}, _("Output of the bot")),
            tag("label", {}, _("of"), " ", tag("select", {"id": "whose"}, _seat_options(players))),
            tag("pre", {"id": "printed", "tabindex": 0, "role": "group", "aria-label": _("output of the bot")}),
        ),
        tag(
            "div",
            {"class": "messages"},
            tag("span", {"id": "search-result", "role": "status"}),
            tag("span", {"id": "verdict", "class": "verdict", "role": "status"}),
            tag("span", {"id": "asked", "role": "status"}),
        ),
    )


def _tab(name: str, words: str, *, chosen: bool = False) -> Element:
    """Return the button that shows one part of the side on a narrow screen, where there is room for one."""
    button: Attributes = {"type": "radio", "name": "side", "id": f"show-{name}", "checked": chosen}
    return tag("label", {}, tag("input", button), words)


def _seat_options(players: Sequence[str]) -> list[Element]:
    return [tag("option", {"value": seat}, _seat(players, seat)) for seat in range(len(players))]


def key_help(keys: Sequence[tuple[str, str]]) -> Element:
    """Return the dialog that lists the keys.

    keys: the keys, each with its meaning.
    """
    rows = [(tag("dt", {}, tag("kbd", {}, key)), tag("dd", {}, _(meaning))) for key, meaning in keys]
    close = tag("form", {"method": "dialog"}, tag("button", {}, _("close")))
    return tag("dialog", {"id": "help", "aria-label": _("keys")}, tag("h2", {}, _("Keys")), tag("dl", {}, rows), close)


def _button(id: str, sign: str, meaning: str, kind: str | None = None) -> Element:
    return tag("button", {"type": "button", "id": id, "title": meaning, "aria-label": meaning, "class": kind}, sign)


def _seat(players: Sequence[str], seat: int) -> str:
    return f"{_('seat {0}', seat)} · {players[seat]}"
