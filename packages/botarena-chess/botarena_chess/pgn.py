"""Stored matches of chess as PGN, with what the bots said of their positions and how long they thought.

A comment is that of managers of engine matches: score and depth, the time that was charged, nodes and the main line,
`+0.35/12 0.512s, n=34567, pv="e4 e5 Nf3"`. A default move, which was played after a fault, says so. A game ends with
the fault by which it was forfeited, whatever was played after it.

Source: the PGN standard of 1994; tags beside its own are those of engine matches (TimeControl, Termination,
TerminationDetails, Opening, Variant).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from arena.record.played_rules import steps
from arena.store import Store
from arena.values.definition import Clock
from arena.values.errors import ArenaError
from arena.values.rows import FaultRow, StoredMatch
from botarena_chess.info import Info, read_info
from botarena_chess.opening import Opening
from botarena_chess.rules import Position
from botarena_chess.scores import MATE
from botarena_chess.standard import COLOURS
from botarena_chess.state import ChessState
from botarena_chess.variants.names import pgn_name
from referee.engine.record import unpack_time

GAME = "chess"

FAMILY = "chess:"
"""How the names of Chess960 and of the variants begin."""

WIDTH = 80
"""Characters of a line of moves."""

SEVEN = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The tags that each game has, in this order."""

GAME_ID = "GameId"
"""The tag that tells a game from all others."""


class NotChess(ArenaError):
    """A match of another game, which has no PGN."""


def tournament_pgn(store: Store, tournament: int) -> Iterator[str]:
    """Yield the games of a tournament in the order of its schedule. Raises NotChess for one of another game."""
    for id in store.match_ids(tournament):
        yield match_pgn(store.match(id))


def event_name(tournament: int | None) -> str:
    """Return the tag Event of the games of a tournament; None: of a single match."""
    return f"arena tournament {tournament}" if tournament is not None else "arena match"


def match_pgn(match: StoredMatch, *, game_id: str = "", is_over: bool = True) -> str:
    """Return a match as PGN.

    game_id: the tag `GameId`; "": there is none.
    is_over: whether it is over; otherwise it has no result yet.

    Raises NotChess for one of another game.
    """
    if match.event.game != GAME and not match.event.game.startswith(FAMILY):
        raise NotChess(f"match {match.id} is of {match.event.game}: only matches of chess can be written as PGN")
    state: ChessState | None = None
    for played, _ in steps(match):
        assert isinstance(played, ChessState)
        state = played
    assert state is not None
    end = next((fault for fault in match.row.faults if fault.forfeit), None)
    first = len(state.opening.moves)
    moves = state.moves if end is None else state.moves[: first + end.ply]
    tags = _headers(match, state, end)
    if not is_over:
        tags |= {"Result": "*", "Termination": "unterminated"}
    if game_id:
        tags[GAME_ID] = game_id
    tags["PlyCount"] = str(len(moves))
    words = [*_movetext(match, state, moves, tags.get("TerminationDetails", "")), tags["Result"]]
    return "\n".join((*_tag_lines(tags), "", *_folded(words), "", ""))


def _tag_lines(tags: dict[str, str]) -> Iterator[str]:
    for name in (*SEVEN, *sorted(tags.keys() - set(SEVEN))):
        yield f'[{name} "{tags[name]}"]'


