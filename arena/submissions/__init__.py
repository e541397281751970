"""Bots that were submitted: their files by hash, in versions that never change.

    manifest   bot.toml: how a bot is started, what it plays, what it is content with
    names      club/owl and club/owl@3
    pack       the files of a bot as one value, the same for the same files
    build      the build step, confined
    candidate  what somebody wants to submit, read and packed
    upload     a file that somebody sends, unpacked with care
    extraction an archive -> its files, read by a confined process
    extractor  that process
    roster     the submitted bots of a database, as they are named in tournaments
    cache      unpacked, read-only, by hash
    command    the command line that starts one
    errors     what can be wrong, as sentences

The check that a bot must pass first is `arena.checking`.
"""
