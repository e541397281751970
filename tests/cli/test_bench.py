"""`arena bench`: what is printed and written; what is measured is tested in tests/bench."""

import json
import re
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.bench import figures, machine_info, suite
from arena.cli import bench, main
from referee.engine.registry import game


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    sampling = figures.Sampling(
        runs=1,
        whole_runs=1,
        seconds=0.0,
        decisions={},
        rounds=1,
        pinnings=(),
        starts=1,
        confined_starts=1,
        stored=0,
        languages={},
        yardstick=0.0,
        alternations=1,
        peer_moves=400,
    )
    monkeypatch.setattr(figures, "QUICK", sampling)
    monkeypatch.setattr("arena.bench.rules_benchmark.DEALS", 2)
    monkeypatch.setattr("arena.bench.yardstick.MATCHES", 2)
    monkeypatch.setattr(machine_info, "busy_cores", partial(machine_info.busy_cores, 0.01))


def measured(*words: str) -> Result:
    return CliRunner().invoke(main, ["bench", "--quick", "--game", "cucco", *words])


@pytest.mark.slow
def test_the_table_says_what_was_measured_and_where() -> None:
    result = measured("--only", "engine", "--only", "views")
    assert result.exit_code == 0, result.output
    assert result.stderr == "measuring engine ...\nmeasuring views ...\n"
    lines = result.stdout.splitlines()
    assert " cores, " in lines[0]
    assert lines[1].startswith("CPython 3.")
    assert re.match("Rules (compiled|interpreted), codec (native|pure), sandbox ", lines[2])
    assert re.match(r"A decision of the yardstick \(version 1\) takes [\d.]+ µs", lines[3])
    assert f"engine: cucco, {game('cucco').recommended} seats, CPU time, one core" in lines
    assert [line.split()[0] for line in lines if line.startswith(("engine.", "views."))] == [
        "engine.rules", "engine.random", "engine.views", "engine.copies", "views.encode", "views.bytes"
    ]  # fmt: skip


def test_json_to_standard_output_is_one_object() -> None:
    result = measured("--only", "views", "--json")
    told = json.loads(result.stdout)
    assert {"cpu", "cores", "python", "versions", "sandbox", "busy_cores"} <= told["machine"].keys()
    assert [figure["name"] for figure in told["figures"]] == ["views.encode", "views.bytes"]
    assert {"value", "unit", "runs", "what", "conditions"} <= told["figures"][0].keys()


def test_json_to_a_file_leaves_the_table_on_standard_output(tmp_path: Path) -> None:
    result = measured("--only", "views", "--json", str(tmp_path / "new" / "bench.json"))
    assert "views.encode" in result.stdout
    assert json.loads((tmp_path / "new" / "bench.json").read_text())["figures"][0]["name"] == "views.encode"


@pytest.mark.slow
def test_a_measurement_is_compared_with_an_earlier_one(tmp_path: Path) -> None:
    old, new = str(tmp_path / "old.json"), str(tmp_path / "new.json")
    measured("--only", "views", "--json", old)
    result = measured("--only", "views", "--compare", old, "--json", new)
    assert result.exit_code == 0, result.output
    told = json.loads(Path(new).read_text())["comparison"]
    assert [(change["name"], change["unit"]) for change in told["changes"]] == [
        ("views.encode", "µs/view"), ("views.encode", "ratio"), ("views.bytes", "bytes")
    ]  # fmt: skip
    assert "\nThe same machine. Ratios: " in result.stdout
    again = measured("--compare", old, "--with", new)
    assert again.stdout.startswith("The same machine. Ratios: ")
    assert again.stderr == "", "nothing is measured"
    (found,) = json.loads(measured("--compare", old, "--with", new, "--json").stdout).values()
    assert [change["factor"] for change in found["changes"]] == pytest.approx(
        [change["factor"] for change in told["changes"]], rel=0.01
    )


def test_the_command_knows_the_groups() -> None:
    assert bench.GROUPS == suite.GROUPS


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--only", "engines"], "'engines' is not one of"),
        (["--game", "cuco"], 'there is no game "cuco"; did you mean "cuc'),
        (["--only", "peers"], "build fastchess as its README says (https://github.com/Disservin/fastchess) and give"),
        (["--fastchess", "/nowhere/at/all"], "'/nowhere/at/all' does not exist"),
        (["--with", __file__], "--with NEW.json needs --compare OLD.json"),
        (["--compare", __file__], "test_bench.py is no file that `arena bench --json FILE` wrote: measure again"),
        (["--json", "/dev/null/at/all.json"], "/dev/null/at/all.json cannot be written: Not a directory"),
    ],
)
def test_wrong_input_is_told_in_a_sentence(words: list[str], sentence: str) -> None:
    result = measured(*words)
    assert result.exit_code == 2
    assert sentence in result.stderr
