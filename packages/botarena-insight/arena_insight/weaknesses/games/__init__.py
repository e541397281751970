"""The decisions of the games, one module per game or family of games: `choice(view, legal, move)` classifies one.

exchange   Cambio and Cucco
tokens     Cucù and Lu Stù
perudo     Perudo
scopa      Scopa
tricks     Coch, Torionfo and Zifuli
kille      Kille
hypp       Hypp
cards      the names of cuckoo cards, and which card of several a move plays
"""
