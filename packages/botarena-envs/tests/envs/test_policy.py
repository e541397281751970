"""A policy becomes a bot: a NumPy function and an ONNX file, each as a process in a match."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from arena.envs.episode import Setup
from arena.envs.errors import EnvError
from arena.envs.policy import PolicyBot, onnx_policy
from referee.codec import ViewEncoder
from referee.engine.chance import Chance
from referee.wire import view_message

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs/training.md").read_text()


def blocks(language: str) -> list[str]:
    """Return the blocks of the page in a language."""
    return [part.partition("```")[0] for part in PAGE.split(f"```{language}\n")[1:]]


def arena(*arguments: str, folder: Path) -> str:
    command = [sys.executable, "-m", "arena", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def result(folder: Path, *bots: str) -> dict[str, Any]:
    """Play a match, and return what is stored of it."""
    arena("match", "--game", "kille", *bots, "--db", "a.db", folder=folder)
    shown: dict[str, Any] = json.loads(arena("match", "show", "1", "--json", "--db", "a.db", folder=folder))
    return shown


@pytest.mark.toolchain
def test_the_bot_of_the_page_plays_a_match_without_faults(tmp_path: Path) -> None:
    (code,) = [block for block in blocks("python") if "PolicyBot(choose" in block]
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    setup = Setup("kille", 3, {})
    np.save(tmp_path / "weights.npy", np.zeros((setup.observer.size, setup.actions.size), np.float32))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/bot.py").write_text(code)
    (tmp_path / "weights.npy").rename(tmp_path / "mine/weights.npy")
    (tmp_path / "mine/bot.toml").write_text('language = "python"\ncommand = ["python3", "bot.py"]\n')
    assert "faults" in json.dumps(shown := result(tmp_path, "./mine", "hoarder", "random"))
    assert not shown["faults"]


@pytest.mark.toolchain
def test_an_onnx_file_plays_as_the_policy_it_holds(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="onnx is not installed (make test-rl)")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed (make test-rl)")
    setup = Setup("kille", 3, {})
    weights = np.random.default_rng(1).standard_normal((setup.observer.size, setup.actions.size)).astype(np.float32)
    value, numpy_helper = onnx.helper.make_tensor_value_info, onnx.numpy_helper
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("MatMul", ["observation", "weights"], ["logits"])],
        "policy",
        [value("observation", onnx.TensorProto.FLOAT, [1, setup.observer.size])],
        [value("logits", onnx.TensorProto.FLOAT, [1, setup.actions.size])],
        [numpy_helper.from_array(weights, "weights")],
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(tmp_path / "policy.onnx"))
    policy, rng = onnx_policy(tmp_path / "policy.onnx"), np.random.default_rng(2)
    for _ in range(20):
        observation = rng.random(setup.observer.size, dtype=np.float32)
        mask = rng.random(setup.actions.size) < 0.3
        mask[3] = True
        assert policy(observation, mask) == np.where(mask, observation @ weights, -np.inf).argmax()
    (code,) = [block for block in blocks("python") if "PolicyBot(onnx_policy" in block]
    (tmp_path / "mine").mkdir()
    (tmp_path / "policy.onnx").rename(tmp_path / "mine/policy.onnx")
    (tmp_path / "mine/bot.py").write_text(code)
    (tmp_path / "mine/bot.toml").write_text('language = "python"\ncommand = ["python3", "bot.py"]\n')
    assert not result(tmp_path, "./mine", "hoarder", "random")["faults"]


def test_a_policy_that_breaks_the_mask_is_refused_in_a_sentence() -> None:
    match: Any = SimpleNamespace(game="hypp", seats=2, options={})
    setup = Setup("hypp", 2, {})
    state = setup.game.start(setup.options, 2, Chance(b"1" * 32))
    seat = state.asked[0]
    view = view_message(setup.game).FromString(ViewEncoder(setup.game).encode(state.view(seat)))
    question: Any = SimpleNamespace(match=match, legal=state.legal(seat), view=view)
    bot = PolicyBot(lambda observation, mask: len(mask) - 1)
    with pytest.raises(EnvError, match="the policy chose the action 50, which is not legal"):
        bot.choose(question)
    assert PolicyBot(lambda observation, mask: mask.argmax()).choose(question) == "packet 1"
