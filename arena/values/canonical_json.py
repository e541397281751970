"""Values as canonical JSON, and the hash of a definition, which is published before the first match."""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any, Literal

HASH_VERSION: Literal[2] = 2
"""The version of the rule by which definitions are hashed, which each says of itself.

The paths of bots' files are not hashed, so an event has the same hash on every machine.
"""


def canonical_json(values: Any) -> str:
    """Return JSON values as canonical JSON (sorted keys, no blanks): the text that is hashed and stored."""
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def hash_of_definition(values: Mapping[str, Any]) -> str:
    """Return the SHA-256, in hex, of the definition of a tournament, a match or a league.

    values: its JSON values.
    """
    portable = {**values, "field": [_portable_bot(bot) for bot in values.get("field", ())]}
    return sha256(canonical_json(portable).encode()).hexdigest()


def _portable_bot(bot: dict[str, Any]) -> dict[str, Any]:
    """Return a bot without what differs between machines.

    A program is named without its folder and version (python3.11: python); a file by its path relative to the bot's
    folder or, outside of it, by its name.
    """
    folder = bot.get("folder", "")
    program, *arguments = bot.get("command") or [""]
    name = re.sub(r"[\d.]+$", "", PurePosixPath(program).name)
    command = [name, *(_relative(argument, folder) for argument in arguments)]
    return bot | {"command": command, "files": [_relative(path, folder) for path in bot.get("files", ())], "folder": ""}


def _relative(argument: str, folder: str) -> str:
    path = PurePosixPath(argument)
    if not path.is_absolute():
        return argument
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else path.name
