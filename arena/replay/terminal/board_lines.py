"""A board with its pieces as lines of characters, from the side of a seat."""

from rich.cells import cell_len
from rich.text import Text

from arena.replay.picture.board import side_of, sign_of
from arena.replay.scene import Board

CHESSMEN = {
    "K": "♔",
    "Q": "♕",
    "R": "♖",
    "B": "♗",
    "N": "♘",
    "P": "♙",
    "k": "♚",
    "q": "♛",
    "r": "♜",
    "b": "♝",
    "n": "♞",
    "p": "♟",
}
"""The pieces of chess."""

STYLES = ("bold white", "bold black")
"""Of the pieces of each seat, where squares have a colour."""
INKS = ("bold red", "bold green")
"""Of the pieces of each seat, where squares have none."""
GROUNDS = ("on rgb(150,120,80)", "on rgb(95,130,90)")
"""Of light and of dark squares."""
MARKED = "on rgb(190,160,40)"


def piece_text(letter: str, pieces: str, sign: str, *, below: int = 0) -> str:
    """Return a piece as characters.

    letter: as in `Board.rows`.
    pieces: the set.
    sign: "" where it has none.
    below: the seat that sits below the board. The signs of the other one are told by a v.
    """
    if letter in (".", "*"):
        return {".": "·", "*": "█"}[letter]
    if not sign:
        return CHESSMEN.get(letter, letter) if pieces == "chess" else letter
    return f"{' ' if side_of(letter) == below else 'v'}{sign_of(sign, letter)}"


def board_lines(board: Board, below: int) -> list[Text]:
    """Return a board as lines.

    below: the seat that sits below it.
    """
    rows = [row.split(" ") for row in board.rows]
    ranks, files = len(rows), len(rows[0])
    signs = dict(sign.split(" ", 1) for sign in board.signs)
    turned = below == 1
    width = max(2, *(cell_len(_shown(board, signs, letter, below)) for row in rows for letter in row)) + 1
    lines = []
    for rank in range(ranks)[:: -1 if turned else 1]:
        line = Text(f"{ranks - rank:>2} ", "dim")
        for file in range(files)[:: -1 if turned else 1]:
            letter = rows[rank][file]
            shown = _shown(board, signs, letter, below)
            left = (width - cell_len(shown)) // 2
            cell = f"{' ' * left}{shown}{' ' * (width - left - cell_len(shown))}"
            line.append(cell, _style(board, letter, file, rank, ranks, is_marked=rank * files + file in board.marked))
        lines.append(line)
    names = "".join(chr(97 + file).center(width) for file in range(files)[:: -1 if turned else 1])
    return [*lines, Text(f"   {names}", "dim")]


def _shown(board: Board, signs: dict[str, str], letter: str, below: int) -> str:
    if letter == "." and board.look == "squares":
        return " "
    return piece_text(letter, board.pieces, signs.get(letter.upper(), ""), below=below)


def _style(board: Board, letter: str, file: int, rank: int, ranks: int, *, is_marked: bool) -> str:
    if board.look == "squares":
        ground = MARKED if is_marked else GROUNDS[(file + ranks - 1 - rank) % 2 == 0]
        return ground if letter in ".*" else f"{STYLES[letter[-1].islower()]} {ground}"
    ground = f" {MARKED}" if is_marked else ""
    return f"dim{ground}" if letter in ".*" else f"{INKS[letter[-1].islower()]}{ground}"
