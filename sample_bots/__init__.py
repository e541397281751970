"""The bots that come with arena: examples for authors, and a field for the first tournament.

A bot is named by what stands here: `arena match --game cambio random cautious`.
"""

from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Sample:
    """One of the sample bots."""

    path: Path
    """The file of the bot."""
    games: tuple[str, ...]
    """The ids of the games that the bot plays; empty: any."""
    about: str
    """How the bot plays, in one line."""
    strength: str = ""
    """How strong it is, as tables in the documentation have it; empty where none has it."""
    language: str = "python"
    thinks: bool = False
    """Whether it thinks for as long as it may, so that it plays where it is named, and never by default."""

    def plays(self, game: str) -> bool:
        """Tell whether it plays the game."""
        return not self.games or game in self.games


_EXCHANGE_GAMES = ("cambio", "cucco")
_TRICK_GAMES = ("torionfo", "coch", "zifuli")

SAMPLES = {
    "random": Sample(_HERE / "python/random_bot.py", (), "any legal move, all equally likely"),
    "cautious": Sample(
        _HERE / "python/cautious.py",
        _EXCHANGE_GAMES,
        "keeps from 3 up, exchanges below",
        "Elo 455 above random in Cambio",
    ),
    "counter": Sample(
        _HERE / "python/counter.py",
        _EXCHANGE_GAMES,
        "counts the cards and weighs both dangers",
        "Elo 485 above random in Cambio",
    ),
    "bluffer": Sample(_HERE / "python/bluffer.py", _EXCHANGE_GAMES, "sometimes keeps what anybody would give away"),
    "actuary": Sample(
        _HERE / "python/actuary.py", ("perudo",), "weighs the odds of every bid", "wins every match against random bots"
    ),
    "sweeper": Sample(_HERE / "python/sweeper.py", ("scopa",), "prices every card and fears the next sweep"),
    "tactician": Sample(_HERE / "python/tactician.py", _TRICK_GAMES, "leads what nobody can beat, and counts cards"),
    "reckoner": Sample(_HERE / "python/reckoner.py", ("cucu", "lustu"), "knows the odds, and what a token is worth"),
    "hoarder": Sample(
        _HERE / "python/hoarder.py", ("kille",), "keeps its weakest cards for the last trick", "Elo 204 above random"
    ),
    "banker": Sample(_HERE / "python/banker.py", ("hypp",), "bets what it lacks, and deals until it is ahead"),
    "searcher": Sample(_HERE / "python/searcher.py", (), "looks ahead by the rules, whatever the game is", thinks=True),
}
"""The bots by name."""

IN_OTHER_LANGUAGES = {
    "c": Sample(_HERE / "c/cucco.c", ("cucco",), "counts the cards", language="c"),
    "cpp": Sample(_HERE / "cpp/coch.cpp", ("coch",), "leads what is strong, feeds its partner", language="cpp"),
    "go": Sample(_HERE / "go/perudo.go", ("perudo",), "weighs the odds of every bid", language="go"),
    "java": Sample(
        _HERE / "java/src/main/java/bot/Cucu.java",
        ("cucu",),
        "keeps good cards, exchanges others",
        language="java",
    ),
    "rust": Sample(
        _HERE / "rust/src/kille.rs", ("kille",), "keeps its weakest cards for the last trick", language="rust"
    ),
    "shell": Sample(_HERE / "shell/bot.sh", _EXCHANGE_GAMES, "keeps good cards, in lines of JSON", language="shell"),
    "typescript": Sample(
        _HERE / "typescript/src/cambio.ts",
        ("cambio",),
        "keeps good cards, exchanges others",
        language="typescript",
    ),
    "llm": Sample(_HERE / "llm/main.py", (), "asks a language model"),
}
"""Bots that are folders of source, to be read, built and copied (`arena init --lang`): the file that plays, by folder.

They are named by their path, not as the others are.
"""
