"""What the page of a match has of the package."""

from arena.language.messages import gettext as _
from arena.replay.html import Element, tag


def analysis_form(match: int) -> Element:
    """Return the form to have the chances to win in a match estimated.

    match: its id.
    """
    return tag(
        "form",
        {"id": "analyse", "method": "post", "action": f"/matches/{match}/analysis"},
        tag(
            "button",
            {"title": _("at up to 32 moves, by playouts of a sample bot, from the perspective that is shown")},
            _("estimate chances to win"),
        ),
        tag("span", {"id": "analysis", "role": "status"}),
    )
