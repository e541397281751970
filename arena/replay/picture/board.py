"""A board with its pieces, drawn from the side of a seat; as `board.js` draws it."""

from collections.abc import Iterator

from arena.replay.picture import sheets
from arena.replay.picture.canvas import Canvas, group
from arena.replay.picture.geometry import Box
from arena.replay.scene import Board

SIDE = 40
"""Of a square, in the lengths of the drawing."""
EDGE = 14
"""Around the board, for the names of files and ranks."""
DRAWN = "kqrbnp"
"""The pieces of chess that have a drawing."""


def side_of(letter: str) -> int:
    """Return the seat whose piece has a letter, as in `Board.rows`."""
    return 0 if letter[-1].isupper() else 1


def sign_of(sign: str, letter: str) -> str:
    """Return the sign of a piece.

    sign: that of both seats, or one for each.
    """
    return sign[side_of(letter)] if len(sign) > 1 else sign


def drawings(letter: str, pieces: str, sign: str) -> tuple[str, ...]:
    """Return the ids of the drawings of a piece."""
    if letter == "*":
        return ()
    if pieces == "chess" and len(letter) == 1 and letter.lower() in DRAWN:
        return (f"art-piece-{letter.lower()}",)
    return ("art-piece-wedge" if sign and pieces == "wedges" else "art-piece-disc",)


def draw_piece(letter: str, pieces: str, sign: str, *, turned: bool = False) -> str:
    """Return a piece in a box of 40 by 40.

    letter: as in `Board.rows`.
    pieces: the set.
    sign: "" where it has none.
    turned: whether its side sits above.
    """
    colours, canvas = sheets.colours(), Canvas()
    if letter == "*":
        canvas.shape("rect", x=3, y=3, width=34, height=34, rx=4, fill=colours["felt-edge"])
        return str(canvas)
    side, promoted = side_of(letter), letter[0] == "+"
    (drawing,) = drawings(letter, pieces, sign)
    shape = Canvas()
    shape.use(drawing, 0, 0)
    fill, edge = (("piece-white", "piece-black"), ("piece-black", "piece-edge"))[side]
    if sign:
        fill, edge = "piece-wood", "board-line"
    canvas.add(group([shape], fill=colours[fill], stroke=colours[edge]))
    middle = {"text_anchor": "middle", "font_weight": "700"}
    if sign:
        wedge = pieces == "wedges"
        ink = colours["piece-red" if (promoted if wedge else side == 0) else "piece-black"]
        canvas.text(20, 24 if wedge else 22.5, sign_of(sign, letter), 16, ink, **middle)
        canvas.text(20, 34.5 if wedge else 34, letter.upper(), 11, ink, **middle)
        return group([canvas], transform="rotate(180 20 20)") if wedge and turned else str(canvas)
    if drawing == "art-piece-disc":
        ink = colours["piece-white" if side else "piece-black"]
        canvas.text(20, 26 if promoted else 27, letter.upper(), 17 if promoted else 20, ink, **middle)
    return str(canvas)


def draw_board(board: Board, box: Box, *, below: int) -> tuple[str, set[str]]:
    """Return a board as large as fits a box, and the ids of the drawings that it uses.

    below: the seat that sits below it.
    """
    rows = [row.split(" ") for row in board.rows]
    ranks, files = len(rows), len(rows[0])
    signs = dict(sign.split(" ", 1) for sign in board.signs)
    colours, used = sheets.colours(), set[str]()
    canvas = Canvas()
    width, height = files * SIDE, ranks * SIDE
    ground = "board-light" if board.look == "squares" else "board-wood"
    canvas.shape("rect", x=0, y=0, width=width, height=height, fill=colours[ground])

    def place(file: int, rank: int) -> tuple[int, int]:
        return (files - 1 - file, ranks - 1 - rank) if below == 1 else (file, rank)

    if board.look == "squares":
        dark = (
            f"M{file * SIDE} {rank * SIDE}h{SIDE}v{SIDE}h-{SIDE}z"
            for rank in range(ranks)
            for file in range(files)
            if (file + ranks - 1 - rank) % 2 == 0
        )
        canvas.shape("path", d="".join(dark), fill=colours["board-dark"])
    for number in board.marked:
        file, rank = place(number % files, number // files)
        values = {"x": file * SIDE, "y": rank * SIDE, "width": SIDE, "height": SIDE}
        canvas.shape("rect", **values, fill=colours["turn"], opacity=0.6)
    if board.look != "squares":
        lines = "".join(_points(ranks, files) if board.look == "points" else _grid(ranks, files))
        canvas.shape("path", d=lines, fill="none", stroke=colours["board-line"], stroke_width=1.2)
    for n in range(files):
        x = (place(n, 0)[0] + 0.5) * SIDE
        canvas.text(x, height + 11, chr(97 + n), 11, colours["felt-ink"], text_anchor="middle")
    for n in range(ranks):
        y = (place(0, n)[1] + 0.5) * SIDE + 4
        canvas.text(-7, y, str(ranks - n), 11, colours["felt-ink"], text_anchor="middle")
    for rank, row in enumerate(rows):
        for file, letter in enumerate(row):
            if letter == ".":
                continue
            x, y = place(file, rank)
            sign = signs.get(letter.upper(), "")
            turned = letter != "*" and side_of(letter) != (1 if below == 1 else 0)
            piece = draw_piece(letter, board.pieces, sign, turned=turned)
            canvas.add(group([piece], transform=f"translate({x * SIDE} {y * SIDE})"))
            used.update(drawings(letter, board.pieces, sign))
    scale = min(box.width / (width + EDGE + 2), box.height / (height + EDGE + 2))
    left = box.x + (box.width - scale * (width + EDGE + 2)) / 2 + EDGE * scale
    top = box.y + (box.height - scale * (height + EDGE + 2)) / 2 + 2 * scale
    return group([canvas], transform=f"translate({left:.1f} {top:.1f}) scale({scale:.4g})"), used


def _grid(ranks: int, files: int) -> Iterator[str]:
    for n in range(files + 1):
        yield f"M{n * SIDE} 0v{ranks * SIDE}"
    for n in range(ranks + 1):
        yield f"M0 {n * SIDE}h{files * SIDE}"


def _points(ranks: int, files: int) -> Iterator[str]:
    """Yield the lines between points; with ten ranks a river in the middle, and a palace at each end."""
    half, low, right = SIDE / 2, (ranks - 0.5) * SIDE, (files - 0.5) * SIDE
    for n in range(ranks):
        yield f"M{half:g} {half + n * SIDE:g}H{right:g}"
    for n in range(files):
        x = half + n * SIDE
        if ranks == 10 and 0 < n < files - 1:
            yield f"M{x:g} {half:g}V{4.5 * SIDE:g}M{x:g} {5.5 * SIDE:g}V{low:g}"
        else:
            yield f"M{x:g} {half:g}V{low:g}"
    left, wide = (files / 2 - 1) * SIDE, 2 * SIDE
    for top in (half, low - wide):
        yield f"M{left:g} {top:g}l{wide} {wide}M{left:g} {top + wide:g}l{wide} -{wide}"
