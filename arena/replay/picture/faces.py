"""The faces of items: cards, dice, chips and tokens, as `faces.js` and `items.css` draw them.

Each face that a picture shows is defined in it once, and used wherever it lies.
"""

from collections.abc import Iterable

from arena.replay.picture import sheets
from arena.replay.picture.board import draw_piece, drawings
from arena.replay.picture.canvas import Canvas, group
from arena.replay.picture.words import Words, clean, fitted
from arena.replay.scene import TableItem

SUITS = ("coins", "cups", "swords", "clubs")

CARD_WIDTH, CARD_HEIGHT = 100, 140
"""The box of the drawing of a card, in which its lengths are measured."""
PIECE = 40
"""The side of the box of the drawing of a die, a chip or a token."""

NAMED, SMALL = 84, 54
"""From what width on a card has its name, and its whole drawing; a smaller one has a large index and one sign."""

HIGHEST_PIPS = 7
"""The last card of a suit whose index also stands upside down; figures fill the card."""


class Faces:
    """The faces that a picture shows.

    words: in the language of the picture.
    """

    def __init__(self, words: Words) -> None:
        self._words = words
        self._drawings: dict[str, None] = {}
        self._defined: dict[tuple[str, ...], tuple[str, str]] = {}

    def definitions(self) -> str:
        """Return the markup of all faces that were used."""
        faces = [markup for _, markup in self._defined.values()]
        return sheets.definitions(self._drawings) + "".join(faces)

    def use(self, ids: Iterable[str]) -> None:
        """Define drawings in the picture."""
        self._drawings.update(dict.fromkeys(ids))

    def draw(self, canvas: Canvas, item: TableItem, x: float, y: float, width: float) -> None:
        """Draw a card, a die, a chip, a token or a piece, so wide."""
        if item.kind == "piece":
            letter, _, sign = item.face.partition(" ")
            self.use(drawings(letter, item.tone, sign))
            piece = draw_piece(letter, item.tone, sign)
            canvas.add(group([piece], transform=f"translate({x:.1f} {y:.1f}) scale({width / PIECE:.4g})"))
            return
        if item.kind in ("card", "back"):
            canvas.use(self._card(item, width), x, y, width / CARD_WIDTH)
        else:
            canvas.use(self._piece(item), x, y, width / PIECE)

    def _drawing(self, id: str) -> str:
        self._drawings.setdefault(id)
        return id

    def _piece(self, item: TableItem) -> str:
        id = {"die": f"art-die-{item.face}", "cup": "art-cup", "chips": "art-chip"}.get(item.kind, "art-token")
        return self._drawing(id if sheets.has(id) else "art-die-blank")

    def _card(self, item: TableItem, width: float) -> str:
        """Return the id of the face of a card of this width."""
        size = "back" if item.kind == "back" else "small" if width < SMALL else "plain" if width < NAMED else "named"
        key = (size,) if item.kind == "back" else (size, item.face, item.name, item.tone)
        if key not in self._defined:
            id = f"face-{len(self._defined)}"
            markup = self._back() if size == "back" else self._front(item, size)
            self._defined[key] = id, markup.replace("<g", f'<g id="{id}"', 1)
        return self._defined[key][0]

    def _sheet_of_card(self) -> Canvas:
        colours, canvas = sheets.colours(), Canvas()
        canvas.shape(
            "rect",
            x=1,
            y=1,
            width=98,
            height=138,
            rx=8,
            fill=colours["card"],
            stroke=colours["card-line"],
            stroke_width=2,
        )
        return canvas

    def _back(self) -> str:
        canvas = self._sheet_of_card()
        canvas.use(self._drawing("art-back"), 0, 0)
        return group([canvas])

    def _front(self, item: TableItem, size: str) -> str:
        canvas = self._sheet_of_card()
        suit = item.tone in SUITS
        index = clean(item.face[1:] if suit else item.face).replace("-", "−")
        if suit:
            whole, sign = f"art-{item.face}", f"art-{item.tone}"
        elif item.tone == "number":
            whole, sign = f"art-number-{item.face}", "art-egg"
        else:
            whole = sign = f"art-{item.name}"
        is_figure = not suit and item.tone != "number"
        if size == "small":
            self._small(canvas, whole if is_figure else sign, index, is_figure=is_figure)
            return group([canvas])
        if sheets.has(whole):
            canvas.use(self._drawing(whole), *((10, 30) if is_figure else (0, 0)))
        corner = self._corner(index, f"art-{item.tone}" if suit else None)
        canvas.add(corner)
        if not (suit and index.isdecimal() and int(index) > HIGHEST_PIPS):
            canvas.add(group([corner], transform="rotate(180 50 70)"))
        if is_figure and size == "named":
            name = self._words.of(item.name)
            canvas.text(8, 132, fitted(name, 11, 84, bold=True), 11, sheets.colours()["card-ink"], font_weight="600")
        return group([canvas])

    def _corner(self, index: str, suit: str | None) -> str:
        canvas = Canvas()
        canvas.text(6, 25, index, 24, sheets.colours()["card-ink"], font_weight="700", letter_spacing=-1.5)
        if suit and sheets.has(suit):
            canvas.use(self._drawing(suit), 14, 37, 0.45)
        return str(canvas)

    def _small(self, canvas: Canvas, drawing: str, index: str, *, is_figure: bool) -> None:
        if sheets.has(drawing):
            if is_figure:
                canvas.use(self._drawing(drawing), 10, 57)
            else:
                canvas.use(self._drawing(drawing), 50, 97, 2.9 if drawing in ("art-egg", "art-coins") else 2.5)
        canvas.text(4, 44, index, 46, sheets.colours()["card-ink"], font_weight="700", letter_spacing=-3)
