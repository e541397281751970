"""Tables as people read them."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from arena.values.terminal_width import cells_of, fold_to_cells
from arena.values.text_table import Column, TextTable, text_column


def test_names_mean_nothing_to_markdown_or_html() -> None:
    sheet = TextTable([text_column("bot"), Column("Elo")], [["a|b<br>", "< -5.0"]])
    assert sheet.render("markdown").splitlines()[-1].split(" | ") == [r"| a\|b\<br>", "< -5.0 |"]
    assert "a|b&lt;br&gt;" in sheet.render("html")
    assert "a|b<br>" in sheet.render()


SHEET = TextTable(
    [Column("rank"), text_column("bot"), Column("Elo"), Column("± 95 %")],
    [["≈1", r"a_b&c%{$#}^~\d", "> +12.5", "3.0"], ["2", "club/owl@2", "-4.5", None]],
    ["≈ not separated: 95 % of 10 deals.", "a_b was withdrawn"],
)


def test_names_mean_nothing_to_latex() -> None:
    lines = SHEET.render("latex").splitlines()
    assert lines[0] == r"% \usepackage{booktabs,graphicx}"
    assert lines[2] == r"\begin{tabular}{rlrr}"
    cells = [[cell.strip() for cell in line.removesuffix(r"\\").split(" & ")] for line in lines if " & " in line]
    assert cells == [
        ["rank", "bot", "Elo", r"$\pm$ 95 \%"],
        [r"$\approx$1", r"a\_b\&c\%\{\$\#\}\^{}\textasciitilde{}\textbackslash{}d", r"\ensuremath{>} $+$12.5", "3.0"],
        ["2", "club/owl@2", "$-$4.5", ""],
    ]
    assert lines[-3:] == [
        r"{\footnotesize $\approx$ not separated: 95 \% of 10 deals.\par}",
        "",
        r"{\footnotesize a\_b was withdrawn\par}",
    ]
    assert all(line.isascii() for line in lines)


@pytest.mark.toolchain
@pytest.mark.parametrize(("columns", "rows"), [(4, 2), (24, 2), (8, 100)])
def test_latex_compiles_and_fits_the_page(tmp_path: Path, columns: int, rows: int) -> None:
    compiler = shutil.which("pdflatex") or pytest.skip("pdflatex is not installed")
    lines = [[cell for _ in range(columns // 4) for cell in line] for line in SHEET.lines] * (rows // 2)
    sheet = TextTable([*SHEET.columns] * (columns // 4), lines, SHEET.notes)
    document = [r"\documentclass{article}\usepackage{booktabs,graphicx}\begin{document}Text.", ""]
    (tmp_path / "paper.tex").write_text("\n".join([*document, sheet.render("latex"), r"\end{document}"]))
    command = [compiler, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "Overfull" not in done.stdout


WIDE = TextTable(
    [Column("id"), Column("deal", drop=1), text_column("bot"), Column("expected place", drop=2), text_column("faults")],
    [
        ["17", "3", "club/an-owl-of-a-long-name", "1.25", "timeout 3, illegal move 12"],
        ["2", "4", "부엉이", "2.00", "-"],
    ],
    ["A note that is longer than the table may be."],
)


def test_a_table_is_as_wide_as_it_takes_where_nothing_limits_it() -> None:
    assert WIDE.render().splitlines() == [
        "id  deal  bot                         expected place  faults",
        "--  ----  --------------------------  --------------  --------------------------",
        "17     3  club/an-owl-of-a-long-name            1.25  timeout 3, illegal move 12",
        " 2     4  부엉이                                2.00  -",
        "A note that is longer than the table may be.",
    ]
    assert WIDE.render(width=100) == WIDE.render()


def test_headers_and_texts_are_folded_first() -> None:
    assert WIDE.render(width=60).splitlines() == [
        "id  deal  bot                expected  faults",
        "                                place",
        "--  ----  -----------------  --------  ------------------",
        "17     3  club/an-owl-of-a-      1.25  timeout 3, illegal",
        "          long-name                    move 12",
        " 2     4  부엉이                 2.00  -",
        "A note that is longer than the table may be.",
    ]


def test_columns_are_left_out_in_their_order() -> None:
    shown = WIDE.render(width=40)
    assert shown.splitlines()[-3:] == [
        "Left out for want of room: deal.",
        "A note that is longer than the table may",
        "be.",
    ]
    assert "Left out for want of room: deal," in WIDE.render(width=34)
    assert "expected place." in WIDE.render(width=34).replace("\n", " ")


MATRIX = TextTable(
    [Column(""), text_column("bot"), *(Column(str(number)) for number in range(1, 7))],
    [[number, "an-owl", *[f"{number}5.5"] * 6] for number in range(1, 7)],
    heads=2,
)


def test_what_remains_of_a_matrix_stands_below() -> None:
    above, below = MATRIX.render(width=30).split("\n\n")
    assert above.splitlines()[0].split() == ["bot", "1", "2", "3"]
    assert below.splitlines()[0].split() == ["bot", "4", "5", "6"]
    assert below.splitlines()[2].split() == ["1", "an-owl", "15.5", "15.5", "15.5"]
    assert "Left out" not in MATRIX.render(width=30)


def test_lines_are_told_apart_where_they_are_folded() -> None:
    heading, first, second = WIDE.blocks(60)
    assert (len(heading.splitlines()), len(first.splitlines()), len(second.splitlines())) == (3, 2, 1)
    assert first.splitlines()[0].split()[:2] == ["17", "3"]


TEXTS = st.text(alphabet=st.sampled_from("ab 0/-_.±…ㄱ한글日本語😀é\u0301\n"), max_size=30)
COLUMNS = st.builds(
    Column, TEXTS.map(lambda text: text.replace("\n", "")), st.booleans(), st.integers(0, 3), st.booleans()
)


@settings(max_examples=60, phases=[Phase.generate])
@given(st.data(), st.lists(COLUMNS, min_size=1, max_size=9), st.integers(25, 130), st.booleans())
def test_no_line_is_wider_than_it_may_be(data: st.DataObject, columns: list[Column], width: int, matrix: bool) -> None:
    lines = data.draw(st.lists(st.lists(TEXTS, min_size=len(columns), max_size=len(columns)), max_size=4))
    table = TextTable(columns, lines, ["a note of several words"], heads=min(2, len(columns) - 1) if matrix else 0)
    assert max(map(cells_of, table.render(width=width).splitlines())) <= width


@given(TEXTS, st.integers(2, 40))
def test_what_is_folded_loses_only_blanks(text: str, width: int) -> None:
    lines = fold_to_cells(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 5, [""]),
        ("an owl", 6, ["an owl"]),
        ("an owl sits", 6, ["an owl", "sits"]),
        ("club/owl", 6, ["club/", "owl"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("부엉이가", 5, ["부엉", "이가"]),
        ("부엉", 1, ["부", "엉"]),
    ],
)
def test_texts_are_folded_at_blanks_then_at_signs(text: str, width: int, lines: list[str]) -> None:
    assert fold_to_cells(text, width) == lines
