"""The games, one file each, written to be read beside its rule book.

    cambio        Cucco/Cambio after the Korean rule book, with its twelve optional rules  -> survival, reveals
    cucco         the same game as Board Game Arena plays it                               -> survival, reveals
    survival      sets and rounds, antes and penalties: what the two share                 -> exchange
    exchange      one card each, who asks whom, the special cards                          -> pile, cuckoo_pack
    reveals       who is defeated when the cards are shown: pure functions
    pile          the pile and the discards
    cuckoo_pack   the 40 cards

Games import the engine and nothing else of referee. Each is found by the entry point group `arena.games`.
"""
