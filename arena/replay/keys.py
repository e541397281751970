"""The help texts of the keys. The pages and the terminal use the same keys where both have the function."""

MOVING = (
    ("← →", "previous, next event: what happens between two moves is shown step by step"),
    (", .", "previous, next move"),
    ("r R (Shift+← →)", "next, previous round"),
    ("Home End", "first, last move"),
    ("Space", "play, pause"),
    ("+ -", "faster, slower"),
    ("e E", "next, previous elimination"),
    ("d D", "next, previous defeat"),
    ("f F", "next, previous fault"),
    ("k K", "next, previous moment of the story"),
    ("m M", "next, previous move of the chosen seat"),
    ("/ n N", "search; next, previous match of the text"),
)
SEEING = (
    ("0 … 9", "show what that seat knew"),
    ("o", "show everything"),
    ("v", "verify the record"),
)

PAGE = (
    *MOVING,
    *SEEING,
    ("b", "largest swing of the lines in the ribbon: of a score in a round, or of a chance to win"),
    ("c", "show chances to win in the ribbon, or scores"),
    ("h", "show or hide the rules"),
    ("l", "copy the link to this position"),
    ("a", "copy the command that asks the bot again"),
    ("?", "list the keys"),
)
"""The keys of a page."""

COMPARED = (
    ("← →", "previous, next move, in all matches"),
    ("r R (Shift+← →)", "next, previous round"),
    ("Home End", "first, last round"),
    ("Space", "play, pause"),
    ("+ -", "faster, slower"),
    ("0 … 9", "compare this seat"),
    ("o", "show everything, or only what the seat knew"),
    ("l", "copy the link to these positions"),
    ("?", "list the keys"),
)
"""The keys of the page that shows matches side by side."""

TERMINAL = (
    *MOVING,
    ("g", "go to a move by number"),
    ("w W", "choose the next, previous seat, marked (m)"),
    *SEEING,
    ("s S", "show what the next, previous seat knew"),
    ("p", "show the output of the bot to move"),
    ("↑ ↓ PgUp PgDn", "scroll the question, the table"),
    ("l", "copy the command that opens this position"),
    ("a", "copy the command that asks the bot again"),
    ("c", "copy the command that continues from here by hand"),
    ("q", "quit"),
    ("?", "list the keys"),
)
"""The keys of the terminal."""

SPEEDS = (0.5, 1, 2, 4, 8, 16, 32)
"""Playback speeds, in events a second."""
