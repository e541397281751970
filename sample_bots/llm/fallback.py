"""Who plays when the model does not: a bot of another file, or chance."""

import importlib.util
from pathlib import Path
from typing import Any

from settings import SettingsError

from arena.sdk import Bot, Match, Question


class Fallback:
    """Chooses a legal move, whatever the policy behind it does. name: of that policy."""

    def __init__(self, bot: Bot[Any] | None) -> None:
        self._bot = bot
        self.name = "random" if bot is None else bot.name or type(bot).__name__

    def choose(self, question: Question[Any]) -> str:
        """Return a legal move."""
        if self._bot is not None:
            try:
                move = self._bot.choose(question)
            except Exception as error:  # it was written by others, and chance can always play
                print(f"the fallback {self.name} failed: {type(error).__name__}: {error}", flush=True)
            else:
                if isinstance(move, int) and 0 <= move < len(question.legal):
                    return question.legal[move]
                if isinstance(move, str) and move and (move in question.legal or question.match.text_move):
                    return move
        return question.rng.choice(question.legal)

    def match_started(self, match: Match) -> None:
        """Tell the policy of a match."""
        if self._bot is not None:
            self._bot.match_started(match)


def read_fallback(name: str, folder: Path) -> Fallback:
    """Return the fallback of a name: "random", or a Python file in which a bot stands. Raises SettingsError."""
    if name == "random":
        return Fallback(None)
    path = folder / name
    spec = importlib.util.spec_from_file_location(f"fallback_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise SettingsError(f"there is no fallback {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    bots = [value for value in vars(module).values() if isinstance(value, type) and issubclass(value, Bot)]
    own = [bot for bot in bots if bot.__module__ == module.__name__]
    if not own:
        raise SettingsError(f"the fallback {path} has no class of a bot")
    return Fallback(own[-1]())
