import sys

import pytest

from arena.bench.figures import BenchError
from arena.bench.processes import descendants
from arena.bench.watched_command import run_watched

pytestmark = pytest.mark.processes

BURN = "import time\nwhile time.process_time() < {}: pass\n"
FAMILY = BURN.format(0.3) + "import subprocess, sys\nsubprocess.run([sys.executable, '-c', sys.argv[1]])\nprint('done')"


def test_cpu_time_is_that_of_each_group_to_the_end() -> None:
    child = BURN.format(0.4) + "print('told')"
    run = run_watched(
        [sys.executable, "-c", FAMILY, child], lambda pid: {"parent": [pid], "children": descendants(pid)}
    )
    assert run.printed == "told\ndone\n"
    assert run.cpu["parent"] >= 0.3, "what a command uses after the last look is counted"
    assert 0.2 < run.cpu["children"] < run.seconds


def test_a_command_that_fails_is_told_with_its_words() -> None:
    words = [sys.executable, "-c", "import sys; sys.exit('no cards left')"]
    with pytest.raises(BenchError, match="failed: no cards left"):
        run_watched(words, lambda pid: {"all": [pid]})
    with pytest.raises(BenchError, match="/nowhere/at/all cannot be started: No such file or directory"):
        run_watched(["/nowhere/at/all"], lambda pid: {"all": [pid]})
