"""A bot whose author wants to know why it lost."""

OWL = """
import sys
from arena.sdk import Bot

class Owl(Bot):
    games = ("cambio", "perudo", "scopa", "lustu")

    def choose(self, question):
        move = question.legal[-1]
        question.note(f"thinks of {move}")
        print(f"looks at {move}", file=sys.stderr)
        return move

Owl().run()
"""
"""It thinks aloud, in both ways, and plays badly."""
