"""`python -m arena.bridge -- COMMAND`: the command that a referee starts for a bot with protocol = "stdio"."""

import os
import sys

from arena.bridge.program import run


def main(arguments: list[str]) -> int:
    """Run the program in `arguments`, after a "--"; return the exit code, 2 if it was not started by a referee."""
    command = arguments[1:] if arguments[:1] == ["--"] else arguments
    address, token = os.environ.get("ARENA_ADDRESS"), os.environ.get("ARENA_TOKEN")
    if not command or not address or not token:
        print(
            "This connects a bot that reads and writes lines of JSON to the referee. The referee starts it, with "
            'ARENA_ADDRESS and ARENA_TOKEN set, for a bot with protocol = "stdio" in its bot.toml.',
            file=sys.stderr,
        )
        return 2
    return run(command, address, token)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
