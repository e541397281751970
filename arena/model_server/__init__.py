"""The model server: looks ahead for bots in any language, from what their matches told them and nothing else.

    matches    the matches of a bot as it was told of them, with the position of each
    worlds     KeptWorlds: the worlds that a bot holds by number, and how many it may
    policies   who plays in playouts, by name
    failure    Failure: why a request cannot be fulfilled
    model      Model: answers the requests of one bot
    framing    messages behind their lengths, on pipes
    program    the loop of the program, which ends with its bot
    __main__   `python -m arena.model_server`: the program that a bot starts

The messages are those of protos/referee/v1/model.proto. The program runs in the sandbox of its bot; the bridge has a
model in its own process (`arena.bridge`).
"""
