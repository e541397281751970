import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main


def ratings(*words: str) -> Result:
    return CliRunner().invoke(main, ["ratings", *words], prog_name="arena")


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "results.csv"
    first, second = ["ann,bob,1-0"] * 12, ["bob,ann,0-1"] * 12  # ann wins 24, bob 8, and 8 are ties
    lost = ["ann,bob,0-1", "bob,ann,1-0", "ann,bob,1/2-1/2", "bob,ann,1/2-1/2"] * 4
    path.write_text("\n".join(["white,black,result", *first, *second, *lost]))
    return str(path)


def test_all_tables_in_all_forms(file: str) -> None:
    for table in ((), ("--los",), ("--crosstable",), ("--seats",)):
        for form in ("text", "markdown", "html", "latex", "csv", "json"):
            result = ratings(file, *table, "--format", form)
            assert result.exit_code == 0, result.output
            assert "ann" in result.stdout
    assert ratings(file, "--davidson", "--anchor", "bob=2000").stdout.startswith("40 matches, 2 players\n")


def test_json_tells_what_was_asked_for(file: str) -> None:
    told = json.loads(ratings(file, "--json", "--seats", "--davidson", "--anchor", "bob=2000").stdout)
    assert (told["matches"], told["deals"], told["bots"]) == (40, 40, ["ann", "bob"])
    assert told["tie"] == pytest.approx(8 / (24 * 8) ** 0.5)
    assert [each["seat"] for each in told["seats"]["worth"]] == [0, 1]
    assert next(row for row in told["ranking"] if row["bot"] == "bob")["elo"] == 2000


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--json", "--csv"), "--json and --csv exclude each other"),
        (("--los", "--seats"), "--los and --seats exclude each other"),
        (("--anchor", "bob"), '"bob" is not BOT=ELO, such as random=1000'),
        (("--anchor", "bub=3"), 'the anchor "bub" played no match; did you mean "bob"?'),
    ],
)
def test_what_cannot_be_is_a_sentence(file: str, words: tuple[str, ...], sentence: str) -> None:
    result = ratings(file, *words)
    assert result.exit_code == 2
    assert sentence in result.stderr
