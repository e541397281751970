"""`$ARENA_PYTHON -I -m arena.model_server`: the program that a bot starts to look ahead (docs/model-server.md)."""

import os
import sys

from arena.model_server.program import serve


def main() -> int:
    """Answer the requests on standard input; return the exit code, 2 where a person started it."""
    if os.isatty(0):
        print(
            "This looks ahead for a bot, which starts it and speaks messages of referee/v1/model.proto to its standard "
            "input: docs/model-server.md says how.",
            file=sys.stderr,
        )
        return 2
    responses = os.dup(1)
    os.dup2(2, 1)  # what a game or a policy prints must not come between the responses
    return serve(0, responses)


if __name__ == "__main__":
    sys.exit(main())
