"""Scenario files: a match told in TOML, played by the rules without bots, held against what it expects.

    file     the format: text -> Scenario, or the sentence that says what is wrong with it
    stage    a Scenario -> the state after its plays
    expect   the state -> the differences from what the file expects
    verdict  all three in a row

The format, for authors, is told in docs/scenarios.md. No file is opened here: callers bring the text.
"""

from referee.engine.scenario.file import Scenario, parse
from referee.engine.scenario.stage import Stage
from referee.engine.scenario.verdict import ScenarioVerdict, judge

__all__ = ["Scenario", "Stage", "ScenarioVerdict", "judge", "parse"]
