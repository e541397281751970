"""One game_renderer for each game: its views as a scene, in the game's own words.

items     cards, backs, dice and chips as all games draw them
tricks    what the games of tricks have in common
exchange  what Cambio and Cucco have in common
tokens    what Cucù and Lu Stù have in common
"""
