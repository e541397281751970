"""In-process bots for the tests."""

import os
import signal
from typing import Any

from arena.api import Bot, Question

SHORT = {"chips": 1}
"""Options with which a match of Cambio is over after a few decisions."""


def first(question: Question[Any]) -> str:
    return question.legal[0]


async def patient(question: Question[Any]) -> str:
    return question.legal[0]


def broken(question: Question[Any]) -> str:
    return {"keep": "exchange"}[f"not {question.legal[0]}"]


def endless(question: Question[Any]) -> str:
    while True:
        pass


def cheat(question: Question[Any]) -> str:
    return "win"


def interrupter(question: Question[Any]) -> str:
    """Press Ctrl-C."""
    os.kill(os.getpid(), signal.SIGINT)
    return question.legal[0]


class Drawer(Bot[Any]):
    """Draws its moves, and counts its instances."""

    games = ("cambio",)
    made = 0

    def __init__(self) -> None:
        type(self).made += 1

    def choose(self, question: Question[Any]) -> str:
        question.note("drawn")
        return question.rng.choice(question.legal)


class Plain:
    """No Bot, but it chooses."""

    def choose(self, question: Question[Any]) -> str:
        return question.legal[-1]
