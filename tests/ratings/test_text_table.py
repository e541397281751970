"""Tables as people read them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from arena.ratings.text_table import TextTable


def test_names_mean_nothing_to_markdown_or_html() -> None:
    sheet = TextTable(["bot", "Elo"], [["a|b<br>", "< -5.0"]], (0,), ())
    assert sheet.render("markdown").splitlines()[-1].split(" | ") == [r"| a\|b\<br>", "< -5.0 |"]
    assert "a|b&lt;br&gt;" in sheet.render("html")
    assert "a|b<br>" in sheet.render()


SHEET = TextTable(
    ["rank", "bot", "Elo", "± 95 %"],
    [["≈1", r"a_b&c%{$#}^~\d", "> +12.5", "3.0"], ["2", "club/owl@2", "-4.5", None]],
    (1,),
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
    sheet = TextTable([*SHEET.headers] * (columns // 4), lines, (1,), SHEET.notes)
    document = [r"\documentclass{article}\usepackage{booktabs,graphicx}\begin{document}Text.", ""]
    (tmp_path / "paper.tex").write_text("\n".join([*document, sheet.render("latex"), r"\end{document}"]))
    command = [compiler, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "Overfull" not in done.stdout
