"""Connect a bot that reads and writes lines of JSON to the referee by gRPC.

    bot_lines      parses and writes the lines of JSON (docs/bridge.md)
    json_messages  protocol messages as JSON values, including views of unknown games
    model_messages requests to look ahead, and the responses, as JSON values
    conversation   translates the referee's messages to lines, and the bot's lines to messages
    program        starts the bot's program and runs both streams
    __main__       `python -m arena.bridge -- COMMAND`: the command that a referee starts

A bridge is started for every process of such a bot, so it imports little: the SDK, and nothing else of arena
until a bot wants to look ahead.
"""
