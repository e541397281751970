"""Speaks gRPC for a bot that speaks lines of JSON on its standard input and output.

    bot_lines      the lines that a bot is told and says                            (docs/bridge.md)
    json_messages  protocol messages, views of unknown games too, as JSON values
    conversation   one conversation: the referee's messages <-> the bot's lines
    program        the bot's program, and the two streams at work
    __main__       `python -m arena.bridge -- COMMAND`: what a referee starts

It is started with every process of such a bot, so it imports little: the SDK, and nothing else of arena.
"""
