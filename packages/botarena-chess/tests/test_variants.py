"""Variants by Fairy-Stockfish: the same as python-chess where both know one, published counts, and how games end."""

from random import Random
from typing import Any

import chess
import chess.variant
import pytest
from botarena_chess.family import FAMILY, rules_of
from botarena_chess.opening import Opening
from botarena_chess.openings import parse_book
from botarena_chess.variants.names import ENDINGS, NOT_PLAYED, TITLES

from referee.engine.errors import OptionError, UnknownGame

pyffish = pytest.importorskip("pyffish", reason="the extra `variants`")

from botarena_chess.variants.rules import FairyPosition  # noqa: E402
from botarena_chess.variants.rules import rules_of as fairy_rules  # noqa: E402

BOTH: dict[str, Any] = {
    "3check": chess.variant.ThreeCheckBoard,
    "antichess": chess.variant.AntichessBoard,
    "atomic": chess.variant.AtomicBoard,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "horde": chess.variant.HordeBoard,
    "kingofthehill": chess.variant.KingOfTheHillBoard,
    "racingkings": chess.variant.RacingKingsBoard,
}


def begin(variant: str, fen: str = "", moves: str = "") -> FairyPosition:
    rules = fairy_rules(variant)
    return rules.begin(Opening("", fen or rules.usual, tuple(moves.split())))


def points(board: chess.Board) -> tuple[int, int] | None:
    """Return how a game ends by python-chess, with the draws that come without a claim."""
    result = board.result(claim_draw=False)
    if result == "*" and (board.is_repetition(3) or board.halfmove_clock >= 100):
        result = "1/2-1/2"
    return {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "*": None}[result]


def written(san: str) -> str:
    """Return a move without what both write differently: checks, and the pawn that is dropped."""
    return san.rstrip("+#").removeprefix("P@").removeprefix("@")


@pytest.mark.parametrize("variant", BOTH)
def test_random_games_are_the_same_by_python_chess(variant: str) -> None:
    for seed in range(2):
        rng, position, board = Random(seed), begin(variant), BOTH[variant]()
        for _ in range(70):
            legal = position.legal()
            end = position.end(legal)
            assert (end and end.points) == points(board), position.fen()
            if end:
                break
            assert legal == tuple(sorted(move.uci() for move in board.legal_moves)), position.fen()
            move = rng.choice(legal)
            assert written(position.written(move)) == written(board.san(board.parse_uci(move)))
            position.push(move)
            board.push_uci(move)
            assert position.seat == (0 if board.turn else 1)


def perft(position: FairyPosition, depth: int) -> int:
    legal = position.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for move in legal:
        after = position.copy()
        after.push(move)
        total += perft(after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("variant", "fen", "counts"),
    [
        # Source: Fairy-Stockfish's own tests (tests/perft.sh), and the pages of the Chess Programming Wiki.
        ("xiangqi", "", (44, 1920)),
        ("xiangqi", "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1", (38, 1128)),
        ("shogi", "", (30, 900)),
        ("minishogi", "", (14, 181, 2512)),
        ("janggi", "", (32, 1024)),
        ("makruk", "", (23, 529)),
    ],
)
def test_counts_of_moves(variant: str, fen: str, counts: tuple[int, ...]) -> None:
    assert tuple(perft(begin(variant, fen), depth + 1) for depth in range(len(counts))) == counts


@pytest.mark.parametrize(
    ("variant", "fen", "moves", "points", "why"),
    [
        ("shogi", "", "h2g2 b8c8 g2h2 c8b8 " * 3, (1, 1), "the position is repeated"),
        ("xiangqi", "", "b1c3 b10c8 c3b1 c8b10 " * 2, (1, 1), "the position is repeated"),
        # Perpetual check loses: shogi for who gives it at the fourth time, xiangqi at the third.
        ("shogi", "4k4/9/9/9/9/9/9/4R4/K8[-] b - - 0 1", "e9d9 e2d2 d9e9 d2e2 " * 3,
         (0, 2), "Sente repeats what it may not"),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1", "a2a10 " + "e10e9 a10a9 e9e10 a9a10 " * 3,
         (0, 2), "Red repeats what it may not"),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "", (1, 1), "neither side can win"),
        ("xiangqi", "3k5/9/4P4/9/9/9/9/9/9/4K4 b - - 0 1", "", None, ""),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1", "", None, ""),  # what is taken comes back
        ("atomic", "4k3/5p2/8/8/8/8/5Q2/4K3 w - - 0 1", "f2f7", (2, 0), "White explodes the king"),
        ("kingofthehill", "4k3/8/8/8/8/4K3/8/8 w - - 0 1", "e3e4", (2, 0), "White reaches the centre with the king"),
        ("3check", "4k3/8/8/8/8/8/8/4K2R w - - 1+3 0 1", "h1h8", (2, 0), "White gives check for the third time"),
        ("racingkings", "8/K7/8/8/8/8/7k/8 w - - 0 1", "a7a8", (2, 0), "White reaches the last rank with the king"),
        ("antichess", "8/8/8/8/8/8/p7/1P6 b - - 0 1", "a2b1q", (2, 0), "White has lost all pieces"),
        ("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2", (1, 1), "50 moves of each side without progress"),
    ],
)  # fmt: skip
def test_how_games_end(variant: str, fen: str, moves: str, points: tuple[int, int] | None, why: str) -> None:
    position, words = begin(variant, fen), moves.split()
    for move in words:
        legal = position.legal()
        if position.end(legal):
            break
        assert move in legal, position.fen()
        position.push(move)
    end = position.end(position.legal())
    assert (end and end.points) == points, end
    if end:
        assert end.why.endswith(why)


