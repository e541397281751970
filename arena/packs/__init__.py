"""Submitted bots: their files by hash, in versions that never change.

    manifest      bot.toml: how a bot is started, its games and limits
    parameters    numbers in the command of a bot, which it declares
    names         club/owl and club/owl@3
    pack          the files of a bot as one value with one hash
    left_out      what an author's folder holds and no pack does
    build         the build step, sandboxed                           -> build_sandbox
    dependencies  the Python packages that a bot declares to depend on
    package_install   fetches them, sandboxed
    candidate     a bot that is to be submitted: its manifest and pack
    upload        an uploaded file, unpacked
    extraction    an archive -> its files, read by a sandboxed process
    extractor     that process
    roster        the submitted bots of a database, by the names used in tournaments
    cache         unpacked packs, read-only, by hash
    command       the command line that starts a bot
    program_check why this machine cannot start a program
    elf           what a program in ELF needs to be started
    errors        what can be wrong

`arena.bots` checks a bot before it is accepted.
"""
