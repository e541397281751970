"""The games of TextArena as games of arena: `--game textarena:TicTacToe-v0`.

    family      TEXTARENA, the entry point: makes a game when its name is looked up
    loading     what textarena knows by a name, and why arena cannot play some of it
    game        TextArenaGame: what arena needs to be told of a game
    state       TextArenaState: a match in progress
    environment Environment: an environment of TextArena that shares nothing with others of its process
    examples    what a bot without words of its own may say
    v1          the message of the view, made from protos/

Only `loading` and `environment` use textarena, and the family imports them when it is asked for a game.
"""
