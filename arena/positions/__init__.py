"""Look ahead from a question: worlds that a seat cannot tell from the real one, by the official rules.

    position  Position: what a seat was told of a match, and the worlds that fit
    world     World: one complete state, which can be played on; playouts
    told      Told: the log, the questions and the answers of a seat
    course    Course: one world on its way from the beginning of a deal to the open question
    dealer    WorldChance: deals what was told as it was told, and all else at random

It needs the engine and the rules, and nothing else of arena. What the log of a game says of hidden cards the game tells
(`Game.known_chance`); a world is dealt by it and played through the rules, which have the last word: one that the seat
could tell from the real one is given up. So each deal that fits is as likely as any other. What others answered where
the seat could not see it is drawn at random from what fits.
"""

from arena.positions.course import Belief
from arena.positions.errors import NoWorld
from arena.positions.position import Position
from arena.positions.world import Policy, World, begin

__all__ = ["Belief", "NoWorld", "Policy", "Position", "World", "begin"]
