"""The elements of the replay page, which scripts fill; on the site and in a self-contained file."""

from collections.abc import Sequence

from arena.viewer.html import Attributes, Child, Element, tag
from arena.viewer.keys import PAGE, SPEEDS
from arena.viewer.rules_drawer import rules_button


def head(
    title: str, details: Sequence[Child], players: Sequence[str], perspectives: Sequence[int | None], *tools: Child
) -> Element:
    """Return the row with the heading, the choice of the perspective and the menu of everything rarely needed.

    details: what follows the heading. players: the names by seat. perspectives: those that can be chosen; None stands
    for the whole match. tools: what stands at the end of the menu.
    """
    options = [
        tag(
            "option",
            {"value": "all" if perspective is None else perspective},
            "everything" if perspective is None else _seat(players, perspective),
        )
        for perspective in perspectives
    ]
    return tag(
        "div",
        {"class": "head"},
        tag("h1", {}, title),
        tag("span", {"class": "soft"}, details),
        tag("label", {}, tag("span", {}, "seen by"), tag("select", {"id": "perspective"}, options)),
        rules_button(),
        tag("button", {"type": "button", "id": "more", "popovertarget": "menu"}, "more"),
        _menu(players, tools),
    )


def player(players: Sequence[str], rules: Element) -> list[Element]:
    """Return the elements below the heading. players: the names by seat. rules: the drawer with the rules."""
    return [
        tag("p", {"id": "trouble", "class": "fault", "role": "alert", "hidden": True}),
        tag("p", {"id": "remark", "class": "warn"}),
        tag(
            "div",
            {"class": "replay"},
            tag(
                "section",
                {"class": "stage", "aria-label": "replay"},
                tag("div", {"class": "table", "id": "table", "role": "group", "aria-label": "the table"}),
            ),
            _side(players, rules),
        ),
        _controls(),
        tag("p", {"id": "spoken", "class": "visually-hidden", "aria-live": "polite"}),
        _help(),
    ]


def theme_button() -> Element:
    """Return the button that switches between the light and dark theme."""
    return tag(
        "button", {"type": "button", "id": "theme", "title": "light or dark", "aria-label": "light or dark"}, "◐"
    )


def _controls() -> Element:
    speeds = [tag("option", {"value": f"{speed:g}", "selected": speed == 2}, f"{speed:g}×") for speed in SPEEDS]
    return tag(
        "div",
        {"class": "controls", "role": "group", "aria-label": "controls"},
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
                tag("input", {"type": "range", "id": "scrub", "min": 0, "max": 0, "value": 0, "aria-label": "move"}),
            ),
            tag("div", {"id": "ends", "aria-hidden": "true"}),
        ),
        tag(
            "div",
            {"class": "transport"},
            _button("first", "|‹", "first move", "sign far"),
            _button("before", "«", "previous round", "sign far"),
            _button("back", "‹", "previous event", "sign"),
            _button("play", "▶\N{VARIATION SELECTOR-15}", "play", "sign main"),
            _button("step", "›", "next event", "sign"),
            _button("after", "»", "next round", "sign far"),
            _button("end", "›|", "last move", "sign far"),
            tag(
                "span",
                {"class": "at"},
                tag("span", {"class": "word"}, "move "),
                tag("input", {"type": "number", "id": "number", "min": 0, "value": 0, "aria-label": "move number"}),
                tag("span", {"class": "word"}, " of "),
                tag("span", {"id": "last"}, "0"),
            ),
            tag(
                "label",
                {"title": "events a second"},
                tag("span", {"class": "word"}, "speed "),
                tag("select", {"id": "speed", "aria-label": "speed"}, speeds),
            ),
            tag("div", {"class": "legend", "id": "legend", "aria-hidden": "true"}),
        ),
    )


def _menu(players: Sequence[str], tools: Sequence[Child]) -> Element:
    """Return what the button "more" opens."""
    return tag(
        "div",
        {"id": "menu", "popover": "", "role": "group", "aria-label": "more"},
        tag(
            "div",
            {"class": "actions"},
            _action("next-out", "next elimination", "e"),
            _action("next-fault", "next fault", "f"),
            tag(
                "div",
                {"class": "of"},
                _action("next-move", "next move of", "m"),
                tag("select", {"id": "of", "aria-label": "seat"}, _seat_options(players)),
            ),
            _action("swing", "largest swing of a score", "b"),
            _action("verify", "verify the record", "v", closes=True),
            _action("again", "copy the command that asks the bot again", "a", closes=True),
            _action("link", "copy the link to this position", "l", closes=True),
            _action("keys", "keys", "?", closes=True),
        ),
        tools,
    )


def _action(id: str, name: str, key: str, *, closes: bool = False) -> Element:
    """Return an entry of the menu. closes: whether it closes the menu, which would cover what it shows."""
    attributes: Attributes = {"type": "button", "id": id}
    closing: Attributes = {"popovertarget": "menu", "popovertargetaction": "hide"} if closes else {}
    return tag("button", {**attributes, **closing}, name, " ", tag("kbd", {}, key))


def _side(players: Sequence[str], rules: Element) -> Element:
    return tag(
        "div",
        {"class": "side"},
        tag(
            "div",
            {"class": "tabs", "role": "radiogroup", "aria-label": "beside the table"},
            _tab("question", "Question", chosen=True),
            _tab("log", "Log"),
        ),
        tag("section", {"class": "sheet question", "id": "question", "aria-label": "question and answer"}),
        tag(
            "section",
            {"class": "sheet log", "aria-label": "log"},
            tag(
                "div",
                {"class": "title"},
                tag("h2", {}, "Log"),
                tag(
                    "input",
                    {"type": "search", "id": "search", "placeholder": "search", "aria-label": "search the log"},
                ),
            ),
            tag("ol", {"id": "log", "tabindex": 0, "aria-label": "log of the match"}),
        ),
        rules,
        tag(
            "details",
            {"class": "sheet output", "id": "output"},
            tag("summary", {}, "Output of the bot"),
            tag("label", {}, "of ", tag("select", {"id": "whose"}, _seat_options(players))),
            tag("pre", {"id": "printed", "tabindex": 0, "role": "group", "aria-label": "output of the bot"}),
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


def _help() -> Element:
    rows = [(tag("dt", {}, tag("kbd", {}, keys)), tag("dd", {}, meaning)) for keys, meaning in PAGE]
    close = tag("form", {"method": "dialog"}, tag("button", {}, "close"))
    return tag("dialog", {"id": "help", "aria-label": "keys"}, tag("h2", {}, "Keys"), tag("dl", {}, rows), close)


def _button(id: str, sign: str, meaning: str, kind: str | None = None) -> Element:
    return tag("button", {"type": "button", "id": id, "title": meaning, "aria-label": meaning, "class": kind}, sign)


def _seat(players: Sequence[str], seat: int) -> str:
    return f"seat {seat} · {players[seat]}"
