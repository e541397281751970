"""What an engine says of its main line, in the words of UCI: `info depth 12 score cp 35 nodes 34567 pv e2e4 e7e5`.

An engine says much else: of its other lines (`multipv 2`), bounds of a score that is not known yet, whatever it likes
(`info string`). None of that is what its position is worth.

A bot notes it with its move as one line of this kind, from which PGN has depth, nodes and main line.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

MOST_MOVES = 24
"""Moves of a main line that are kept."""

_NUMBERS = ("depth", "seldepth", "time", "nodes")
_ENDS = {*_NUMBERS, "multipv", "score", "currmove", "currmovenumber", "hashfull", "nps", "tbhits", "sbhits", "cpuload"}
_ENDS |= {"string", "refutation", "currline", "pv", "wdl"}
_SQUARE = r"[a-p]\d{1,2}"
_MOVE = re.compile(rf"(?:{_SQUARE}|\+?[A-Z]@){_SQUARE}[a-z+-]?(?:,{_SQUARE}{_SQUARE})?|(?:\d[a-i]|[A-Z]\*)\d[a-i]\+?")
"""A move in UCI's notation, in chess and in variants: e7e8q, P@e4, b2b3+, e2e4,e4e5; or in USI's: 7g7f, P*5e."""
_NUMBER = re.compile(r"\d{1,15}")
_SCORE = re.compile(r"cp [+-]?\d{1,6}|mate [+-]?\d{1,6}")


class Info(NamedTuple):
    """What is known of the main line of a search."""

    score: str = ""
    """As UCI has it, from the engine's own side, such as "cp 35" or "mate -3"; "" where it is not known."""
    depth: int = 0
    """Plies; 0 where it is not known, as in the numbers below."""
    seldepth: int = 0
    """Plies of the deepest line."""
    time: int = 0
    """Milliseconds, by the engine's own clock."""
    nodes: int = 0
    """Positions that were searched."""
    pv: tuple[str, ...] = ()
    """The first moves of the main line, in UCI's notation."""

    def joined(self, later: "Info") -> "Info":
        """Return what is known once something else was said: all that it says replaces what was known."""
        return Info._make(new or old for old, new in zip(self, later, strict=True))

    def line(self) -> str:
        """Return it as a line of UCI; "" where nothing is known."""
        words = [f"score {self.score}"] if self.score else []
        words += [f"{name} {value}" for name in _NUMBERS if (value := getattr(self, name))]
        if self.pv:
            words.append(f"pv {' '.join(self.pv)}")
        return f"info {' '.join(words)}" if words else ""


NO_INFO = Info()


def read_info(words: Sequence[str]) -> Info:
    """Return what a line says of the main line; nothing where it is about another one, or a bound.

    words: those of the line, from "info" on.
    """
    found: dict[str, int] = {}
    score, pv, place = "", list[str](), 1
    while place < len(words):
        word = words[place]
        place += 1
        if word == "string":
            break
        if word in _NUMBERS or word == "multipv":
            if place < len(words) and _NUMBER.fullmatch(words[place]):
                found[word] = int(words[place])
        elif word == "score":
            said = " ".join(words[place : place + 2])
            if any(bound in words for bound in ("lowerbound", "upperbound")):
                return NO_INFO
            score = said if _SCORE.fullmatch(said) else ""
        elif word == "pv":
            while place < len(words) and words[place] not in _ENDS:
                pv.append(words[place])
                place += 1
    if found.pop("multipv", 1) != 1:
        return NO_INFO
    moves = pv[:MOST_MOVES] if all(map(_MOVE.fullmatch, pv)) else []
    return Info(score=score, pv=tuple(moves), **found)
