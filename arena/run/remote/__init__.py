"""Bots that play from their owners' machines.

    tokens          the tokens that identify remote bots
    lookup          looks up tokens, with one read of the database for all that wait
    token_warnings  warnings about wrong tokens, limited in number
    certificate     the TLS certificate of the gate
    renumbering     translates numbers of matches and questions between a bot and its referees
    bot_relay       one remote bot: its stream, and a stream to a referee for each phase
    proxy           forwards the bytes of connections, and closes those that exceed a limit
    grpc_quirks     workarounds for two defects of grpc.aio servers
    gate            the server that remote bots connect to, with TLS and tokens

A remote bot keeps one stream for a whole tournament. To a referee it is another bot in each phase, which connects by
an invitation: referees know nothing of TLS, tokens or other machines. docs/remote.md is the manual.
"""
