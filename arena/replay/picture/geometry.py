"""Where the seats stand around a table; as `seats.js` has it, for the wide table. A test compares both."""

from typing import NamedTuple

HEIGHT = 0.55
"""Of a table, in parts of its width, by which seats are divided."""
WIDEST = 0.72
"""Of the only place in its row, in parts of the table's width."""
FLAT = 1.6
"""How much wider than high a place may be before width is of no more use."""
BESIDE = 1.25
"""How much better a table with seats at its sides looks."""
HIGH = 36
"""Percent of the table, for places above and below a middle without seats at its sides."""


class Box(NamedTuple):
    """A part of the table."""

    x: float
    y: float
    width: float
    height: float

    def within(self, outer: "Box") -> "Box":
        """Return this box, whose measures are percent, as a part of another one."""
        return Box(
            outer.x + self.x * outer.width / 100,
            outer.y + self.y * outer.height / 100,
            self.width * outer.width / 100,
            self.height * outer.height / 100,
        )

    def inset(self, gap: float) -> "Box":
        """Return this box without a margin on each side."""
        return Box(self.x + gap, self.y + gap, self.width - 2 * gap, self.height - 2 * gap)


BESIDE_BOARD = [Box(68, 50, 32, 50), Box(68, 0, 32, 50)], Box(0, 0, 68, 100)
"""The boxes of two seats and of the board between them."""


def boxes(seats: int) -> tuple[list[Box], Box]:
    """Return the box of each seat, from the one at the bottom on clockwise, and of the middle, in percent."""
    bottom, side, top = _division(seats)
    height = 100 / max(3, side + 2) if side else HIGH
    beside = 100 * _side_width(seats)
    low = (100 - 2 * height) / side if side else 0

    def row(count: int, y: float, place: int) -> Box:
        width = min(100 / count, 100 * WIDEST)
        return Box(50 + (place - (count - 1) / 2) * width - width / 2, y, width, height)

    left = [Box(0, 100 - height - (place + 1) * low, beside, low) for place in range(side)]
    right = [Box(100 - beside, height + place * low, beside, low) for place in range(side)]
    own = (bottom - 1) // 2
    below = [row(bottom, 100 - height, place) for place in range(bottom)]
    above = [row(top, 0, place) for place in range(top)]
    inset = beside if side else 0
    order = [*reversed(below[: own + 1]), *left, *above, *right, *reversed(below[own + 1 :])]
    return order, Box(inset, height, 100 - 2 * inset, 100 - 2 * height)


def _side_width(seats: int) -> float:
    return 0.2 if seats > 12 else 0.29


def _division(seats: int) -> tuple[int, int, int]:
    """Return how many seats stand at the bottom, at each side and at the top, so that the smallest place is largest."""
    best_value, best_low, best = 0.0, 0.0, (1, 0, max(1, seats - 1))
    for bottom in range(1, seats, 2):
        for side in range(seats):
            top = seats - bottom - 2 * side
            if top <= 0:
                break
            low = FLAT * HEIGHT / max(3, side + 2)
            widths = [1 / top, 1 / bottom, *([_side_width(seats)] if side else [])]
            value = min(low, *widths) * (BESIDE if side else 1)
            if value > best_value + 1e-9 or (value > best_value - 1e-9 and low > best_low):
                best_value, best_low, best = value, low, (bottom, side, top)
    return best
