"""Turn a trained policy into a bot.

    import numpy as np
    from arena.envs.policy import PolicyBot

    weights = np.load("weights.npy")

    def choose(observation, mask):
        return np.where(mask, observation @ weights, -np.inf).argmax()

    PolicyBot(choose).run()

The bot makes its observations from the views that it receives, the same as in the environments.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.envs.episode import Setup
from arena.envs.errors import EnvError
from arena.sdk import Bot, Match, Question

Policy = Callable[[NDArray[np.float32], NDArray[np.bool_]], Any]
"""Chooses an action: from the observation, shape (size,), and which actions are legal, shape (actions,)."""


class PolicyBot(Bot[Any]):
    """A bot that plays by a policy. It plays the matches that have as many seats as the policy was trained with.

    policy: returns the number of a legal action.
    name: what the bot calls itself.
    """

    def __init__(self, policy: Policy, name: str = "policy") -> None:
        self.name = name  # type: ignore[misc]  # a class variable of other bots
        self._policy = policy
        self._setups: dict[Any, Setup] = {}

    def choose(self, question: Question[Any]) -> str:
        setup = self._setup(question.match)
        offer = setup.actions.offer(tuple(question.legal))
        observation = setup.observer.observe_message(question.view)
        action = int(self._policy(observation, np.frombuffer(offer.mask, dtype=np.bool_)))
        if action not in offer.moves:
            raise EnvError(f"the policy chose the action {action}, which is not legal: {dict(offer.moves)}")
        return offer.moves[action]

    def _setup(self, match: Match) -> Setup:
        """Return what belongs to matches of this kind, made once for all of them."""
        kind = (match.game, match.seats, tuple(sorted(match.options.items())))
        if kind not in self._setups:
            self._setups[kind] = Setup(match.game, match.seats, match.options)
        return self._setups[kind]


def onnx_policy(path: Path | str) -> Policy:
    """Return the policy of an ONNX file, which takes the legal action with the largest logit.

    The model has one input, observations of shape (1, size), and as its first output logits of shape (1, actions).

    Raises EnvError if onnxruntime is not installed.
    """
    try:
        import onnxruntime
    except ImportError:
        raise EnvError("ONNX files need onnxruntime: pip install onnxruntime") from None
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1  # a bot has one core
    session = onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name

    def choose(observation: NDArray[np.float32], mask: NDArray[np.bool_]) -> Any:
        logits = session.run(None, {name: observation[None]})[0][0]
        return np.where(mask, logits, -np.inf).argmax()

    return choose
