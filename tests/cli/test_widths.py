"""The tables of all commands on terminals of 40, 80 and 120 columns, and where they are piped."""

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import arena
from arena.bench import figure_table
from arena.bench.figures import Figure
from arena.bots.bot_profile import ProfiledFunction
from arena.bots.hand_ins import HandIns
from arena.cli import main, output, practice, watch
from arena.cli.output import print_table, table_width
from arena.cli.profile_report import ProfileReport
from arena.store import open_store
from arena.values.failure_rows import ProcessFailureRow
from arena.values.terminal_width import cells_of
from arena.values.text_table import Column, text_column
from referee.games.cambio import CAMBIO
from tests import played
from tests.cli.test_every_command import LINES, prepared
from tests.cli.test_profile import QUESTION, made
from tests.printed_tables import printing_functions, watched_tables

__all__ = ["prepared"]

pytestmark = pytest.mark.usefixtures("in_process")

ROOT = Path(arena.__file__).parent

LONG = "a-club-of-a-long-name/and-its-bot-of-a-longer-one"

COMMANDS = [
    *(f"{name} {LINES[name]}" for name in (
        "accounts list", "accounts teams list", "accounts tokens list", "tokens list", "bots", "games", "hand-ins list",
        "league batch", "league board", "league list", "league show", "match show", "matches", "ranking", "samples",
        "tourney list", "tourney show",
    )),
    "bench --compare b.json --with b.json",
    "failures",
    "games cambio",
    "games cambio --log",
    "games cambio --view",
    "league board cambio --names",
    "league board cambio --season 1",
    "league groups cambio",
    "matches --slower 1ms",
    "ranking --los",
    "ranking --first",
    "ranking --crosstable",
    "ranking --seats",
    "ranking --history",
    "tourney audit",
    "tourney log 1",
    "tourney --game cambio --rounds 1 --bots random,cautious,counter,bluffer --dry-run",
]  # fmt: skip
"""Commands that print tables."""

ELSEWHERE = {
    ("match.py", "_repr_html_"): "for a notebook, as HTML",
    ("audit.py", "_collusion"): "tests/cli/tourneys/test_audit.py",
    ("divisions.py", "_lines"): "tests/league/divisions",
    ("variance_reduction.py", "reductions_text"): "tests/ratings",
    ("games.py", "command"): "packages/botarena-openspiel",
}
"""Functions that print tables which none of these commands has, and where they are tested."""


@pytest.fixture(scope="module")
def folder(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database in which names are long and numbers large."""
    folder = tmp_path_factory.mktemp("wide") / "folder"
    shutil.copytree(prepared, folder)
    with open_store(folder / "arena.db", write=True) as store:
        store.accounts.describe("ann", display_name="이름이 아주 긴 사람 " * 3, group="아주 긴 반 이름 " * 3)
        store.accounts.add("club", "author", "f" * 64)
        store.accounts.describe("club", group="아주 긴 반 이름 " * 3)
        number = store.add_tournament(played.tournament(CAMBIO, bots=12, matches=1_000_000))
        failures = [
            ProcessFailureRow(0, 1, 1, 10**15, "crash", "it ended", None, 9, (0, 1, 2, 3, 4), None, "끝" * 99, True)
        ]
        rows = [
            played.match(CAMBIO, match, bots=12, faults=dict.fromkeys(range(14), "timeout"), micros=5000)
            for match in range(48)
        ]
        store.add_matches(number, rows, failures=failures)
        HandIns(store).receive("club", LONG, "owl.zip", b"")
    void = ["tourney", "void", "1", "2", "--reason", "여러 가지 이유로 " * 9, "--db", str(folder / "arena.db")]
    assert CliRunner().invoke(main, void).exit_code == 0
    return folder


@pytest.fixture(autouse=True)
def _in_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("ARENA_DB", "arena.db")
    monkeypatch.setenv("ARENA_TRUST_BOTS", "1")


class _Practice:
    """A server with a practice league."""

    def get(self, *_: object) -> Any:
        row = {"league": "practice-17", "owner": "ann", "game": "cambio", "state": "open", "matches": 10_000_000}
        return {"practice": [row | {"kept_until": "2026-11-30", "bots": [LONG, LONG]}]}


def _print_others(patch: pytest.MonkeyPatch) -> None:
    """Print the tables that need a server, a bot's process or a measurement."""
    row = {"rank": 1, "bot": LONG, "elo": 1234.5, "bound": ">", "ci95": 12.0, "state": "suspended"}
    watch.print_board([row])
    patch.setattr(practice, "open_server", lambda *_: _Practice())
    assert CliRunner().invoke(main, ["practice", "list", "--to", "http://127.0.0.1:9"]).exit_code == 0
    functions = tuple(ProfiledFunction(f"/owl/{LONG}.py", 1, "think", 1, number, 0.5, 0.7) for number in range(3))
    assert list(ProfileReport("owl", "/owl", QUESTION, (4,), made(functions)).lines(5, 15))
    figure = Figure("tourney.decisions", "decisions/s", (1.0, 2.0), "", {"game": "cambio", "K": 64}, (1.0,), (1.0,))
    figure_table.text(MACHINE, [figure, Figure("tourney.b", "s", (1.0,), "", {"game": "cambio"})], table_width())


MACHINE = {
    "cpu": "cpu",
    "cores": 2,
    "memory_mb": 1,
    "system": "Linux",
    "python": "3",
    "versions": {"arena": "1"},
    "protobuf_backend": "upb",
    "rules": "compiled",
    "codec": "native",
    "sandbox": "bubblewrap",
    "busy_cores": 0,
    "yardstick": {"version": 1, "us": 2},
}


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_table_is_wider_than_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    with watched_tables() as (texts, printers):
        for line in COMMANDS:
            before = len(texts)
            result = CliRunner().invoke(main, line.split(), prog_name="arena")
            assert result.exit_code in (0, 1), result.output
            assert texts[before:] or line.startswith("games cambio"), f"{line} prints no table"
            if line.startswith("games cambio"):
                texts += [part for part in result.stdout.split("\n\n") if "  " in part]
        _print_others(monkeypatch)
    wide = [line for text in texts for line in text.splitlines() if cells_of(line) > width]
    assert not wide, "\n".join(wide)
    assert len(texts) > len(COMMANDS)
    everything = printing_functions(ROOT / "cli", ROOT / "ratings", ROOT / "bench", ROOT / "api")
    assert everything - printers == ELSEWHERE.keys()


def test_a_table_that_is_piped_has_all_columns(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert table_width() is None
    print_table([text_column("bot"), Column("Elo", drop=1)], [["x" * 200, "1"]])
    assert capsys.readouterr().out.splitlines()[0].split() == ["bot", "Elo"]


def _imports() -> Iterator[tuple[Path, str]]:
    for folder in (ROOT, ROOT.parent / "packages"):
        for file in folder.rglob("arena*/**/*.py") if folder.name == "packages" else folder.rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.ImportFrom):
                    yield file, node.module or ""


def test_tables_are_made_in_one_place() -> None:
    assert {file.name for file, module in _imports() if module == "tabulate"} == {"text_table.py"}
