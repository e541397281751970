"""What the keys do, in the pages and in the terminal: the same wherever both have it."""

MOVING = (
    ("← →", "one move back, on"),
    ("r R (or Shift and ← →)", "next, previous round"),
    ("Home End", "beginning, end"),
    ("Space", "play, pause"),
    ("+ -", "faster, slower"),
    ("e E", "next, previous elimination"),
    ("d D", "next, previous defeat"),
    ("f F", "next, previous fault"),
    ("m M", "next, previous move of the chosen seat"),
    ("/ n N", "search, next and previous hit"),
)
SEEING = (
    ("0 … 9", "what that seat knew"),
    ("o", "everything"),
    ("v", "verify"),
)

PAGE = (
    *MOVING,
    *SEEING,
    ("l", "copy the link to this moment"),
    ("?", "this list"),
)
"""The keys of a page."""

TERMINAL = (
    *MOVING,
    ("g", "go to a move by its number"),
    ("w W", "choose the next, previous seat: marked (m)"),
    *SEEING,
    ("s S", "what the next, previous seat knew"),
    ("p", "what the bot of the chosen seat printed"),
    ("↑ ↓ PgUp PgDn", "scroll the question, the table"),
    ("l", "the command that leads to this moment"),
    ("a", "the command that asks the bot again"),
    ("c", "the command that goes on from here by hand"),
    ("q", "quit"),
    ("?", "this list"),
)
"""The keys of the terminal."""

SPEEDS = (0.5, 1, 2, 4, 8, 16, 32)
"""Moves a second at which a match is played."""
