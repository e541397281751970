"""The number of players of a game, in words."""

from referee.engine.game import Game


def player_counts(game: Game) -> str:
    """Return the player counts of a game as text: `2-6`; `2, 4`; `2-15 (to 30)` if options allow more."""
    counts, most = game.tables(game.options()), game.seats[1]
    low, high = counts[0], counts[-1]
    if len(counts) <= high - low:  # with gaps, as in Torionfo for 2 or 4
        return ", ".join(map(str, counts))
    span = str(low) if low == high else f"{low}-{high}"
    return span if high == most else f"{span} (to {most})"
