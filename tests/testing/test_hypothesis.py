"""The suite says what to install where Hypothesis is missing."""

import subprocess
import sys

import pytest

from arena.values.installing import how_to_install


@pytest.mark.processes
def test_without_hypothesis_a_sentence_says_what_to_install() -> None:
    code = "import sys; sys.modules['hypothesis'] = None\nimport arena.testing"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: arena.testing needs Hypothesis, which is not installed: "
        f"{how_to_install('botarena[testing]')}"
    )
