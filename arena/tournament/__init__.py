"""Tournaments: planned, played by referee processes, stored match by match, ranked.

    plan       what is settled before a match is played: definition, field, secret, schedule
    run        referees, units of work, records on their way to the database       -> plan
    results    summaries, rankings, audits, verification                           -> plan
    control    pause, resume, withdraw, void, enter: what is allowed when          -> plan, results
    integrity  whether the values of a database can be true                        -> plan
    errors     what can keep a tournament from being played

docs/tournaments.md explains tournaments.
"""
