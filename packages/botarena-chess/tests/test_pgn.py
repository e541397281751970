"""PGN of engine matches: what was thought, what was played after faults, and how a game ended."""

import io
from types import SimpleNamespace
from typing import Any

import chess
import chess.pgn
import pytest
from botarena_chess import pgn
from botarena_chess.opening import Opening
from botarena_chess.scores import Adjudication
from botarena_chess.state import ChessState

from arena.values.rows import FaultRow, NoteRow
from referee.engine.chance import Chance
from referee.engine.record import pack_time

RULES = Adjudication(0, 600, 0, 10, 40)
LATE = 'it answered after 1.2 s: "e2e4}" is {late} \\o/'


def written(monkeypatch: pytest.MonkeyPatch, moves: str, **row: Any) -> str:
    state = ChessState(Opening("test", chess.STARTING_FEN, ("d2d4",)), RULES, 300, Chance(bytes(32)))
    for move in moves.split():
        state.say(state.asked[0], "cp 35")
        state.apply([move])
    monkeypatch.setattr(pgn, "steps", lambda match: iter([(state, [])]))
    time = SimpleNamespace(move_time_ms=100, bank_ms=10_000, fischer=True)
    definition = SimpleNamespace(time=time, clock_of=lambda entrant: time)
    event = SimpleNamespace(game="chess", created="2026-01-02T03:04:05", definition=definition)
    seats = [SimpleNamespace(rank=rank, entrant=seat) for seat, rank in enumerate(row.pop("ranks", (1, 1)))]
    times = b"".join(bytes([pack_time(512_000)]) for _ in moves.split())
    played = {"round": 0, "rotation": 1, "seats": seats, "times": times, "faults": (), "notes": (), **row}
    match: Any = SimpleNamespace(
        id=1, tournament_id=3, event=event, players=("owl", "fox"), row=SimpleNamespace(**played)
    )
    return pgn.match_pgn(match)


def test_a_comment_is_that_of_managers(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = (
        NoteRow(1, 0, "info score cp 35 depth 12 seldepth 18 nodes 34567 pv g8f6 c2c4 e2e4 e7e6"),
        NoteRow(1, 0, "info score cp 99 depth 1"),
        NoteRow(0, 1, "I like this"),
    )
    text = written(monkeypatch, "g8f6 c2c4", notes=notes)
    plain = " ".join(text.split())
    assert "1. d4 { end of the book } 1... Nf6 { +0.35/12 0.5" in plain
    assert 's, sd=18, n=34567, pv="Nf6 c4" }' in plain, "up to the move that cannot be played"
    assert "2. c4 { +0.35 0.5" in plain
    assert '[TimeControl "10+0.1"]' in text
    assert '[Termination "normal"]' in text
    assert "TerminationDetails" not in text


def test_a_default_move_is_told_from_others(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = (FaultRow(1, 0, "illegal", LATE), FaultRow(1, 2, "timeout", "late"))
    text = written(monkeypatch, "a7a5 c2c4 a5a4", faults=faults)
    plain = " ".join(text.split())
    assert "1... a5 { default move after a fault: it answered after 1.2 s: 'e2e4)' is (late) /o/ }" in plain
    assert '[Termination "normal"]' in text
    assert '[TerminationDetails "default moves of Black after faults: 1 illegal, 1 timeout"]' in text


@pytest.mark.parametrize(
    ("kind", "told"), [("timeout", "time forfeit"), ("illegal", "rules infraction"), ("crash", "abandoned")]
)
def test_a_game_ends_where_it_was_forfeited(monkeypatch: pytest.MonkeyPatch, kind: str, told: str) -> None:
    faults = (FaultRow(1, 2, kind, LATE, forfeit=True),)
    text = written(monkeypatch, "g8f6 c2c4 a7a5 e2e4 a5a4", faults=faults, ranks=(1, 2))
    assert f'[Termination "{told}"]' in text
    assert "forfeits: it answered after 1.2 s: 'e2e4)' is (late) /o/\"]" in text
    assert '[PlyCount "3"]' in text
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    assert [move.uci() for move in game.mainline_moves()] == ["d2d4", "g8f6", "c2c4"]
    assert game.headers["Result"] == "1-0"
    assert game.end().comment.endswith("is (late) /o/")