def _folded(words: Iterable[str]) -> Iterator[str]:
    """Yield lines of at most `WIDTH` characters, unless a word is longer."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def _movetext(match: StoredMatch, state: ChessState, moves: Iterable[str], why: str) -> Iterator[str]:
    """Yield the words of the moves with their comments.

    why: how the game ended, which is said of the last move.
    """
    position = state.rules.begin(Opening("", state.opening.fen, ()))
    comments = _comments(match, state)
    last, first, needs_number = len(tuple(moves)) - 1, len(state.opening.moves), True
    for place, move in enumerate(moves):
        number, seat, san = position.number, position.seat, position.written(move)
        comment = (
            "end of the book" if place == first - 1 else "" if place < first else comments(place - first, position)
        )
        if place == last and why:
            comment = f"{comment}, {why}".removeprefix(", ")
        if seat == 0 or needs_number:
            yield f"{number}{'.' if seat == 0 else '...'}"
        yield san
        needs_number = bool(comment)
        if comment:
            yield from ("{", *comment.split(), "}")
        position.push(move)


def _headers(match: StoredMatch, state: ChessState, end: FaultRow | None) -> dict[str, str]:
    """Return the tags, the seven of the standard first."""
    ranks = [seat.rank for seat in match.row.seats]
    result = "1/2-1/2" if ranks[0] == ranks[1] else "1-0" if ranks[0] < ranks[1] else "0-1"
    white, black = match.players
    tags = {
        "Event": event_name(match.tournament_id),
        "Site": "?",
        "Date": match.event.created[:10].replace("-", "."),
        "Round": f"{match.row.round + 1}.{match.row.rotation + 1}",
        "White": white,
        "Black": black,
        "Result": result,
        "Opening": _plain(state.opening.name),
        "Termination": _termination(end, state),
    }
    if variant := pgn_name(state.rules.name):
        tags["Variant"] = variant
    if (start := state.opening.fen) != state.rules.usual:
        tags |= {"FEN": start, "SetUp": "1"}
    if details := "; ".join(_details(match, state, end)):
        tags["TerminationDetails"] = details
    clocks = [_time_control(match.event.definition.clock_of(seat.entrant)) for seat in match.row.seats]
    same = ("TimeControl",) if clocks[0] == clocks[1] else ("WhiteTimeControl", "BlackTimeControl")
    return tags | {name: clock for name, clock in zip(same, clocks, strict=False) if clock}


def _time_control(clock: Clock) -> str:
    """Return a clock in the words of the standard; empty where it has no limit."""
    increment = f"{clock.move_time_ms / 1000:g}" if clock.move_time_ms else ""
    return f"{clock.bank_ms / 1000:g}+{increment}" if clock.fischer and increment else increment


def _termination(end: FaultRow | None, state: ChessState) -> str:
    """Return how a game ended, in the words of the standard.

    end: the fault by which it was forfeited.
    """
    if end is not None:
        return {"timeout": "time forfeit", "illegal": "rules infraction"}.get(end.kind, "abandoned")
    return "adjudication" if state.is_adjudicated else "normal"


def _details(match: StoredMatch, state: ChessState, end: FaultRow | None) -> Iterator[str]:
    """Yield how a game ended in our words, and which faults it had before."""
    if end is not None:
        yield f"{COLOURS[end.seat]} forfeits: {_plain(end.sentence)}"
    elif state.why:
        yield state.why
    for seat, colour in enumerate(COLOURS):
        kinds = Counter(fault.kind for fault in match.row.faults if fault.seat == seat and not fault.forfeit)
        if kinds:
            listed = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
            yield f"default moves of {colour} after faults: {listed}"


def _comments(match: StoredMatch, state: ChessState) -> Callable[[int, Position], str]:
    """Return what gives the comment of a move: what was said and the time.

    It takes the number of the answer, from 0, and the position before it, in the order of the moves.
    """
    counted = [0, 0]
    faults = {fault.ply: fault for fault in match.row.faults}
    said = {note.ply: note.text.split() for note in reversed(match.row.notes) if note.text.startswith("info ")}

    def comment(ply: int, position: Position) -> str:
        seat = position.seat
        score = state.said[seat][counted[seat]]
        counted[seat] += 1
        if fault := faults.get(ply):
            return f"default move after a fault: {_plain(fault.sentence)}"
        known = ply < len(match.row.times)  # not while it is under way
        seconds = unpack_time(match.row.times[ply]) / 1e6 if known else None
        return _thought(score, seconds, read_info(said.get(ply, [])), position)

    return comment


def _thought(score: int | None, seconds: float | None, info: Info, position: Position) -> str:
    """Return the comment of a move.

    seconds: the time that was charged; None where it is not known.
    position: that before it.
    """
    worth = _text(score)
    if worth and info.depth:
        worth += f"/{info.depth}"
    parts = [worth if seconds is None else f"{worth} {seconds:.3f}s".strip()]
    if info.seldepth:
        parts.append(f"sd={info.seldepth}")
    if info.nodes:
        parts.append(f"n={info.nodes}")
    if info.pv:
        parts.append(f'pv="{_line(position, info.pv)}"')
    return ", ".join(parts)


def _line(position: Position, moves: Iterable[str]) -> str:
    """Return moves as people write them, up to the first that cannot be played."""
    position = position.copy()
    written = []
    for move in moves:
        if not position.allows(move):
            break
        written.append(position.play(move))
    return " ".join(written)


def _plain(text: str) -> str:
    """Return a text that can stand in a comment and in a tag, which no brace or quotation mark may end."""
    return text.translate(str.maketrans('{}"\\', "()'/"))


def _text(score: int | None) -> str:
    """Return a score in pawns, or a mate in moves."""
    if score is None:
        return ""
    if abs(score) > MATE - 1000:
        moves = MATE - abs(score)
        return f"{'+' if score > 0 else '-'}M{moves}"
    return f"{score / 100:+.2f}"
