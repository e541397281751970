"""Bots that play from their owners' machines.

    tokens       what a remote bot proves its name with
    patience     how many wrong tokens are borne
    certificate  what the gate proves itself with
    turns        numbers of matches and questions, as the bot and as its referees count them
    session      one remote bot: its stream, and a stream to a referee for each phase that it plays
    gate         where remote bots dial: TLS, tokens, sessions

A remote bot keeps one stream for a whole tournament. To a referee each of its phases is a bot of its own, which dials
by an invitation: referees know nothing of TLS, tokens or other machines. docs/remote.md is the manual.
"""
