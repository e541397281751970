"""`python -m arena.bridge -- COMMAND`: what a referee starts for a bot with protocol = "stdio"."""

import os
import sys

from arena.bridge.program import run


def main(arguments: list[str]) -> int:
    """Bridge the program of `arguments`, after a "--"; return the exit code, 2 where nobody started it properly."""
    command = arguments[1:] if arguments[:1] == ["--"] else arguments
    address, token = os.environ.get("ARENA_ADDRESS"), os.environ.get("ARENA_TOKEN")
    if not command or not address or not token:
        print(
            "This speaks gRPC for a bot that speaks lines of JSON. A referee starts it with ARENA_ADDRESS and "
            'ARENA_TOKEN in its environment, for a bot whose bot.toml says protocol = "stdio".',
            file=sys.stderr,
        )
        return 2
    return run(command, address, token)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
