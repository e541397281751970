"""The 40 Italian cards: coins C, cups U, swords S, clubs B; 1 to 7, knave 8, knight 9, king 10. Written C7."""

from typing import Final

SUITS: Final = "CUSB"
COINS: Final = "C"
SETTEBELLO: Final = "C7"
KNAVE: Final = 8
KNIGHT: Final = 9
KING: Final = 10

PACK: Final = tuple(f"{suit}{value}" for suit in SUITS for value in range(1, KING + 1))
VALUES: Final = {card: int(card[1:]) for card in PACK}
"""What a card counts for in captures."""
ORDER: Final = {card: VALUES[card] * len(SUITS) + SUITS.index(card[0]) for card in PACK}
"""How a hand is sorted: by value, then by suit."""
