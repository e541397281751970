"""The process from which those of checks are forked: it has what they import, and nothing that a fork would break."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys, threading
import arena.bots.preloaded
before = set(sys.modules)
assert threading.active_count() == 1
print(*sorted({name.partition(".")[0] for name in before} & {"grpc", "numpy", "scipy"}))
import arena.bots.hand_in_check
new = {name for name in set(sys.modules) - before if name.startswith(("arena.", "referee."))}
print(len(new), len(before))
"""


@pytest.mark.processes
def test_it_imports_nearly_all_and_neither_grpc_nor_numpy() -> None:
    command = [sys.executable, "-P", "-c", PROGRAM]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    unwanted, counts = ended.stdout.splitlines()
    assert unwanted == ""
    left, loaded = map(int, counts.split())
    assert left < 40 < loaded, "modules that import gRPC, and few others"
