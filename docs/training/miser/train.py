"""Train a bot for Kille by self-play, with NumPy alone: proximal policy optimisation of a small network.

python docs/training/miser/train.py [--seconds 420] [--seed 1] [--to docs/training/miser/weights.npz]

One policy plays all three seats of matches of one deal. Whoever wins the last trick has the reward 1, the others -1/2.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.envs.vector import Batch, VectorEnv

Array = NDArray[Any]

HIDDEN = 64
ROWS = 256
DECISIONS = 8_192
"""How many decisions are played for each update."""
EPOCHS = 4
MINIBATCH = 2_048
LEARNING_RATE = 1e-3
CLIP = 0.2
ENTROPY = 0.01


class Network:
    """Logits of the actions and the expected reward, from an observation; one hidden layer.

    weights: by name. They are changed by Adam.
    """

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        def matrix(rows: int, columns: int, scale: float) -> Array:
            return (rng.standard_normal((rows, columns)) * scale / rows**0.5).astype(np.float32)

        self.weights = {
            "hidden": matrix(inputs, HIDDEN, 2.0),
            "hidden_bias": np.zeros(HIDDEN, np.float32),
            "logits": matrix(HIDDEN, actions, 0.1),
            "logits_bias": np.zeros(actions, np.float32),
            "value": matrix(HIDDEN, 1, 0.1),
            "value_bias": np.zeros(1, np.float32),
        }
        self._means = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self._squares = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self._steps = 0

    def run(self, observations: Array, masks: Array) -> tuple[Array, Array, Array]:
        """Return the hidden layer, the probabilities of the legal actions, and the expected rewards."""
        w = self.weights
        hidden = np.maximum(observations @ w["hidden"] + w["hidden_bias"], 0)
        logits = np.where(masks, hidden @ w["logits"] + w["logits_bias"], -np.inf)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, odds / odds.sum(axis=1, keepdims=True), (hidden @ w["value"] + w["value_bias"])[:, 0]

    def update(self, observations: Array, hidden: Array, to_logits: Array, to_values: Array, rate: float) -> None:
        """Take a step of Adam.

        to_logits, to_values: the gradients of the loss with respect to the outputs.
        """
        w = self.weights
        to_hidden = (to_logits @ w["logits"].T + to_values[:, None] @ w["value"].T) * (hidden > 0)
        gradients = {
            "hidden": observations.T @ to_hidden,
            "hidden_bias": to_hidden.sum(axis=0),
            "logits": hidden.T @ to_logits,
            "logits_bias": to_logits.sum(axis=0),
            "value": hidden.T @ to_values[:, None],
            "value_bias": to_values.sum(keepdims=True),
        }
        self._steps += 1
        for name, gradient in gradients.items():
            self._means[name] += 0.1 * (gradient - self._means[name])
            self._squares[name] += 0.001 * (gradient**2 - self._squares[name])
            mean = self._means[name] / (1 - 0.9**self._steps)
            square = self._squares[name] / (1 - 0.999**self._steps)
            w[name] -= (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


class SelfPlay:
    """Matches in which one policy plays all seats, and the decisions of those that are over."""

    def __init__(self, env: VectorEnv, seed: int) -> None:
        self._env = env
        self._batch: Batch = env.reset(seed)
        self._open: list[list[tuple[Any, ...]]] = [[] for _ in range(env.rows)]

    def play(self, network: Network, rng: np.random.Generator, count: int) -> list[Array]:
        """Return `count` decisions or more: observations, masks, actions, their probabilities, values, rewards."""
        finished: list[tuple[Any, ...]] = []
        while len(finished) < count:
            batch = self._batch
            _, odds, values = network.run(batch.observations, batch.masks)
            actions = choose(odds, batch.masks, rng)
            chosen = odds[np.arange(len(actions)), actions]
            for row, decisions in enumerate(self._open):
                decisions.append(
                    (
                        batch.observations[row],
                        batch.masks[row],
                        actions[row],
                        chosen[row],
                        values[row],
                        batch.seats[row],
                    )
                )
            self._batch = self._env.step(actions)
            for row in np.flatnonzero(self._batch.done):
                rewards = self._batch.rewards[row]
                finished += [(*decision[:5], rewards[decision[5]]) for decision in self._open[row]]
                self._open[row] = []
        return [np.stack(column) for column in zip(*finished, strict=True)]


def choose(odds: Array, masks: Array, rng: np.random.Generator) -> Array:
    """Draw a legal action in each row."""
    drawn = (odds.cumsum(axis=1) > rng.random((len(odds), 1))).argmax(axis=1)
    legal = masks[np.arange(len(drawn)), drawn]  # rounding may let a draw miss them all
    return np.where(legal, drawn, odds.argmax(axis=1))


def learn(network: Network, data: list[Array], rate: float, rng: np.random.Generator) -> None:
    """Improve the network by the decisions of one round of self-play."""
    observations, masks, actions, chosen, values, rewards = data
    advantages = rewards - values
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
    for _ in range(EPOCHS):
        order = rng.permutation(len(actions))
        for start in range(0, len(order), MINIBATCH):
            rows = order[start : start + MINIBATCH]
            hidden, odds, expected = network.run(observations[rows], masks[rows])
            own = odds[np.arange(len(rows)), actions[rows]]
            ratio = own / chosen[rows]
            advantage = advantages[rows]
            moves = np.where(advantage > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
            is_chosen = np.zeros_like(odds)
            is_chosen[np.arange(len(rows)), actions[rows]] = 1
            to_logits = -(advantage * ratio * moves)[:, None] * (is_chosen - odds)
            logs = np.log(np.maximum(odds, 1e-9))
            entropy = -(odds * logs).sum(axis=1, keepdims=True)
            to_logits += ENTROPY * odds * (logs + entropy)
            network.update(
                observations[rows], hidden, to_logits / len(rows), (expected - rewards[rows]) / len(rows), rate
            )


def train(seconds: float, seed: int, report: Callable[[str], None] = print) -> dict[str, Array]:
    """Return the weights after so many seconds of self-play."""
    rng = np.random.default_rng(seed)
    env = VectorEnv("kille", ROWS, seats=3, max_deals=1)
    network = Network(env.observation_size, env.action_count, rng)
    matches = SelfPlay(env, seed)
    start = time.monotonic()
    updates = decisions = 0
    while (spent := time.monotonic() - start) < seconds:
        data = matches.play(network, rng, DECISIONS)
        learn(network, data, LEARNING_RATE * max(0.1, 1 - spent / seconds), rng)
        updates += 1
        decisions += len(data[2])
        if updates % 10 == 1:
            _, odds, _ = network.run(data[0], data[1])
            choices = np.exp(-(odds * np.log(np.maximum(odds, 1e-9))).sum(axis=1)).mean()
            report(f"{spent:5.0f} s, {decisions:,} decisions, {choices:.2f} moves considered")
    return network.weights


def main() -> None:
    """Train, and write the weights."""
    parser = argparse.ArgumentParser(description="Train a bot for Kille by self-play.")
    parser.add_argument("--seconds", type=float, default=420, help="how long (420)")
    parser.add_argument("--seed", type=int, default=1, help="of the deals and of the first weights (1)")
    parser.add_argument("--to", type=Path, default=Path(__file__).with_name("weights.npz"), help="the file to write")
    given = parser.parse_args()
    weights = train(given.seconds, given.seed)
    np.savez_compressed(given.to, **{name: weight.astype(np.float16) for name, weight in weights.items()})
    print(f"wrote {given.to}")


if __name__ == "__main__":
    main()
