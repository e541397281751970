"""The bots that owners hand in while a league is soaked: sound ones, some that sleep over each answer, broken ones."""

from pathlib import Path
from typing import NamedTuple

from arena.bots.hand_in_rows import ACCEPTED, REFUSED
from arena.client.upload import PackedBot, pack_bot
from arena.plan.field import samples

SOUND = ("cautious", "counter", "bluffer")
SLEEPS = 0.9
"""Seconds that a sleepy bot takes for each answer: less than the move time of a league."""

SLEEPY_BOTS = 2
"""How often the sleepy one is handed in among all: each check takes minutes, and one worker of the server is kept for
quick ones."""

SLEEPY = f"""
import time
from arena.sdk import Bot, Question

class Sleepy(Bot[object]):
    games = ("cambio",)

    def choose(self, question: Question[object]) -> str:
        time.sleep({SLEEPS})
        return question.legal[0]

Sleepy().run()
"""

PLAYS = """
import os, sys, time
from arena.sdk import Bot, Question

class Broken(Bot[object]):
    def choose(self, question: Question[object]) -> object:
        {}

Broken().run()
"""

BROKEN = {
    "syntax": "import arena.sdk\ndef choose(:\n",
    "import": "import a_module_that_nobody_has\n",
    "loops-at-start": "import time\nwhile True: pass\n",
    "exits": "import sys\nsys.exit(3)\n",
    "speaks-http": "import os, socket\n"
    "sock = socket.socket(socket.AF_UNIX)\n"
    "sock.connect(os.environ['ARENA_ADDRESS'].removeprefix('unix:'))\n"
    "sock.sendall(b'GET / HTTP/1.1\\r\\n\\r\\n')\n"
    "sock.recv(1000)\nimport time\ntime.sleep(600)\n",
    "prints": "import sys\nfor _ in range(1600): sys.stdout.write('x' * 65536)\nimport time\ntime.sleep(600)\n",
    "forks": "import os, time\nfor _ in range(300):\n    if not os.fork(): time.sleep(600)\ntime.sleep(600)\n",
    "raises": PLAYS.format("raise RuntimeError('no idea')"),
    "illegal": PLAYS.format("return 10**6"),
    "hangs": PLAYS.format("time.sleep(600)"),
}
"""Ten bots that must be taken and then refused by their check, by what is wrong with them."""


class SoakBot(NamedTuple):
    """A bot that an owner hands in."""

    what: str
    """Its name among the bots of a soak."""
    packed: PackedBot
    verdict: str
    """The state in which its hand-in must end."""


def soak_bots(folder: Path) -> list[SoakBot]:
    """Return all of them, in the order in which owners hand them in: most are sound.

    Args:
        folder: An empty folder for their files.
    """
    sound = [SoakBot(name, pack_bot(samples(None)[name]), ACCEPTED) for name in SOUND]
    sleepy = SoakBot("sleepy", _packed(folder, "sleepy", SLEEPY), ACCEPTED)
    bots = [*sound, *[sleepy] * SLEEPY_BOTS]
    for number, (name, source) in enumerate(BROKEN.items()):
        bots += [SoakBot(name, _packed(folder, name, source), REFUSED), sound[number % len(sound)]]
    return bots


def _packed(folder: Path, name: str, source: str) -> PackedBot:
    file = folder / f"{name.replace('-', '_')}.py"
    file.write_text(source)
    return pack_bot(file)
