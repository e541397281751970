"""A renderer for each game: draws its views as a scene, in the game's own terms.

cambio, coch, cucco, cucu, hypp, kille, lustu, perudo, scopa, torionfo, zifuli: the renderers, by the games' names
items           cards, dice and chips, for all games
trick_zones     hands and tricks, for trick-taking games; trick_events: what events do to them
exchange_scene  the table of Cambio and Cucco; exchange_events: what events do to it
exchange_story, token_story, trick_story, perudo_story, scopa_story, hypp_story: the key events of the games
token_scene     the table of Cucù and Lu Stù; token_events: what events do to it,
                in the turns (token_cards), and to tokens and money (token_money)
"""
