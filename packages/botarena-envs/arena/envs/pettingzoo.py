"""Every game for PettingZoo: as an AEC environment, and as a parallel one for games whose answers are sealed.

    from arena.envs import pettingzoo

    env = pettingzoo.env("cambio", seats=4, render_mode="ansi", rebirth=True)
    env.reset(seed=1)

The agents are "seat_0", "seat_1" ... in playing order. An observation is a dictionary of `observation`, a vector of
float32 from -1 to 1 (`arena.envs.observation`), and `action_mask`, int8 with 1 for each legal action; the mask of an
agent that is not asked is 0 throughout. Rewards are 0 until the match is over (`Setup.rewards`). `copy.deepcopy(env)`
is an independent environment that goes on exactly like this one.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from arena.envs.episode import MOST_UNASKED, Episode, Seeds, Setup, never_asked
from arena.envs.errors import EnvError
from referee.engine.game import Game


def env(
    game: Game | str,
    seats: int | None = None,
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    **options: Any,
) -> Any:
    """Return the AEC environment of a game, with the wrapper that checks in what order it is used.

    game: a game or its name.
    seats: how many agents; None: as many as a tournament has.
    render_mode: "ansi" returns the log with what is hidden, "human" prints it.
    max_cycles: after how many cycles a match is cut off, without rewards; in a cycle all who are asked answer once.
        None: matches are played to their end.
    options: those of the game that differ from their defaults.

    Raises UnknownGame, OptionError or SeatsError for what cannot be played, and EnvError for a game that cannot be
    trained on.
    """
    plain = ArenaEnv(game, seats, render_mode=render_mode, max_cycles=max_cycles, **options)
    return wrappers.OrderEnforcingWrapper(plain)


def parallel_env(
    game: Game | str,
    seats: int | None = None,
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    **options: Any,
) -> "ParallelArenaEnv":
    """Return the parallel environment of a game: in each cycle all who are asked answer at once.

    The parameters, and what is raised, are those of `env`.
    """
    return ParallelArenaEnv(game, seats, render_mode=render_mode, max_cycles=max_cycles, **options)


class ArenaEnv(AECEnv):
    """The AEC environment without a wrapper; parameters as those of `env`.

    setup: what is played. episode: the match under way, after `reset`.
    """

    def __init__(
        self,
        game: Game | str,
        seats: int | None = None,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.setup = Setup(game, seats, options)
        self.max_cycles = max_cycles
        self.metadata = {
            "render_modes": ["human", "ansi"],
            "name": f"arena_{self.setup.game.name}",
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.setup.seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        size, actions = self.setup.observer.size, self.setup.actions.size
        self._observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(-1, 1, (size,), np.float32),
                    "action_mask": Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}
        self._seeds = Seeds()

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match: the first one of a seed, or without one the next; those that ask nobody are left out.

        Raises EnvError where no match asks anybody.
        """
        for _ in range(MOST_UNASKED):
            self.episode = Episode(self.setup, self._seeds.next(seed), keeps_log=self.render_mode is not None)
            seed = None
            if self.episode.seat is not None:
                break
        else:
            raise never_asked(self.setup)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent observes now; its mask is 0 throughout unless it is its turn."""
        return self.observe_seat(self._seat_of[agent], self._seat_of[agent] == self.episode.seat)

    def observe_seat(self, seat: int, is_asked: bool) -> dict[str, Any]:
        """Return what a seat observes now.

        is_asked: whether its mask shows its legal actions.
        """
        setup, episode = self.setup, self.episode
        mask = setup.actions.offer(episode.state.legal(seat)).mask if is_asked else bytes(setup.actions.size)
        return {
            "observation": np.frombuffer(bytearray(episode.observation(seat)), dtype=np.float32),
            "action_mask": np.frombuffer(bytearray(mask), dtype=np.int8),
        }

    def moves(self) -> dict[int, str]:
        """Return the legal moves of the agent that is asked, by action."""
        return {} if self.episode.seat is None else dict(self.episode.offer().moves)

    def step(self, action: Any) -> None:
        """Play an action for the agent that is asked. Raises EnvError if it is not legal."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.episode.play(int(action))
        self.go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def go_on(self) -> None:
        """Select the next agent, or end the match for all of them, or cut it off."""
        episode = self.episode
        if episode.seat is None:
            self.rewards = dict(zip(self.agents, episode.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.max_cycles is not None and episode.cycles >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[episode.seat]
            return
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """Return the log of the match ("ansi") or print it ("human"); without a render mode nothing."""
        return self.episode.show(self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to be closed."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._seeds = self._seeds.copy()
        if hasattr(self, "episode"):
            twin.episode = self.episode.copy()
            twin.agents = self.agents[:]
            twin.infos = {agent: dict(info) for agent, info in self.infos.items()}
            for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
                setattr(twin, name, dict(getattr(self, name)))
        return twin


class ParallelArenaEnv(ParallelEnv):
    """The parallel environment; parameters as those of `env`.

    Every agent has an observation in each cycle. The action of one that is not asked, whose mask is 0 throughout, is
    not looked at.

    setup: what is played.
    """

    def __init__(
        self,
        game: Game | str,
        seats: int | None = None,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        self._in_turn = ArenaEnv(game, seats, render_mode=render_mode, max_cycles=max_cycles, **options)
        self.setup = self._in_turn.setup
        self.metadata = self._in_turn.metadata
        self.render_mode = render_mode
        self.possible_agents = self._in_turn.possible_agents
        self.agents: list[str] = []

    @property
    def episode(self) -> Episode:
        """The match under way, after `reset`."""
        return self._in_turn.episode

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self._in_turn.observation_space(agent)

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self._in_turn.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin a match, as `reset` of the AEC environment does. Return observations and infos, by agent."""
        self._in_turn.reset(seed)
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """Play the actions of all who are asked.

        Return by agent observations, rewards, whether the match is over, whether it was cut off, and infos.

        Raises EnvError, and plays nothing, if the match is over, or an action is missing or not legal.
        """
        in_turn, episode = self._in_turn, self.episode
        if not self.agents:
            raise EnvError("the match is over: call reset")
        for move in [self._move(seat, actions) for seat in episode.state.asked]:
            episode.play_move(move)
        in_turn.rewards = dict.fromkeys(self.agents, 0.0)
        in_turn.go_on()
        if self.render_mode == "human":
            self.render()
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        told = (self._observations(), in_turn.rewards, dict(in_turn.terminations), dict(in_turn.truncations), infos)
        if any(in_turn.terminations.values()) or any(in_turn.truncations.values()):
            self.agents = []
        return told

    def _move(self, seat: int, actions: Mapping[str, Any]) -> str:
        """Return the move of a seat that is asked."""
        agent = self.possible_agents[seat]
        if agent not in actions:
            raise EnvError(f"{agent} is asked and has no action: give every agent one")
        return self.episode.move(seat, int(actions[agent]))

    def _observations(self) -> dict[str, Any]:
        asked = self.episode.state.asked
        return {
            agent: self._in_turn.observe_seat(seat, seat in asked) for seat, agent in enumerate(self.possible_agents)
        }

    def render(self) -> str | None:
        """Return the log of the match ("ansi") or print it ("human"); without a render mode nothing."""
        return self._in_turn.render()

    def close(self) -> None:
        """Do nothing: there is nothing to be closed."""
