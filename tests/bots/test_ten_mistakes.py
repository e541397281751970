"""Ten mistakes of beginners: each is told with its line, where Python knows it, and with what to do."""

import stat
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.bots.bot_check import CheckSettings, check
from arena.cli import main
from arena.plan.field import find_bots
from arena.values.definition import TimeControl
from arena.values.errors import ArenaError
from referee.engine.registry import game

PATIENT = TimeControl(move_time_ms=10_000, start_time_ms=20_000)
HASTY = TimeControl(move_time_ms=300, bank_ms=0, start_time_ms=20_000)
LATE = TimeControl(move_time_ms=10_000, start_time_ms=2000)

BOT = """from arena.sdk import Bot


class Mine(Bot):
    games = ("coch",)

    def choose(self, question):
        asked = question.match.memory["asked"] = question.match.memory.get("asked", 0) + 1
        {line}
        return question.legal[0]


Mine().run()
"""

SCRIPT = b"#!/usr/bin/env python3\n" + BOT.format(line="pass").encode()
RUNS_SCRIPT = b'language = "python"\ncommand = ["./main.py"]\n'

STDIO = b"""import json, sys
print("thinking")
for line in sys.stdin:
    pass
"""
RUNS_STDIO = b'language = "python"\ncommand = ["python3", "main.py"]\nprotocol = "stdio"\n'


@dataclass(frozen=True)
class Mistake:
    """A mistake, and what is said of it."""

    main: bytes
    """The bot, main.py."""
    told: tuple[str, ...]
    """What the sentence has; empty: the bot is fit to play."""
    manifest: bytes = b'language = "python"\ncommand = ["python3", "main.py"]\n'
    time: TimeControl = field(default=PATIENT)
    is_executable: bool = True


def bot(line: str) -> bytes:
    return BOT.format(line=line).encode()


MISTAKES = {
    "throws at its fourth question": Mistake(
        bot("if asked == 4: raise ValueError('no such card')"),
        ("crash ", "; ValueError: no such card (main.py, line 9, in choose)"),
    ),
    "index out of range": Mistake(
        bot("return question.legal[len(question.legal)]"),
        ("first answer: ", "; IndexError: tuple index out of range (main.py, line 9, in choose)"),
    ),
    "prints to standard output": Mistake(bot("print('thinking')"), ()),
    "prints to standard output, where lines of JSON are expected": Mistake(
        STDIO, ("it is not JSON in UTF-8", "'thinking'; a bot prints its messages alone on standard output"), RUNS_STDIO
    ),
    "endless loop": Mistake(
        bot("while True: pass"),
        ("first answer: no answer to question 1 within 0.3 s; it was at main.py, line 9, in choose",),
        time=HASTY,
    ),
    "endless loop in a match": Mistake(
        bot("while asked == 4: pass"),
        ("plays coch: timeout ", "; it was at main.py, line 9, in choose"),
        time=HASTY,
    ),
    "missing dependency": Mistake(
        b"import networkxx\n" + bot("pass"),
        ("starts: ", "it imports networkxx, which is not there: declare the package that has it", "(main.py, line 1)"),
    ),
    "wrong name of a game": Mistake(
        bot("pass").replace(b'"coch"', b'"cosh"'),
        ('version: it plays only cosh, and there is no such game; did you mean "coch"? (games: cambio, ',),
    ),
    "no such field of the view": Mistake(
        bot("question.view.hnad"),
        (
            "AttributeError: hnad (main.py, line 9, in choose); ",
            'did you mean "hand"?; `arena games coch --view` lists the fields of the view',
        ),
    ),
    "CR LF in the script": Mistake(
        SCRIPT.replace(b"\n", b"\r\n"), ("Windows line ending (CR LF): sed -i 's/\\r$//' makes it work",), RUNS_SCRIPT
    ),
    "no execute bit": Mistake(
        SCRIPT, ("./main.py is not executable: chmod +x ./main.py",), RUNS_SCRIPT, is_executable=False
    ),
    "slow start": Mistake(
        b"from arena.sdk import Bot\nimport time\ntime.sleep(600)\n" + bot("pass"),
        ("dials in: it said no valid hello within 2 s", "; it was at main.py, line 3"),
        time=LATE,
    ),
    "does not parse": Mistake(b"def choose(:\n", ("; SyntaxError: invalid syntax (main.py, line 1)",)),
}


@pytest.mark.promise
@pytest.mark.usefixtures("with_processes")
def test_a_tournament_tells_the_line_at_which_a_bot_hangs_and_keeps_its_stack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("main.py").write_bytes(bot("while asked == 2: pass"))
    arena = partial(CliRunner().invoke, main, prog_name="arena")
    words = "--game coch --rounds 1 --bots ./main.py,random --move-time 300ms --bank 0s --jobs 1"
    played = arena(["tourney", *words.split()])
    assert played.exit_code == 0, played.output
    failing = "processes of main fail: `arena failures --bot main` lists when and how; the first: "
    assert f"{failing}it was at main.py, line 9, in choose\n" in played.stderr
    told = arena(["failures", "--bot", "main", "--output", "--limit", "1"]).stdout
    assert "has not answered through two time limits; it was at main.py, line 9, in choose\n" in told
    assert 'main.py", line 9 in choose\n' in told


@pytest.mark.processes
@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_with_its_line_and_what_to_do(mistake: Mistake, tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(mistake.manifest)
    (tmp_path / "main.py").write_bytes(mistake.main)
    (tmp_path / "main.py").chmod(stat.S_IRUSR | stat.S_IWUSR | stat.S_IXUSR * mistake.is_executable)
    try:
        [entrant] = find_bots([str(tmp_path)], {})
        told = check(entrant, CheckSettings((game("coch"),), mistake.time, matches=4), print).why
    except ArenaError as error:
        told = str(error)
    assert bool(told) == bool(mistake.told)
    assert [part for part in mistake.told if part not in told] == [], told
