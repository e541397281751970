"""The sequential games of OpenSpiel as games of arena: `--game openspiel:leduc_poker`.

    family    OPENSPIEL, the entry point: makes a game when its name is looked up
    loading   what pyspiel knows by a name, and why arena cannot play some of it
    game      OpenSpielGame: what arena needs to be told of a game
    state     OpenSpielState: a match in progress
    sampling  chance of OpenSpiel, drawn from arena's
    moves     actions as the texts of moves
    v1        the message of the view, made from protos/

Only `loading` and `state` use pyspiel, and the family imports them when it is asked for a game.
"""
