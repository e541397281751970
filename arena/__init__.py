"""arena: tournaments between bots, their records and their ratings.

    errors           the root of all exceptions raised on purpose
    api              matches and tournaments from Python: notebooks, scripts
    cli              one file per command: parse, call, print
    sdk              write a Python bot in ten lines
    bridge           gRPC for bots that speak lines of JSON
    templates        new bot projects
    checking         whether a bot is fit to play
    submissions      bots that were handed in, by hash and version
    play             a person at a terminal against bots
    tournament       schedules, seeds, running and resuming
    league           standing competitions that play by themselves: who meets whom
    remote           bots that play from their owners' machines
    client           requests to an arena on another machine
    webhooks         tells owners what has happened, by requests to their servers
    ratings          joint Elo fit and error bars
    league           standing competitions: what is played, rated and shown
    store            every tournament and match, in SQLite or PostgreSQL
    eventfile        tournaments as files that people write
    visitors         whom connections from elsewhere are counted for
    tables           how many may sit at one
    durations        50ms, 1s, 2min
    near_path        the near miss of a path that does not exist
    server_log       the log of a server, as sentences or as JSON lines
    texts            texts from outside, safe to print
    typed            whether what came from JSON has the types it should
    process_pool     processes that compute for a command, and end with it
    snapshot         deep copies of values, to detect mutation
    weaknesses       why a bot loses: its choices and results on the same deals as others
    determinisation  redeal what a seat of a stored match could not know
    analysis         chances to win in stored matches, by playouts
    envs             environments for training, and a trained policy as a bot
    archive          whole tournaments as files, and back
    doctor           whether this machine is fit for it
    bench            how fast all that is on this machine
    replay           what happened in a match, as text; and whether its record is true
    language         the languages that people read, and their catalogues
    viewer           the same frame by frame: what the terminal and the pages draw
    web              pages, for looking, playing and handing in
    staticsite       a tournament as a folder of static pages
    testing          the contract of a game, for its author

arena imports referee, never the other way round.
"""

import os

if not os.path.isdir(os.path.join(__path__[0], "sdk")):  # botarena-sdk ships it, and may lie in another folder
    from pkgutil import extend_path

    __path__ = list(extend_path(__path__, __name__))

__version__ = "0.1.0"
