"""A plugin of pytest, loaded before all else: tests replace parts of rules and referee, which only Python's own can be.

Where ARENA_RULES is set, as `make test-fast` does, it stays.
"""

import os

os.environ.setdefault("ARENA_RULES", "interpreted")  # before anything imports referee
