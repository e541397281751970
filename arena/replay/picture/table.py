"""The parts of a drawn table: the place of each seat, and the middle. Each is markup by itself, which can be reused."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.language.messages import gettext as _
from arena.replay.picture import sheets
from arena.replay.picture.board import draw_board
from arena.replay.picture.canvas import MONOSPACE, Canvas
from arena.replay.picture.faces import Faces
from arena.replay.picture.geometry import BESIDE_BOARD, Box, boxes
from arena.replay.picture.words import Words, clean, clean_lines, fitted, width, wrapped
from arena.replay.picture.zones import Zones, dot
from arena.replay.scene import Fact, Scene, TablePlace, Zone

FEW = 2
"""Cards and dice that may stand beside the words of a seat."""
MARGIN = 3
PADDING = 7
LOW, LOWEST = 92, 58
"""Places lower than this have no labels, or no line of what happened."""
FLAT = 2.1
"""How much wider than high a place is whose words stand beside its cards."""
DIM = 0.5
"""The opacity of a seat that is out."""
BADGES = 3
"""The largest number of badges in a picture."""


class Banner(NamedTuple):
    """Who won, as it stands on the table at the end."""

    title: str
    by: str
    since: str


class TableDrawer:
    """Draws the parts of a table.

    players: the names of the bots by seat.
    box: where the table is in the picture.
    first: the seat at the bottom.
    words: in the language of the picture.
    has_board: whether a board lies in the middle.
    """

    def __init__(self, players: Sequence[str], box: Box, first: int, words: Words, *, has_board: bool = False) -> None:
        self._players = players
        self._words = words
        self.faces = Faces(words)
        self._zones = Zones(self.faces, words)
        self._colours = sheets.colours()
        self._first = first
        order, middle = BESIDE_BOARD if has_board and len(players) == 2 else boxes(len(players))
        seats = len(players)
        self._places = [order[(seat - first + seats) % seats].within(box).inset(MARGIN) for seat in range(seats)]
        self._middle = middle.within(box).inset(MARGIN)

    def place(self, place: TablePlace, *, asked: bool, seen: bool = False, few: bool = False) -> str:
        """Return the place of a seat.

        asked: whether the seat is to move.
        seen: whether the table is shown as this seat saw it.
        few: whether hands are small enough to stand beside the words.
        """
        box = self._places[place.seat]
        canvas = Canvas()
        canvas.shape(
            "rect",
            x=box.x,
            y=box.y,
            width=box.width,
            height=box.height,
            rx=10,
            fill="#000",
            fill_opacity=".17" if not place.out else ".08",
            stroke=self._colours["turn"] if asked else None,
            stroke_width=3 if asked else None,
        )
        inner = Canvas()
        self._fill(
            inner, place, Box(box.x + PADDING, box.y + 3, box.width - 2 * PADDING, box.height - 6), asked, seen, few
        )
        canvas.add(f'<g opacity="{DIM}">{inner}</g>' if place.out else str(inner))
        return str(canvas)

    def _fill(self, canvas: Canvas, place: TablePlace, box: Box, asked: bool, seen: bool, few: bool) -> None:
        letter = max(11.0, min(0.1 * box.height, 0.08 * box.width, 21.0))
        line = 1.35 * letter
        status = _("to move") if asked else _("seen by") if seen else ""
        if not place.zones and place.facts:
            self._who(canvas, place.seat, box, letter)
            self._list(canvas, place.facts, Box(box.x, box.y + line, box.width, box.height - 2 * line), letter)
            self._lines(canvas, place, status, Box(box.x, box.y + box.height - line, box.width, line), letter)
            return
        beside = any(zone.items for zone in place.zones) and (
            (few and box.width > 1.05 * box.height and box.height >= 80)
            or (box.width > FLAT * box.height and box.height < 190 and box.height >= 80)
        )
        if beside:
            share = 5 / 11 if few else 8 / 13
            wide = box.width * share - letter / 2
            cards = Box(box.x, box.y + 2, wide, box.height - 4)
            words = Box(box.x + wide + letter, box.y, box.width - wide - letter, box.height)
            if not few:
                words = Box(box.x, box.y, box.width - wide - letter, box.height)
                cards = Box(box.x + box.width - wide, box.y + 2, wide, box.height - 4)
            self._zones.draw(canvas, place.zones, cards, letter, align="end" if few else "start")
            high = box.height / 4 if few else 0
            self._who(canvas, place.seat, Box(words.x, words.y + high, words.width, line), letter)
            used = self._facts(canvas, place.facts, Box(words.x, words.y + high + line, words.width, 2 * line), letter)
            top = words.y + high + line + used
            self._lines(canvas, place, status, Box(words.x, top, words.width, words.y + words.height - top), letter)
            return
        facts = self._facts_beside(place.facts, letter)
        wide = width(facts, 0.93 * letter) + letter if facts else 0
        is_one_line = wide < 0.5 * box.width
        self._who(canvas, place.seat, Box(box.x, box.y, box.width - (wide if is_one_line else 0), line), letter)
        top = line
        if facts and is_one_line:
            canvas.text(
                box.x + box.width, box.y + letter, facts, 0.93 * letter, self._colours["felt-ink"], text_anchor="end"
            )
        elif facts and box.height >= LOW:
            canvas.text(
                box.x,
                box.y + line + letter,
                fitted(facts, 0.93 * letter, box.width),
                0.93 * letter,
                self._colours["felt-ink"],
            )
            top = 2 * line
        bottom = 0.0 if box.height < LOWEST else line
        cards = Box(box.x, box.y + top + 2, box.width, box.height - top - bottom - 4)
        self._zones.draw(canvas, place.zones, cards, letter, labels=box.height >= LOW)
        if bottom:
            self._lines(canvas, place, status, Box(box.x, box.y + box.height - line, box.width, line), letter)

    def _who(self, canvas: Canvas, seat: int, box: Box, letter: float) -> None:
        """Draw the mark of a seat and the name of the bot that holds it."""
        dot(canvas, seat, box.x + 0.4 * letter, box.y + 0.66 * letter, 0.4 * letter)
        label = str(seat)
        canvas.text(box.x + 1.05 * letter, box.y + letter, label, letter, self._colours["felt-soft"])
        start = 1.05 * letter + width(label, letter) + 0.4 * letter
        name = fitted(clean(self._players[seat]), letter, box.width - start, bold=True)
        canvas.text(box.x + start, box.y + letter, name, letter, self._colours["felt-ink"], font_weight="700")

    def _told(self, fact: Fact) -> str:
        return f"{self._words.of(fact.label)} {self._words.of(fact.value)}"

    def _facts_beside(self, facts: Sequence[Fact], letter: float) -> str:
        return " · ".join(map(self._told, facts))

    def _facts(self, canvas: Canvas, facts: Sequence[Fact], box: Box, letter: float) -> float:
        """Draw facts in as many lines as there is room for; return the height of these."""
        size, line = 0.93 * letter, 1.3 * letter
        lines = wrapped(self._facts_beside(facts, letter), size, box.width, max(1, int(box.height // line)))
        for row, words in enumerate(lines):
            canvas.text(box.x, box.y + row * line + letter, words, size, self._colours["felt-ink"])
        return len(lines) * line

    def _list(self, canvas: Canvas, facts: Sequence[Fact], box: Box, letter: float) -> None:
        """Draw facts one below the other, as in games without a renderer."""
        y = box.y
        for fact in facts:
            diagram = clean_lines(fact.value) if "\n" in fact.value else []
            rows = [*([self._words.of(fact.label)] if diagram else [self._told(fact)]), *diagram]
            for row in rows:
                if y + letter > box.y + box.height:
                    return
                font = {"font_family": MONOSPACE, "xml:space": "preserve"} if row in diagram else {}
                canvas.text(
                    box.x,
                    y + letter,
                    fitted(row, 0.9 * letter, box.width),
                    0.9 * letter,
                    self._colours["felt-ink"],
                    **font,
                )
                y += 1.25 * letter

    def _lines(self, canvas: Canvas, place: TablePlace, status: str, box: Box, letter: float) -> None:
        """Draw what is said of a seat, on as many lines as there is room for: badges, talk, what happened last."""
        size, line = 0.9 * letter, 1.35 * letter
        rows = max(1, int((box.height + 1) // line))
        x, y = box.x, box.y
        badges = [*([(status, self._colours["status"])] if status else [])]
        badges += [(self._words.of(badge), self._colours["felt-ink"]) for badge in place.badges[:BADGES]]
        for words, fill in badges:
            shown = fitted(words, size, box.width - size)
            wide = width(shown, size) + size
            if x > box.x and x + wide > box.x + box.width:
                if rows == 1:
                    return
                x, y, rows = box.x, y + line, rows - 1
            canvas.shape(
                "rect", x=x, y=y, width=wide, height=1.25 * size, rx=0.6 * size, fill="#000", fill_opacity=".27"
            )
            canvas.text(x + size / 2, y + 0.95 * size, shown, size, fill)
            x += wide + 0.4 * size
        said = f"“{clean(place.said)}”" if place.said else ""
        texts = [
            (said, self._colours["felt-ink"], "italic"),
            (self._words.of(place.recent), self._colours["recent"], None),
        ]
        for text, fill, style in texts:
            room = box.x + box.width - x
            if text and x > box.x and rows > 1 and width(text, size) > room:
                x, y, rows = box.x, y + line, rows - 1
                room = box.width
            if not text or room < 3 * size:
                continue
            count = rows if x == box.x else 1
            lines = wrapped(text, size, room, count)
            for row, words in enumerate(lines):
                canvas.text(x, y + row * line + 0.95 * size, words, size, fill, font_style=style)
            y, rows = y + (len(lines) - 1) * line, rows - len(lines) + 1
            x += width(lines[-1], size) + 0.6 * size

    def middle(self, scene: Scene, banner: Banner | None = None, *, is_open: bool = False) -> str:
        """Return what lies between the seats.

        banner: who won, at the end of the match; None: it goes on.
        is_open: whether nothing ever lies there, so that the words have the room to themselves.
        """
        canvas, box = Canvas(), self._middle
        letter = max(12.0, min(0.09 * box.height, 0.042 * box.width, 22.0)) * (1.35 if is_open else 1)
        diagrams = [fact for fact in scene.facts if "\n" in fact.value]
        if banner and scene.board is not None:
            told = " · ".join(self._words.of(part) for part in (banner.title, banner.by) if part)
            used = self._heading(canvas, Scene(told, (), ()), box, min(letter, 16), centred=False)
        elif banner:
            used = self._banner(canvas, banner, box, letter, has_room=not scene.middle)
        elif diagrams:
            used = self._diagram(canvas, scene, diagrams[0], box, letter)
        else:
            used = self._heading(canvas, scene, box, letter, centred=is_open and scene.board is None)
        if scene.board is not None:
            room = Box(box.x + 2, box.y + used, box.width - 4, box.height - used - 2)
            board, drawings = draw_board(scene.board, room, below=self._first)
            self.faces.use(drawings)
            canvas.add(board)
            return str(canvas)
        zones = _tricks_of(scene.middle)
        if zones and not diagrams:
            room = Box(box.x + 4, box.y + used, box.width - 8, box.height - used - 2)
            self._zones.draw(canvas, zones, room, letter, align="middle")
        return str(canvas)

    def _heading(self, canvas: Canvas, scene: Scene, box: Box, letter: float, *, centred: bool) -> float:
        """Draw the heading and the facts of the table; return the height of them."""
        line = 1.3 * letter
        facts = " · ".join(f"{self._words.of(fact.label)}: {self._words.of(fact.value)}" for fact in scene.facts)
        rows = wrapped(facts, 0.95 * letter, box.width - 8, 5 if centred else 3)
        x, top = box.x + box.width / 2, box.y
        if centred:
            top = box.y + max(0, (box.height - line * (1 + len(rows))) / 2)
        heading = fitted(self._words.of(scene.heading), letter, box.width, bold=True)
        canvas.text(
            x, top + letter, heading, letter, self._colours["felt-ink"], font_weight="700", text_anchor="middle"
        )
        for row, words in enumerate(rows):
            y = top + (row + bool(heading)) * line + letter
            canvas.text(x, y, words, 0.95 * letter, self._colours["felt-soft"], text_anchor="middle")
        return (len(rows) + bool(heading)) * line + 0.3 * letter

    def _banner(self, canvas: Canvas, banner: Banner, box: Box, letter: float, *, has_room: bool) -> float:
        large = 1.3 * letter
        title = wrapped(self._words.of(banner.title), large * 1.05, box.width - 8, 2)
        rest = [
            row
            for text in (banner.by, banner.since)
            if text
            for row in wrapped(self._words.of(text), letter, box.width - 8, 2)
        ]
        high = len(title) * 1.3 * large + len(rest) * 1.3 * letter
        y = box.y + (max(0, (box.height - high) / 2) if has_room else 0)
        x = box.x + box.width / 2
        for words in title:
            canvas.text(x, y + large, words, large, self._colours["turn"], font_weight="700", text_anchor="middle")
            y += 1.3 * large
        for words in rest:
            canvas.text(x, y + letter, words, letter, self._colours["felt-ink"], text_anchor="middle")
            y += 1.3 * letter
        return high + 0.3 * letter

    def _diagram(self, canvas: Canvas, scene: Scene, fact: Fact, box: Box, letter: float) -> float:
        """Draw a board in letters, as large as there is room for."""
        heading = fitted(self._words.of(scene.heading), letter, box.width, bold=True)
        centre = {"text_anchor": "middle"}
        canvas.text(
            box.x + box.width / 2,
            box.y + letter,
            heading,
            letter,
            self._colours["felt-ink"],
            font_weight="700",
            **centre,
        )
        rows = clean_lines(fact.value)
        top = box.y + (1.4 * letter if heading else 0)
        longest = max(1, *map(len, rows))
        size = max(4.0, min(24.0, (box.height - (top - box.y)) / (1.2 * len(rows)), box.width / (0.65 * longest)))
        x = box.x + (box.width - 0.62 * size * longest) / 2
        for row, words in enumerate(rows):
            font = {"font_family": MONOSPACE, "xml:space": "preserve"}
            canvas.text(x, top + (row + 0.9) * 1.2 * size, words, size, self._colours["felt-ink"], **font)
        return box.height


def _tricks_of(middle: Sequence[Zone]) -> list[Zone]:
    """Return the zones of the middle: while no trick is under way, the last one lies in its place."""
    has_last = any(zone.label == "last trick" for zone in middle)
    if not has_last or not any(zone.label == "trick" and not zone.items for zone in middle):
        return list(middle)
    kept = (zone for zone in middle if zone.label != "trick")
    return [Zone(zone.label, zone.items, small=False) if zone.label == "last trick" else zone for zone in kept]


def has_few(scene: Scene) -> bool:
    """Return whether all hands are so small that they may stand beside the words of a seat."""
    return scene.board is None and all(_cards(place) <= FEW for place in scene.places)


def _cards(place: TablePlace) -> int:
    return sum(item.kind not in ("chips", "token") for zone in place.zones for item in zone.items)
