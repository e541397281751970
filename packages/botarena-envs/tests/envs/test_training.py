"""The page about training: its code runs, its bot was trained by the script beside it, and wins."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from arena.envs.episode import Setup
from arena.envs.layout_page import page

ROOT = Path(__file__).parents[4]
MISER = ROOT / "docs/training/miser"
PAGE = (ROOT / "docs/training.md").read_text()
EXAMPLES = [code for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "PolicyBot" not in code]


def test_the_page_of_observations_is_current() -> None:
    assert (ROOT / "docs/observations.md").read_text() == page(), "run make docs"


@pytest.mark.toolchain
@pytest.mark.parametrize("code", EXAMPLES, ids=[re.findall(r"arena\.envs[.\w]*", code)[0] for code in EXAMPLES])
def test_the_code_of_the_page_runs(code: str, tmp_path: Path) -> None:
    for module, package in (("pettingzoo", "pettingzoo"), ("gymnasium", "gymnasium"), ("openspiel", "pyspiel")):
        if module in code:
            pytest.importorskip(package, reason=f"{package} is not installed (make test-rl)")
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.mark.toolchain
def test_the_script_trains_weights_for_the_bot(tmp_path: Path) -> None:
    command = [sys.executable, str(MISER / "train.py"), "--seconds", "4", "--to", str(tmp_path / "weights.npz")]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "moves considered" in run.stdout
    setup = Setup("kille", 3, {})
    with np.load(MISER / "weights.npz") as kept, np.load(tmp_path / "weights.npz") as made:
        assert {name: kept[name].shape for name in kept} == {name: made[name].shape for name in made}
        assert kept["hidden"].shape[0] == setup.observer.size
        assert kept["logits"].shape[1] == setup.actions.size
        assert all(np.isfinite(made[name]).all() for name in made)
    assert (MISER / "weights.npz").stat().st_size < 50_000


@pytest.mark.toolchain
def test_the_trained_bot_is_better_than_the_sample_bots_beyond_doubt(tmp_path: Path) -> None:
    common = ["--db", str(tmp_path / "a.db")]
    arena = [sys.executable, "-m", "arena"]
    bots = f"{MISER},hoarder,random"
    subprocess.run(
        [*arena, "tourney", "--game", "kille", "--seats", "3", "--rounds", "400", "--bots", bots, *common],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    shown = subprocess.run([*arena, "ranking", "--json", *common], capture_output=True, text=True, check=True).stdout
    first, second, third = json.loads(shown)["ranking"]
    assert (first["bot"], second["bot"], third["bot"]) == ("miser", "hoarder", "random")
    assert first["elo"] - first["bar"] > second["elo"] + second["bar"]
    assert not first["faults"]
