"""Train on every game: environments, and a trained policy as a bot.

    pettingzoo         every game for PettingZoo, one agent for each seat
    gymnasium          one seat for Gymnasium, against sample bots or policies
    openspiel          every game for OpenSpiel
    vector             many matches in step, with NumPy arrays
    policy             a policy as a bot
    episode            one match, one decision at a time; rewards
    moves              actions: the numbers of moves, and masks
    observation        the view of a seat as a vector
    features           what vectors are made of
    native             observations and the steps of vectors in C, where it was built
    compiled           finds it
    exchange_layouts   ... in Cambio, Cucco, Cucù and Lu Stù
    trick_layouts      ... in Kille, Coch, Torionfo and Zifuli
    betting_layouts    ... in Hypp, Perudo and Scopa
    layout_check       the check of layouts, for arena.testing
    layout_page        prints docs/observations.md
    speed              measures the steps of vectors

`pettingzoo` and `gymnasium` need the extra `rl`, `openspiel` OpenSpiel; the rest needs NumPy only.
docs/training.md is the manual.
"""
