import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))


def arena(*words: str) -> Result:
    return CliRunner().invoke(main, words, prog_name="arena")


def test_the_three_commands_that_it_prints_work() -> None:
    made = arena("init", "mybot", "--game", "coch")
    assert made.exit_code == 0, made.output
    commands = re.findall(r"^    arena (.*)$", made.stdout, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["check", "match", "submit"]
    for command in commands:
        done = arena(*shlex.split(command))
        assert done.exit_code == 0, done.output
    assert "mybot is version 1 now" in done.stdout


def test_what_it_says_to_programs_and_what_is_wrong() -> None:
    told = json.loads(arena("init", "owl", "--json").stdout)
    assert (told["folder"], told["name"], told["game"]) == ("owl", "owl", "cambio")
    refused = arena("init", "fox", "--lang", "cobol")
    assert refused.exit_code == 2
    assert 'there is no "cobol"; there are python' in refused.stderr
    assert not Path("fox").exists()
    assert arena("init", "owl").exit_code == 2
