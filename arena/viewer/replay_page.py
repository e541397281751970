"""The elements of the replay page, which scripts fill; on the site and in a self-contained file."""

from collections.abc import Sequence

from arena.viewer.html import Element, tag
from arena.viewer.keys import PAGE, SPEEDS


def player(players: Sequence[str], perspectives: Sequence[int | None]) -> list[Element]:
    """Return the elements below the heading.

    players: the names by seat. perspectives: those that can be chosen; None stands for the whole match.
    """
    seats = [tag("option", {"value": seat}, f"seat {seat} · {name}") for seat, name in enumerate(players)]
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
                _controls(players, perspectives, seats),
            ),
            _side(seats),
        ),
        tag("p", {"id": "spoken", "class": "visually-hidden", "aria-live": "polite"}),
        _help(),
    ]


def theme_button() -> Element:
    """Return the button that switches between the light and dark theme."""
    return tag(
        "button", {"type": "button", "id": "theme", "title": "light or dark", "aria-label": "light or dark"}, "◐"
    )


def _controls(players: Sequence[str], perspectives: Sequence[int | None], seats: list[Element]) -> Element:
    perspective_options = [
        tag(
            "option",
            {"value": "all" if perspective is None else perspective},
            "everything" if perspective is None else _seat(players, perspective),
        )
        for perspective in perspectives
    ]
    speeds = [tag("option", {"value": f"{speed:g}", "selected": speed == 2}, f"{speed:g} a second") for speed in SPEEDS]
    return tag(
        "div",
        {"class": "controls sheet", "role": "group", "aria-label": "controls"},
        tag(
            "div",
            {"class": "scrub"},
            tag(
                "svg",
                {"id": "marks", "viewBox": "0 0 1000 12", "preserveAspectRatio": "none", "aria-hidden": "true"},
            ),
            tag("input", {"type": "range", "id": "scrub", "min": 0, "max": 0, "value": 0, "aria-label": "move"}),
        ),
        tag(
            "div",
            {"class": "buttons"},
            _button("first", "|‹", "first move", "sign"),
            _button("before", "«", "previous round", "sign"),
            _button("back", "‹", "previous move", "sign"),
            _button("play", "▶\N{VARIATION SELECTOR-15}", "play", "sign main"),
            _button("step", "›", "next move", "sign"),
            _button("after", "»", "next round", "sign"),
            _button("end", "›|", "last move", "sign"),
            tag(
                "span",
                {"class": "at"},
                "move ",
                tag("input", {"type": "number", "id": "number", "min": 0, "value": 0, "aria-label": "move number"}),
                " of ",
                tag("span", {"id": "last"}, "0"),
            ),
            tag("span", {"class": "gap"}),
            tag("label", {}, "speed", tag("select", {"id": "speed"}, speeds)),
        ),
        tag(
            "div",
            {"class": "buttons"},
            tag("label", {}, "seen by", tag("select", {"id": "perspective"}, perspective_options)),
            _button("next-out", "elimination", "next elimination"),
            _button("next-fault", "fault", "next fault"),
            tag(
                "span",
                {"class": "of"},
                _button("next-move", "next move of", "next move of the chosen seat"),
                tag("select", {"id": "of", "aria-label": "seat"}, seats),
            ),
            tag("span", {"class": "gap"}),
            tag("input", {"type": "search", "id": "search", "placeholder": "search", "aria-label": "search the log"}),
        ),
        tag(
            "div",
            {"class": "buttons"},
            tag("div", {"class": "legend", "id": "legend", "aria-hidden": "true"}),
            tag("span", {"class": "gap"}),
            tag("span", {"id": "search-result", "class": "soft", "role": "status"}),
            tag("span", {"id": "verdict", "class": "verdict", "role": "status"}),
            tag("span", {"id": "asked", "class": "soft asked", "role": "status"}),
            _button("again", "ask again", "copy the command that asks the bot this question again"),
            _button("verify", "verify", "replay the record by the rules and compare"),
            _button("link", "copy link", "copy the link to this position"),
            _button("keys", "?", "keys"),
        ),
    )


def _side(seats: list[Element]) -> Element:
    return tag(
        "div",
        {"class": "side"},
        tag("section", {"class": "sheet question", "id": "question", "aria-label": "question and answer"}),
        tag(
            "section",
            {"class": "sheet log", "aria-label": "log"},
            tag("h2", {}, "Log"),
            tag("ol", {"id": "log", "tabindex": 0, "aria-label": "log of the match"}),
        ),
        tag(
            "details",
            {"class": "sheet output", "id": "output"},
            tag("summary", {}, "Output of the bot"),
            tag("label", {}, "of ", tag("select", {"id": "whose"}, seats)),
            tag("pre", {"id": "printed", "tabindex": 0, "role": "group", "aria-label": "output of the bot"}),
        ),
    )


def _help() -> Element:
    rows = [(tag("dt", {}, tag("kbd", {}, keys)), tag("dd", {}, meaning)) for keys, meaning in PAGE]
    close = tag("form", {"method": "dialog"}, tag("button", {}, "close"))
    return tag("dialog", {"id": "help", "aria-label": "keys"}, tag("h2", {}, "Keys"), tag("dl", {}, rows), close)


def _button(id: str, sign: str, meaning: str, kind: str | None = None) -> Element:
    return tag("button", {"type": "button", "id": id, "title": meaning, "aria-label": meaning, "class": kind}, sign)


def _seat(players: Sequence[str], seat: int) -> str:
    return f"seat {seat} · {players[seat]}"