def test_what_is_asked_seldom_is_what_fairy_stockfish_says() -> None:
    """Ends by repetition, moves without progress and material are looked for where they can be new alone."""
    for variant in ("makruk", "xiangqi", "minishogi", "janggi"):
        rng, position, start, played = Random(3), begin(variant), fairy_rules(variant).usual, list[str]()
        for _ in range(40):
            legal = position.legal()
            assert list(legal) == sorted(pyffish.legal_moves(variant, start, played))
            over = (
                pyffish.is_immediate_game_end(variant, start, played)[0]
                or not legal
                or all(pyffish.has_insufficient_material(variant, start, played))
                or pyffish.is_optional_game_end(variant, start, played)[0]
            )
            assert bool(position.end(legal)) == over, position.fen()
            if over:
                break
            move = rng.choice(legal[:3])  # a few moves: positions come again
            position.push(move)
            played.append(move)
            assert position.fen() == pyffish.get_fen(variant, start, played)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("rubbish", "fields"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "fields"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 3+3 0 1", "8 ranks and 8 files"),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1", "8 ranks and 8 files"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 3+3 0 1", "not written as FEN"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 0", "counters of moves"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR w KQkq - 3+3 0 1", "not possible in 3check"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 3+3 0 1", "not possible in 3check"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 3+0 0 1", "the game is over after the opening"),
        ("r" * 70000 + " w KQkq - 3+3 0 1", "8 ranks and 8 files"),
    ],
)
def test_positions_of_books_that_are_refused(line: str, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        parse_book(line.encode(), ".epd", "book", fairy_rules("3check"))


def test_books_of_variants() -> None:
    rules = fairy_rules("crazyhouse")
    usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq -"
    epd = f'{usual} id "usual";\n{usual} 3 5\n{usual} hmvc 4; fmvn 7; id "later";\n'
    first, second, third = parse_book(epd.encode(), ".epd", "book", rules)
    assert (first.name, first.fen) == ("usual", f"{usual} 0 1")
    assert (second.name, second.fen) == ("position 2", f"{usual} 3 5")
    assert (third.name, third.fen) == ("later", f"{usual} 4 7")
    pgn = '[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. P@b4 (4. d4) Qxb4 *\n'
    (opening,) = parse_book(pgn.encode(), ".pgn", "book", rules)
    assert opening.moves[-2:] == ("P@b4", "a5b4")
    with pytest.raises(OptionError, match='line 1, in game 1: "Nf6" is no legal move'):
        parse_book(b"1. e4 e5 2. Nf6 *", ".pgn", "book", rules)


def test_each_variant_has_a_title_or_is_called_by_its_name() -> None:
    from botarena_chess.variants.rules import variants

    assert set(TITLES) <= variants()
    assert set(ENDINGS) <= variants()
    games = FAMILY.games()
    assert len(games) > 100
    assert games["chess960"] == "Chess960"
    assert not NOT_PLAYED.keys() & games.keys()
    assert FAMILY.game("fischerandom").name == "chess:chess960"
    assert FAMILY.game("threecheck").name == "chess:3check"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("atomik", 'did you mean "atomic"'),
        ("bughouse", "is played on two boards by four players"),
        ("chess", "is the game chess itself: --game chess"),
        ("", "arena games chess:"),
        ("a" * 1000, "arena games chess:"),
    ],
)
def test_what_is_no_variant(name: str, sentence: str) -> None:
    with pytest.raises(UnknownGame, match=sentence):
        FAMILY.game(name)


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botarena_chess.family.has_variants", lambda: False)
    assert FAMILY.games() == {"chess960": "Chess960"}
    assert FAMILY.game("chess960").name == "chess:chess960"
    with pytest.raises(UnknownGame, match=r"not installed: .*'botarena-chess\[variants\]'"):
        FAMILY.game("atomic")
    with pytest.raises(UnknownGame, match="the games with opening books are chess and chess:VARIANT"):
        rules_of("scopa")
