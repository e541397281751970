"""Tournaments: who sits where, with which seed, played by referee processes, stored as they end.

    definition   everything that was decided before the first match
    field        bots named by users: sample bots, files, command lines
    program      whether this machine can start a file at all
    seeds        the secret and what follows from it
    schedule     rounds, tables, rotations and phases: a pure function of definition and secret
    units        phases cut into what one referee process plays
    referees     referee processes and the streams to them
    records      a referee's record as a row of the store
    runner       plays what is not stored yet, until done or stopped
    single       one match without a tournament
"""
