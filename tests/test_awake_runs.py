"""Whatever has time limits for bots runs by the clock that a pause of the machine stops."""

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent

BY_TRIOS_CLOCK = {
    "arena/bench/protocol.py": "measures",
    "arena/cli/hand_in_queue/check.py": "waits for a signal",
    "arena/sdk/asking.py": "the bot's side",
    "arena/sdk/concurrent.py": "the bot's side",
}


def calls_trio_run(path: Path) -> bool:
    """Return whether a module runs something by trio's own clock."""
    return any(
        isinstance(node, ast.Call)
        and ast.unparse(node.func) == "trio.run"
        and not any(each.arg == "clock" for each in node.keywords)
        for node in ast.walk(ast.parse(path.read_text()))
    )


def test_limits_of_bots_stand_still_with_the_machine() -> None:
    found = {str(path.relative_to(ROOT)) for path in (ROOT / "arena").rglob("*.py") if calls_trio_run(path)}
    assert found == set(BY_TRIOS_CLOCK)


def test_limits_of_builds_and_checks_do_too() -> None:
    for folder in ("arena/packs", "arena/bots"):
        for path in (ROOT / folder).rglob("*.py"):
            assert "monotonic" not in path.read_text(), f"{path} counts pauses of the machine: use AwakeClock"
