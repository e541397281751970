"""The number of players of a game, in words."""

from referee.engine.game import Game


def player_counts(game: Game) -> str:
    """Return the player counts of a game as text: `2-6`; `2, 4`; `2-15 (to 30)` where options allow for more."""
    tables, most = game.tables(game.options()), game.seats[1]
    fewest, usual = tables[0], tables[-1]
    if len(tables) <= usual - fewest:  # as in Torionfo, for 2 or 4
        return ", ".join(map(str, tables))
    span = str(fewest) if fewest == usual else f"{fewest}-{usual}"
    return span if usual == most else f"{span} (to {most})"
