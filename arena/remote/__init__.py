"""Bots that play from their owners' machines.

    tokens          what a remote bot proves its name with
    lookup          whose token it is, by reads of the database that all who wait share
    token_warnings  how often wrong tokens are told of
    certificate     what the gate proves itself with
    renumbering     numbers of matches and questions, as the bot and as its referees count them
    session         one remote bot: its stream, and a stream to a referee for each phase that it plays
    proxy           passes the bytes of connections on, and ends those that ask for too much
    gate            where remote bots dial: TLS, tokens, sessions

A remote bot keeps one stream for a whole tournament. To a referee each of its phases is a bot of its own, which dials
by an invitation: referees know nothing of TLS, tokens or other machines. docs/remote.md is the manual.
"""
