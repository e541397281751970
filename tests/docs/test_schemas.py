"""The JSON schemas of docs/schemas are current, and agree with the readers."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from arena.league.archive.lines import LEAGUE, AttemptLine
from arena.packs.errors import ManifestError
from arena.packs.manifest import parse_manifest
from arena.packs.roster import Roster
from arena.plan.eventfile.errors import EventError
from arena.plan.eventfile.event_reader import read_event
from arena.results.archive.files import ArchiveWriter
from arena.values.texts import toml_text
from arena.values.tournament_errors import FieldError
from tests.archive.test_files import store, written
from tools.schemas import SCHEMAS

__all__ = ["store"]  # a fixture

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "docs/schemas"
MANIFESTS = sorted(ROOT.glob("sample_bots/*/bot.toml"))
PAGES = [ROOT / "docs/submitting.md", ROOT / "docs/bridge.md"]
EVENTS = [ROOT / "docs/events.md", ROOT / "docs/tutorials/class-tournament.md"]
BOT = {"language": "python", "command": ["python3", "owl.py"]}
EVENT = {"game": "cambio", "bot": [{"bot": "random"}, {"bot": "counter"}]}


def validator(name: str) -> Draft202012Validator:
    """Return the validator of a schema in docs/schemas."""
    return Draft202012Validator(json.loads((FOLDER / f"{name}.schema.json").read_text()))


def toml_blocks(page: Path) -> list[str]:
    """Return the TOML of a page."""
    return re.findall(r"^```toml[^\n]*\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


def toml(values: dict[str, Any]) -> str:
    """Return a TOML file of values, tables and lists of tables."""
    lines = [f"{key} = {toml_text(value)}" for key, value in values.items() if not is_table(value)]
    for key, value in values.items():
        if is_table(value):
            tables = value if isinstance(value, list) else [value]
            for table in tables:
                lines += [f"[[{key}]]" if isinstance(value, list) else f"[{key}]"]
                lines += [f"{name} = {toml_text(each)}" for name, each in table.items()]
    return "\n".join(lines)


def is_table(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(each, dict) for each in value))


@pytest.mark.parametrize("name", SCHEMAS)
def test_they_are_current(name: str) -> None:
    schema = SCHEMAS[name]()
    Draft202012Validator.check_schema(schema)
    assert json.loads((FOLDER / name).read_text()) == schema, "run `make docs`"


def test_all_bots_have_a_valid_manifest() -> None:
    texts = [path.read_text() for path in MANIFESTS] + [text for page in PAGES for text in toml_blocks(page)]
    assert len(texts) > 7
    for text in texts:
        parse_manifest(text)
        validator("bot").validate(tomllib.loads(text))


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"games": "perudo"},
        {"games": ["perudo", "coch"], "author": "club", "limits": {"memory_mb": 16}},
        {
            "build": ["make"],
            "build_network": True,
            "ignore": ["notes"],
            "keep": ["bot"],
            "dependencies": ["networkx>=3"],
        },
        {"protocol": "stdio"},
        {"needs": ["network", "device:/dev/dri/card0"]},
        {"needs": ["internet"]},
        {"language": "Two words"},
        {"command": []},
        {"command": "python3"},
        {"games": []},
        {"games": ["coch", "coch"]},
        {"protocol": "http"},
        {"build_network": "yes"},
        {"limits": {"memory_mb": 15}},
        {"limits": {"cores": 2}},
        {"colour": "red"},
        {"language": None},
    ],
    ids=str,
)
def test_schema_and_reader_of_manifests_agree(change: dict[str, Any]) -> None:
    values = {key: value for key, value in (BOT | change).items() if value is not None}
    try:
        parse_manifest(toml(values))
        accepted = True
    except ManifestError:
        accepted = False
    assert validator("bot").is_valid(values) == accepted


def test_events_of_the_pages_are_valid() -> None:
    texts = [text for page in EVENTS for text in toml_blocks(page)]
    whole = [text for text in texts if text.startswith("game")]
    assert len(whole) >= 2
    for text in texts:
        values = tomllib.loads(text.replace("5f0c...", "5f0c" * 16))
        validator("event").validate(EVENT | values if text not in whole else values)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"schedule": {"kind": "swiss", "rounds": 2, "stages": 2, "tie_break": ["direct", "score"], "names": True}},
        {"time": {"move": "50ms", "bank": 2, "mode": "clock", "ponder": True, "lag": "100ms", "slot": "0s"}},
        {"stop": {"kind": "sprt", "elo0": 0, "elo1": 10}, "schedule": {"seats": 2}},
        {"stop": {"kind": "separated", "control": "pairwise"}},
        {"bot": [{"bot": "random", "grants": ["network"]}, {"bot": "counter"}], "time": {"fischer": True}},
        {"bot": [{"bot": "random", "grants": ["internet"]}, {"bot": "counter"}]},
        {"options": {"chips": 3, "reveal": "anti", "misery": False}, "seed": {"number": 7}, "executor": {"jobs": 1}},
        {"schedule": {"kind": "league"}},
        {"schedule": {"rounds": 0}},
        {"schedule": {"round": 4}},
        {"time": {"move": "soon"}},
        {"time": {"memory_mb": 8}},
        {"time": {"ponder": "yes"}},
        {"stop": {"kind": "later"}},
        {"seed": {"number": -1}},
        {"options": {"chips": 2.5}},
        {"bot": []},
        {"bot": [{"name": "owl"}, {"bot": "random"}]},
        {"bot": [{"bot": "random", "colour": "red"}, {"bot": "counter"}]},
        {"game": None},
        {"colour": "red"},
    ],
    ids=str,
)
def test_schema_and_reader_of_events_agree(change: dict[str, Any], tmp_path: Path) -> None:
    values = {key: value for key, value in (EVENT | change).items() if value is not None}
    (tmp_path / "event.toml").write_text(toml(values))
    try:
        read_event(tmp_path / "event.toml", Roster())
        accepted = True
    except (EventError, FieldError):
        accepted = False
    assert validator("event").is_valid(values) == accepted


@pytest.mark.parametrize("bare", [False, True])
def test_archives_are_valid(store: Any, bare: bool) -> None:
    lines = [json.loads(line) for line in written(store, bare=bare).splitlines()]
    assert {line["kind"] for line in lines} >= {"tournament", "match"}
    for line in lines:
        validator("archive").validate(line)
        assert not validator("archive").is_valid(line | {"kind": "other"})
    match = next(line for line in lines if line["kind"] == "match")
    assert not validator("archive").is_valid(match | {"match": match["match"] | {"number": "six"}})


def test_lines_of_leagues_are_checked() -> None:
    line = json.loads(ArchiveWriter(LEAGUE).line(AttemptLine(1, "2026-11-24T12:00:00Z", None, None, "")))
    validator("league-archive").validate(line)
    assert not validator("league-archive").is_valid({"kind": "attempt", "attempt": line["attempt"] | {"attempt": "1"}})
    assert not validator("league-archive").is_valid({"kind": "attempt", "attempt": {"attempt": 1}})
