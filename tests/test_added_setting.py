"""A setting that is added to the definition, in that file alone, is one everywhere."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from arena.values import definition
from arena.values.definition import Settings, TimeControl
from arena.values.settings import settings_of
from referee.v1.work_pb2 import TimeControl as TimeMessage
from tools.event_keys import PAGE, written

FIELD = """\
    encores: Annotated[
        int, setting("Encores after the last round.", option="--encores", key="schedule.encores", least=0, most=9)
    ] = 0
    names: Annotated["""

PROGRAM = '''
import importlib.util, json, sys
from pathlib import Path

name = "arena.values.definition"
spec = importlib.util.find_spec(name)
module = importlib.util.module_from_spec(spec)
sys.modules[name] = module
source = Path(spec.origin).read_text().replace("    names: Annotated[", sys.argv[1], 1)
exec(compile(source, spec.origin, "exec"), module.__dict__)

from click.testing import CliRunner
from arena.cli.tourney import command
from arena.plan.eventfile.event_reader import read_event
from arena.plan.eventfile.event_writer import event_text
from arena.packs.roster import Roster
from tools.event_keys import table
from tools.schemas.events import event_schema

def read(line):
    bots = '[[bot]]\\nbot = "random"\\n' * 2
    Path("event.toml").write_text(f'game = "cambio"\\n[schedule]\\n{line}\\n{bots}')
    try:
        return read_event(Path("event.toml"), Roster()).definition
    except Exception as error:
        return str(error)

event, usual = read("encores = 3"), read("")
print(json.dumps({
    "help": CliRunner().invoke(command, ["--help"]).output,
    "refused": CliRunner().invoke(command, ["--game", "cambio", "--encores", "10"]).output,
    "event": event.encores,
    "written": event_text(event),
    "json": event.to_json(),
    "again": module.Definition.from_json(event.to_json()) == event,
    "usual": usual.to_json(),
    "wrong": read("encores = 10"),
    "mistyped": read("encore = 1"),
    "schema": event_schema()["properties"]["schedule"]["properties"]["encores"],
    "docs": table(),
}))
'''  # fmt: skip


@pytest.mark.promise
def test_one_field_is_an_option_a_key_a_stored_value_and_a_row_of_the_page(tmp_path: Path) -> None:
    root = str(Path(__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {root!r})\n{PROGRAM}", FIELD],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not done.stderr, done.stderr
    found = json.loads(done.stdout)
    assert "--encores INTEGER               Encores after the last round." in found["help"]
    assert "Invalid value for '--encores': it must be at most 9, not \"10\"" in found["refused"]
    assert found["event"] == 3
    assert "\nencores = 3\n" in found["written"]
    assert (found["json"]["encores"], found["again"]) == (3, True)
    assert "encores" not in found["usual"], "what was defined before keeps its hash"
    assert found["wrong"] == "event.toml, line 3: schedule.encores must be at most 9, not 10"
    assert 'unknown key "schedule.encore"; did you mean "encores"' in found["mistyped"]
    assert found["schema"] == {
        "description": "Encores after the last round.", "type": "integer", "minimum": 0, "maximum": 9
    }  # fmt: skip
    assert (
        "| `schedule.encores` | `--encores` | number, from 0 | `0` | Encores after the last round. |" in found["docs"]
    )


def test_the_table_of_the_page_is_current() -> None:
    assert written(PAGE.read_text()) == PAGE.read_text(), "run `make docs`"
    for kind in (Settings, TimeControl):
        for setting in settings_of(kind):
            assert not setting.key or f"| `{setting.key}` |" in PAGE.read_text()


def test_orders_to_the_referee_have_the_names_units_and_bounds_of_the_definition() -> None:
    protos = Path(__file__).parent.parent / "protos/referee/v1/work.proto"
    message = protos.read_text().partition("message TimeControl {")[2].partition("}")[0]
    settings = {setting.name: setting for setting in settings_of(TimeControl)}
    of_phase = {"mode", "ponder", "remote_ms"}
    assert {field.name for field in TimeMessage.DESCRIPTOR.fields} == settings.keys() - of_phase
    comment = ""
    for line in message.splitlines():
        text = line.strip()
        comment = f"{comment} {text[2:].strip()}" if text.startswith("//") else comment
        if text.endswith(";"):
            kind, name, *_ = text.split()
            setting = settings[name]
            assert ("in milliseconds" in comment) == (setting.unit == "ms"), name
            assert ("in bytes" in comment) == (setting.unit == "bytes"), name
            assert ("0: no limit" in comment) <= (setting.least == 0), name
            most = {"uint32": 2**32 - 1, "uint64": 2**64 - 1, "bool": 1}[kind]
            assert kind == "bool" or (setting.most is not None and setting.most <= most), name
            comment = ""


@pytest.mark.parametrize("kind", [Settings, TimeControl])
def test_no_setting_joins_those_that_are_stored_as_usual(kind: type[Settings | TimeControl]) -> None:
    """Their number is that of the first release: another one would change the hashes of stored definitions."""
    assert len(kind.always_stored) == {Settings: 9, TimeControl: 9}[kind]
    assert kind.always_stored <= set(kind.__struct_fields__)


def test_this_module_adds_to_the_file_that_is_used() -> None:
    assert "    names: Annotated[" in Path(definition.__file__).read_text()
