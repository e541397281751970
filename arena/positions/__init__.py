"""Look ahead from a question: worlds that a seat cannot tell from the real one, by the official rules.

    world    World: one complete state, which can be played on; playouts

It needs the engine and the rules, and nothing else of arena.
"""

from arena.positions.world import Policy, World, begin

__all__ = ["Policy", "World", "begin"]
