"""Stored matches of chess as PGN, with what the bots said of their positions and how long they thought.

Source: the PGN standard of 1994; tags beside its own are those of engine matches (TimeControl, Termination, Opening).
"""

from collections.abc import Iterator

import chess
import chess.pgn

from arena.record.played_rules import steps
from arena.store import Store
from arena.values.errors import ArenaError
from arena.values.rows import StoredMatch
from botarena_chess.scores import MATE
from botarena_chess.state import ChessState
from referee.engine.record import unpack_time

GAME = "chess"

ADJUDICATED = ("resigns by its scores", "score it as a draw", "moves are played")


class NotChess(ArenaError):
    """A match of another game, which has no PGN."""


def tournament_pgn(store: Store, tournament: int) -> Iterator[str]:
    """Yield the games of a tournament in the order of its schedule. Raises NotChess for one of another game."""
    for id in store.match_ids(tournament):
        yield match_pgn(store.match(id))


def match_pgn(match: StoredMatch) -> str:
    """Return a match as PGN. Raises NotChess for one of another game."""
    if match.event.game != GAME:
        raise NotChess(f"match {match.id} is of {match.event.game}: only matches of chess can be written as PGN")
    state: ChessState | None = None
    for played, _ in steps(match):
        assert isinstance(played, ChessState)
        state = played
    assert state is not None
    game = chess.pgn.Game.from_board(state.board)
    game.headers.update(_headers(match, state))
    _comment(game, match, state)
    return str(game) + "\n"


def _headers(match: StoredMatch, state: ChessState) -> dict[str, str]:
    """Return the tags, the seven of the standard first."""
    ranks = [seat.rank for seat in match.row.seats]
    result = "1/2-1/2" if ranks[0] == ranks[1] else "1-0" if ranks[0] < ranks[1] else "0-1"
    white, black = match.players
    number = match.tournament_id
    tags = {
        "Event": f"arena tournament {number}" if number is not None else "arena match",
        "Site": "?",
        "Date": match.event.created[:10].replace("-", "."),
        "Round": f"{match.row.round + 1}.{match.row.rotation + 1}",
        "White": white,
        "Black": black,
        "Result": result,
        "Opening": state.opening.name,
        "PlyCount": str(len(state.moves)),
        "Termination": _termination(match, state),
    }
    if (time := match.event.definition.time).move_time_ms:
        increment = f"{time.move_time_ms / 1000:g}"
        tags["TimeControl"] = f"{time.bank_ms / 1000:g}+{increment}" if time.fischer else increment
    return tags


def _termination(match: StoredMatch, state: ChessState) -> str:
    if fault := next((fault for fault in match.row.faults if fault.forfeit), None):
        return (
            "time forfeit"
            if fault.kind == "timeout"
            else "rules infraction"
            if fault.kind == "illegal"
            else "abandoned"
        )
    return "adjudication" if any(words in state.why for words in ADJUDICATED) else "normal"


def _comment(game: chess.pgn.Game, match: StoredMatch, state: ChessState) -> None:
    """Add what was said and the time to each move that was not of the book, and the end to the last."""
    nodes = list(game.mainline())
    first = len(state.opening.moves)
    counted = [0, 0]
    for ply, node in enumerate(nodes[first:]):
        seat = 0 if node.turn() == chess.BLACK else 1
        score = state.said[seat][counted[seat]]
        counted[seat] += 1
        seconds = unpack_time(match.row.times[ply]) / 1e6
        node.comment = f"{_text(score)} {seconds:.3f}s".strip()
    if nodes[:first]:
        nodes[first - 1].comment = "end of the book"
    if state.why and nodes:
        nodes[-1].comment = f"{nodes[-1].comment}, {state.why}".removeprefix(", ")


def _text(score: int | None) -> str:
    """Return a score in pawns, or a mate in moves."""
    if score is None:
        return ""
    if abs(score) > MATE - 1000:
        moves = MATE - abs(score)
        return f"{'+' if score > 0 else '-'}M{moves}"
    return f"{score / 100:+.2f}"
