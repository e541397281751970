"""The games, one file each, written to be read beside its rule book.

    cambio        Cucco/Cambio after the Korean rule book, with its twelve optional rules  -> exchange, reveals
    cucco         the same game as Board Game Arena plays it                               -> cambio
    exchange      one card each on the table, who asks whom, the special cards             -> pile, visibility
    reveals       who is defeated when the cards are shown: pure functions
    cucu          Cucù of Campli: tokens, re-entry, the Matto                              -> cucu_table, pool
    lustu         Lu Stù, the Cucù of Montorio: offers, cards that go back                 -> cucu
    cucu_table    one card each on the table, dealt one at a time                          -> pile, visibility
    pool          the money of Cucù and Lu Stù, and how it is divided
    torionfo      tricks for the printed numbers, a card whose twin beats all              -> tricks
    coch          two against two, ten tricks                                              -> trick_count
    zifuli        five players, an auction for the boss, a secret partner                  -> trick_count
    trick_count   the card points that Coch and Zifuli share                               -> tricks
    kille         beat the table if you can, be weakest in the last trick                  -> tricks
    tricks        two types of cards, who must follow, who wins                            -> cuckoo_pack
    hypp          betting against the dealer's card                                        -> cuckoo_pack
    perudo        liar's dice with skulls, and its four variants                           -> bids
    bids          the track, the order of bids, the ways to roll again: pure functions
    scopa         the Italian game of capturing cards, alone or in teams                   -> captures, primiera
    captures      what a card captures: pure functions                                     -> italian_pack
    primiera      who has the most and the best: pure functions                            -> italian_pack
    italian_pack  the 40 Italian cards
    pile          the pile and the discards
    visibility    which seats know a card: pure functions                                  -> cuckoo_pack
    cuckoo_pack   the 40 cards

What logs say of hidden cards, for bots that look ahead (`referee.engine.known`):

    known_exchange  of Cambio and Cucco                                                    -> known_pile
    known_cucu      of Cucù and Lu Stù                                                     -> known_pile
    known_pile      of a pile, card by card
    known_hands     of the hands in games of tricks

Games import the engine and nothing else of referee. Each is found by the entry point group `arena.games`.
"""
