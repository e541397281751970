"""Variants of chess by the rules of Fairy-Stockfish, which the extra `variants` installs (pyffish).

names   which variants there are, and what they and their sides are called
fen     FEN of a variant: whether it is one, and its parts
rules   positions and rules by pyffish
game    a variant as a game of arena

Only `rules` and `game` use pyffish, and `botarena_chess.family` imports them when it is asked for a variant.
"""
