"""miser: plays Kille by a network that was trained in self-play (train.py)."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.envs.policy import PolicyBot

with np.load(Path(__file__).with_name("weights.npz")) as file:
    W = {name: file[name].astype(np.float32) for name in file}


def choose(observation: NDArray[np.float32], mask: NDArray[np.bool_]) -> Any:
    """Return the action with the largest logit among the legal ones."""
    hidden = np.maximum(observation @ W["hidden"] + W["hidden_bias"], 0)
    return np.where(mask, hidden @ W["logits"] + W["logits_bias"], -np.inf).argmax()


if __name__ == "__main__":
    PolicyBot(choose, "miser").run()
