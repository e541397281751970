"""arena: tournaments between bots, their records and their ratings.

    values           what every room reads: stored matches, errors, durations, texts
    api              matches and tournaments from Python: notebooks, scripts
    cli              one file per command: parse, call, print
    sdk              write a Python bot in ten lines
    bridge           gRPC for bots that speak lines of JSON
    bots             checks of bots before they are accepted, hand-ins, new bot projects
    packs            submitted bots, by hash and version
    plan             what is settled before the first match: definition, field, secret, schedule
    run              playing: referee processes, work units, bots from elsewhere, a person against bots
    results          what became of tournaments: summaries, rankings, audits, verification, archives
    league           standing competitions that play by themselves: who meets whom
    client           requests to an arena on another machine
    hooks            where packages with features plug in
    ratings          joint Elo fit and error bars
    store            every tournament and match, in SQLite or PostgreSQL
    redeal           redeal what a seat of a stored match could not know
    model_server     looks ahead for bots in other languages
    positions        worlds that a seat cannot tell from the real one, for bots that look ahead
    search           Monte Carlo and tree search in these worlds, and how long to think
    bench            how fast all that is on this machine
    record           the record of a match: reading, verifying and playing it again
    replay           what happened in a match, as text and frame by frame, for the terminal and the pages
    language         the languages that people read, and their catalogues
    http             the HTTP server, for any ASGI application
    server           pages, for looking, playing and handing in, and the JSON API
    testing          the contract of a game, for its author

arena imports referee, never the other way round.
"""

import os
import sys

# Other packages add modules: botarena-sdk and botarena-envs. `extend_path` of pkgutil would do the same, and take each
# bot a millisecond of its start to import.
__path__ += [
    path
    for path in dict.fromkeys(os.path.join(os.path.abspath(folder), "arena") for folder in sys.path)
    if path not in __path__ and os.path.isdir(path)
]

__version__ = "0.1.0"
