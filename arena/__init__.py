"""arena: tournaments between bots, their records and their ratings.

    errors       the root of all exceptions raised on purpose
    cli          one file per command: parse, call, print
    sdk          write a Python bot in ten lines
    bridge       gRPC for bots that speak lines of JSON
    play         a person at a terminal against bots
    tournament   schedules, seeds, running and resuming
    remote       bots that play from their owners' machines
    ratings      joint Elo fit and error bars
    store        every tournament and match, in SQLite
    eventfile    tournaments as files that people write
    durations    50ms, 1s, 2min
    archive      whole tournaments as files, and back
    doctor       whether this machine is fit for it
    bench        how fast all that is on this machine
    replay       what happened in a match, as text; and whether its record is true

arena imports referee, never the other way round.
"""

__version__ = "0.1.0"
