from pathlib import Path

import pytest

from arena.ratings import Result
from arena.ratings.reading import ReadingError, read

PGN = """\
[Event "a match"]
[White "Ann \\"the rook\\""]
[Black "Bob"]
[Result "1-0"]

1. e4 {a comment
[White "nobody"]
} e5 2. Nf3 1-0

[White "Bob"]
[Black "Ann \\"the rook\\""]
[Result "1/2-1/2"]

1. d4 1/2-1/2
[White "Bob"]
[Black "Cat"]
[Result "*"]

*

[White "Cat"]
[Black "Bob"]
[Result "0-1"]
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def results(folder: Path, name: str, text: str) -> list[Result]:
    return [match.result for match in read([written(folder, name, text)])]


def test_games_of_chess(tmp_path: Path) -> None:
    ann = 'Ann "the rook"'
    assert results(tmp_path, "games.pgn", PGN) == [
        Result(0, (ann, "Bob"), (1, 2), (2, 0)),
        Result(1, ("Bob", ann), (1, 1), (1, 1)),
        Result(2, ("Cat", "Bob"), (2, 1), (0, 2)),
    ]


def test_whatever_stands_in_comments_is_no_game(tmp_path: Path) -> None:
    text = """\
%[White "escaped"]
[White "a"][Black "b; {"] [Result "1-0"]
1. e4 ; to the end of the line, with a brace {
e5 {one} 2. Nf3 {two; with } Nc6 {three
[White "nobody"] 0-1 } (2... d6 0-1) 1-0

[White "c"]
[Black "d"]

1. d4 d5 {0-1
} 2. c4 1/2-1/2 {agreed}
[White "e"] {moves are missing, and so is the result}
[Black "f"]

[White "g"]
[Black "h"]
[Result "0-1"]
"""
    expected = [
        Result(0, ("a", "b; {"), (1, 2), (2, 0)),
        Result(1, ("c", "d"), (1, 1), (1, 1)),
        Result(2, ("g", "h"), (2, 1), (0, 2)),
    ]
    assert results(tmp_path, "games.pgn", text) == expected
    assert results(tmp_path, "dos.pgn", text.replace("\n", "\r\n")) == expected


def test_letters_of_old_programs_and_byte_order_marks(tmp_path: Path) -> None:
    """Two names that differ in one letter stay two, and the first tag or column is read."""
    old, marked = tmp_path / "old.pgn", tmp_path / "marked.csv"
    old.write_bytes('[White "Müller"]\n[Black "Möller"]\n[Result "1-0"]\n'.encode("iso-8859-1"))
    marked.write_text("match,bot,rank\n1,Müller,1\n1,Möller,2\n", "utf-8-sig")
    lines = written(tmp_path, "r.jsonl", '\ufeff{"bots": ["Müller", "Möller"], "ranks": [1, 2]}\n')
    assert [match.result.teams for match in read([old, marked, lines])] == [("Müller", "Möller")] * 3


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("r.csv", "white,black,result\na,b,1-0\n"),
        ("r.jsonl", '{"bots": ["a", "b"], "ranks": [1, 2]}\n'),
        ("r.pgn", '[White "a"]\n[Black "b"]\n[Result "1-0"]\n'),
    ],
)
def test_another_encoding_is_named(tmp_path: Path, name: str, text: str, encoding: str) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    named = encoding[:6].upper() if encoding[6:] == "" else "UTF-16 or UTF-32"
    with pytest.raises(ReadingError) as raised:
        list(read([path]))
    assert str(raised.value) == f"{path} is text in {named}, and results are read in UTF-8: save it in that encoding"


def test_quotes_of_windows_are_no_control_characters(tmp_path: Path) -> None:
    path = tmp_path / "old.pgn"
    path.write_bytes(b'[White "O\x92Kelly"]\n[Black "b"]\n[Result "1-0"]\n')
    assert [match.result.teams for match in read([path])] == [("O\x92Kelly", "b")]


def test_variations_are_no_moves_and_hold_no_result(tmp_path: Path) -> None:
    head = '[White "a"]\n[Black "b"]\n'
    plain = f"{head}\n1. e4 e5 2. Nf3 1-0\n"
    varied = f"{head}\n1. e4 (1. d4 {{better)}} d5 (1... Nf6 0-1) 0-1)e5(1... c5\n) 2. Nf3 1-0 (0-1)\n"
    first, second = read([written(tmp_path, "r.pgn", f"{plain}\n{varied}")])
    assert first.log == second.log
    assert first.result.ranks == second.result.ranks == (1, 2)


def test_two_players_on_a_line(tmp_path: Path) -> None:
    text = "white,black,result,deal\na,b,1-0,x\nb,a,0.5,x\na,c,0,\na,c,*,\n"
    assert results(tmp_path, "r.csv", text) == [
        Result(0, ("a", "b"), (1, 2), (2, 0)),
        Result(0, ("b", "a"), (1, 1), (1, 1)),
        Result(1, ("a", "c"), (2, 1), (0, 2)),
    ]


def test_a_line_for_each_player_of_a_match(tmp_path: Path) -> None:
    text = "Match,Bot,Rank,Score,Deal\n1,a,2,10,7\n2,a,1,5,7\n1,b,1,30,7\n1,c,3,0,7\n2,b,1,5,7\n"
    assert results(tmp_path, "r.csv", text) == [
        Result(0, ("a", "b", "c"), (2, 1, 3), (10, 30, 0)),
        Result(0, ("a", "b"), (1, 1), (5, 5)),
    ]


def test_objects_on_lines(tmp_path: Path) -> None:
    text = """{"bots": ["a", "b", "c"], "ranks": [2, 1, 3], "scores": [1, 2, 0], "deal": 40, "more": true}

{"bots": [["a", "b"], ["c", "d"]], "ranks": [1, 2]}
{"bots": ["b", "a"], "ranks": [1, 1], "deal": 40}
"""
    assert results(tmp_path, "r.jsonl", text) == [
        Result(0, ("a", "b", "c"), (2, 1, 3), (1, 2, 0)),
        Result(1, (("a", "b"), ("c", "d")), (1, 2), (0, 0)),
        Result(0, ("b", "a"), (1, 1), (0, 0)),
    ]


def test_deals_of_several_files_are_kept_apart(tmp_path: Path) -> None:
    one = written(tmp_path, "one.csv", "a,b,result\nx,y,1\nx,y,0\n")
    two = written(tmp_path, "two.csv", "a,b,result\nx,y,1\n")
    assert [match.result.deal for match in read([one, two])] == [0, 1, 2]


def test_games_are_alike_by_their_moves_and_positions(tmp_path: Path) -> None:
    """Not by comments, clocks or how moves are numbered and broken into lines."""
    head = '[White "a"]\n[Black "b"]\n[Result "1-0"]\n'
    games = [
        f"{head}\n1. e4 {{0.1s}} 1... e5 {{0.2s}} 2. Nf3 1-0\n",
        f"{head}\n1.e4 e5\n2.Nf3 ; good\n1-0\n",
        f"{head}\n1. e4 e6 2. Nf3 1-0\n",
        f'{head}[SetUp "1"]\n[FEN "8/8/8/8/8/8/4K2k/8 w - - 0 1"]\n\n1-0\n',
    ]
    first, again, other, bare = read([written(tmp_path, "games.pgn", "\n".join(games))])
    assert first.log == again.log != other.log is not None
    assert (bare.log, bare.opening, first.opening) == (None, "8/8/8/8/8/8/4K2k/8 w - - 0 1", "")


def test_lines_tell_openings_and_logs(tmp_path: Path) -> None:
    line = '{"bots": ["a", "b"], "ranks": [1, 2], "opening": "C60", "log": "e4 e5"}\n'
    told, silent = read([written(tmp_path, "r.jsonl", line + '{"bots": ["a", "b"], "ranks": [1, 2]}\n')])
    assert (told.opening, told.log, silent.opening, silent.log) == ("C60", "e4 e5", "", None)
    with pytest.raises(ReadingError, match='r.jsonl:1: "opening" is to be a text'):
        list(read([written(tmp_path, "r.jsonl", line.replace('"C60"', "7"))]))


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("r.txt", "", r"r.txt: results are read from files that end in .pgn, .csv, .jsonl, .ndjson"),
        ("r.csv", "", r"r.csv:1: the heading must be .* not empty"),
        ("r.csv", "a,b\n", r"r.csv:1: the heading must be .* not a,b"),
        ("r.csv", "a,b,result\n", "holds no result"),
        ("r.csv", "a,b,result\nx,y,2-0\n", r"r.csv:2: a line is two players and"),
        ("r.csv", "a,b,result\nx\n", r"r.csv:2: a line is two players and"),
        ("r.csv", "match,bot,rank\n1,a,1\n", "match 1 has a single line"),
        ("r.csv", "match,bot,rank\n1,a,first\n", r'r.csv:2: the rank "first" is no whole number'),
        (
            "r.csv",
            "match,bot,rank,deal\n1,a,1,x\n1,b,2,y\n",
            r"r.csv:3: match 1 was of deal x before, and is of y here",
        ),
        ("r.csv", "match,bot,rank\n,a,1\n", r"r.csv:2: every line needs a match and a bot"),
        ("r.jsonl", "\n{oops}\n", r"r.jsonl:2: no JSON object"),
        ("r.jsonl", "[1]\n", r"r.jsonl:1: no JSON object"),
        ("r.jsonl", '{"bots": ["a"], "ranks": [1]}\n', "two bots or more"),
        ("r.jsonl", '{"bots": ["a", 3], "ranks": [1, 2]}\n', "a bot is a name"),
        ("r.jsonl", '{"bots": ["a", []], "ranks": [1, 2]}\n', "a bot is a name"),
        ("r.jsonl", '{"bots": ["a", "b"], "ranks": [1, true]}\n', '"ranks" is to hold whole numbers'),
        ("r.jsonl", '{"bots": ["a", "b"]}\n', '"ranks" is to be a list'),
        ("r.jsonl", '{"bots": ["a", "b"], "ranks": [1, 2], "deal": "x"}\n', "the deal is a whole number"),
        (
            "r.pgn",
            '[White "a"]\n[Black "b"]\n\n1. e4 {oops 1-0\n\n[White "b"]\n[Black "a"]\n\n1. e4 {so} 1-0\n',
            r"r.pgn:4: the comment that begins here does not end before the next game: close it with a }",
        ),
        ("r.pgn", '[White "a"]\n[Black "b"]\n\n1. e4 {a\n} {b\nc 1-0\n', r"r.pgn:5: the comment that begins here"),
        (
            "r.pgn",
            '[White "a"]\n[Black "b"]\n\n1. e4 e5\n(1... c5 (1... e6)\n1-0\n\n[White "b"]\n[Black "a"]\n\n1. e4 1-0\n',
            r"r.pgn:5: the variation that begins here does not end before the next game: close it with a \)",
        ),
        ("r.pgn", '[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 (1. d4 1-0\n', "r.pgn:5: the variation"),
        ("r.pgn", '[White "a\\\x07"]\n[Black "b"]\n[Result "1-0"]\n', r"r.pgn:1: the name a.* has the control .*x07"),
        ("r.csv", "a,b,result\nA,b,1\nA\0,b,0\n", r"r.csv:3: the name A.* has the control .* \\x00: take it out"),
        ("r.csv", 'match,bot,rank\n1,"a\nb",1\n1,c,2\n', r"r.csv:3: the name a\nb has the control character \\x0a"),
        ("r.jsonl", '{"bots": ["a", ["b", "\\u0000"]], "ranks": [1, 2]}\n', r"r.jsonl:1: the name .* \\x00"),
        ("r.pgn", '[White "a"]\n[Black "a"]\n[Result "1-0"]\n', r"r.pgn:1: a plays against itself: give the two other"),
        ("r.csv", "a,b,result\nx,y,1\nx,x,0\n", r"r.csv:3: x plays against itself"),
        ("r.csv", "match,bot,rank\n1,a,1\n1,b,2\n1,a,3\n", r"r.csv:4: a plays against itself"),
        ("r.jsonl", '{"bots": [["a", "b"], ["c", "a"]], "ranks": [1, 2]}\n', "r.jsonl:1: a plays against itself"),
        ("r.pgn", '[White "a"]\n[Result "1-0"]\n', r"r.pgn:1: the game has no tag Black"),
        ("r.pgn", '[White "a"]\n[Black "b"]\n[Result "won"]\n', r'r.pgn:1: the result "won" is none of'),
    ],
)
def test_what_makes_no_sense_is_told_with_its_line(tmp_path: Path, name: str, text: str, sentence: str) -> None:
    with pytest.raises(ReadingError, match=sentence):
        results(tmp_path, name, text)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match="cannot be read: No such file"):
        list(read([tmp_path / "none.csv"]))
