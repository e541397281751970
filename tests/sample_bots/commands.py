"""The commands of the bots in other languages."""

import sys
from pathlib import Path

from arena.packs.manifest import read_manifest


def command(folder: Path) -> list[str]:
    """Return the command of a bot that is built, with full paths, and with the bridge where it is needed."""

    def full(word: str) -> str:
        option, equals, value = word.rpartition("=")
        return f"{option}{equals}{folder / value}" if "/" in value else word

    manifest = read_manifest(folder / "bot.toml")
    words = [full(word) for word in manifest.command]
    return [sys.executable, "-m", "arena", "bridge", "--", *words] if manifest.protocol == "stdio" else words
