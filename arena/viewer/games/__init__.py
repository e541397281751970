"""A renderer for each game: draws its views as a scene, in the game's own terms.

items           cards, dice and chips, for all games
trick_zones     hands and tricks, for trick-taking games
exchange_scene  the table of Cambio and Cucco
token_scene     the table of Cucù and Lu Stù
"""
