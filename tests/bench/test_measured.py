"""Measurements as files, and two of them side by side."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.bench.comparison import Comparison
from arena.bench.figures import BenchError, Figure
from arena.bench.measured import Measured, read_measured

MACHINE = {"cpu": "EPYC", "cores": 2, "memory_mb": 1000, "system": "Linux", "python": "CPython 3.11.7",
           "yardstick": {"version": 1, "us": 2.0}}  # fmt: skip
OTHER = MACHINE | {"cpu": "Xeon"}

RULES = Figure("engine.rules", "decisions/s", (250_000.0, 200_000.0), "apply", {"seats": 6}, (4.0, 5.0), (2.0, 2.0))
COPIES = Figure("engine.copies", "copies/s", (1000.0,), "copy", {"seats": 6})
FASTER = replace(RULES, runs=(500_000.0,), cpu=(2.0,), yardstick=(1.0,))


def test_a_figure_about_decisions_has_its_cost_and_its_ratio() -> None:
    values = RULES.to_json()
    assert values["cpu_us"] == {"value": 4.5, "runs": [4.0, 5.0]}
    assert values["yardstick_us"] == {"value": 2.0, "runs": [2.0, 2.0]}
    assert values["ratio"] == {"value": 2.25, "runs": [2.0, 2.5]}
    assert not {"cpu_us", "yardstick_us", "ratio"} & COPIES.to_json().keys()


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    measured = Measured(MACHINE, [RULES, COPIES])
    path = tmp_path / "bench.json"
    path.write_text(json.dumps(measured.to_json()))
    assert read_measured(path) == measured


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ((), []),
        (("machine",), {}),
        (("machine", "cpu"), None),
        (("figures",), 3),
        (("figures", 0), "engine"),
        (("figures", 0, "runs"), []),
        (("figures", 0, "runs"), ["many"]),
        (("figures", 0, "runs"), [float("nan")]),
        (("figures", 0, "runs"), [float("inf")]),
        (("figures", 0, "conditions"), {"seats": []}),
        (("figures", 0, "conditions"), None),
        (("figures", 0, "yardstick_us", "runs"), [1.0]),
        (("figures", 0, "yardstick_us", "runs"), [1.0, 0.0]),
    ],
)
def test_a_file_that_is_damaged_is_told_in_a_sentence(tmp_path: Path, place: tuple[Any, ...], value: object) -> None:
    values: Any = Measured(MACHINE, [RULES]).to_json()
    at = values
    for key in place[:-1]:
        at = at[key]
    if place:
        at[place[-1]] = value
    else:
        values = value
    path = tmp_path / "bench.json"
    path.write_text(json.dumps(values))
    with pytest.raises(BenchError, match=r"bench.json is no file that `arena bench --json FILE` wrote: measure again"):
        read_measured(path)


def test_on_the_same_machine_figures_and_ratios_are_compared() -> None:
    comparison = Comparison(Measured(MACHINE, [RULES, COPIES]), Measured(MACHINE, [FASTER, COPIES]))
    assert [(change.name, change.unit, change.old, change.now, change.factor) for change in comparison.changes] == [
        ("engine.rules", "decisions/s", 225_000, 500_000, pytest.approx(2.222, rel=0.001)),
        ("engine.rules", "ratio", 2.25, 2.0, pytest.approx(0.8889, rel=0.001)),
        ("engine.copies", "copies/s", 1000, 1000, 1.0),
    ]
    assert comparison.text().splitlines() == [
        "The same machine. Ratios: CPU time per decision by that of the yardstick",
        "figure         unit             old      now  now / old",
        "-------------  -----------  -------  -------  ---------",
        "engine.rules   decisions/s  225,000  500,000      2.222",
        "engine.rules   ratio           2.25      2.0     0.8889",
        "engine.copies  copies/s       1,000    1,000        1.0",
    ]


def test_between_machines_only_ratios_are_compared() -> None:
    comparison = Comparison(Measured(MACHINE, [RULES, COPIES]), Measured(OTHER, [FASTER, COPIES]))
    assert comparison.to_json() == {
        "differences": ["cpu: EPYC, Xeon"],
        "changes": [{"name": "engine.rules", "unit": "ratio", "old": 2.25, "now": 2.0, "factor": 0.8889}],
        "left_out": ["engine.copies"],
    }
    lines = comparison.text().splitlines()
    assert lines[0] == "The machines differ (cpu: EPYC, Xeon), so only ratios to the yardstick are compared"
    assert lines[-1] == "Not compared, for want of a ratio or of the same conditions in both: engine.copies"


def test_figures_of_other_conditions_or_of_one_measurement_alone_are_left_out() -> None:
    others = [replace(FASTER, conditions={"seats": 5}), replace(COPIES, name="views.bytes")]
    comparison = Comparison(Measured(MACHINE, [RULES, COPIES]), Measured(MACHINE, others))
    assert comparison.changes == []
    assert comparison.left_out == ["engine.rules", "views.bytes", "engine.copies"]
    assert comparison.text() == ("Nothing can be compared: no figure is in both measurements under the same conditions")


def test_ratios_to_different_yardsticks_are_not_compared() -> None:
    old = Measured(MACHINE | {"yardstick": {"version": 0, "us": 2.0}}, [RULES])
    units = [change.unit for change in Comparison(old, Measured(MACHINE, [FASTER])).changes]
    assert units == ["decisions/s"]
    told = Comparison(old, Measured(OTHER, [FASTER])).text()
    assert told.startswith("Nothing can be compared: the machines differ, and the yardsticks (versions 0 and 1) too")


@pytest.mark.parametrize("yardstick", [None, [], {}, {"version": []}])
def test_a_measurement_without_a_yardstick_has_no_ratios_to_compare(yardstick: object) -> None:
    old = Measured(MACHINE | {"yardstick": yardstick}, [RULES])
    assert [change.unit for change in Comparison(old, Measured(MACHINE, [FASTER])).changes] == ["decisions/s"]


def test_what_was_zero_has_no_factor() -> None:
    nothing = replace(COPIES, runs=(0.0,))
    (change,) = Comparison(Measured(MACHINE, [nothing]), Measured(MACHINE, [COPIES])).changes
    assert change.factor is None
    assert change.to_json()["factor"] is None
