"""Parse, play and compare in a row: a scenario's text -> its verdict."""

from dataclasses import dataclass, field

from referee.engine.errors import EngineError
from referee.engine.scenario.expect import differences
from referee.engine.scenario.file import parse, title
from referee.engine.scenario.stage import Stage


@dataclass(slots=True)
class ScenarioVerdict:
    """What became of a scenario."""

    shows: str
    """What the scenario shows, in its own words."""
    log: list[str] = field(default_factory=list)
    """The omniscient log, as far as it was played."""
    wrong: str = ""
    """The sentence that says what is wrong with the file; "" where it could be played."""
    differences: list[str] = field(default_factory=list)
    """The expectations that failed, one sentence each."""

    @property
    def word(self) -> str:
        """The verdict in one word: ok, failed or wrong."""
        return "wrong" if self.wrong else "failed" if self.differences else "ok"


def judge(text: str) -> ScenarioVerdict:
    """Return the verdict on the scenario in `text`."""
    verdict = ScenarioVerdict(title(text))
    stage = None
    try:
        scenario = parse(text)
        stage = Stage(scenario)
        for play in scenario.plays:
            stage.play(play)
        stage.close()
        verdict.differences = differences(scenario.expect, stage)
    except EngineError as error:
        verdict.wrong = str(error)
    if stage is not None:
        verdict.log = stage.log()
    return verdict
