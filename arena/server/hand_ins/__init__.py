"""Hand-ins: submitting bots and following their checks.

routes            handing in, the list, following a check
progress          the part of the page of a hand-in that changes; live: a check as server-sent events
entries           where an accepted hand-in plays
league_limits     the time to start that leagues grant hand-ins
"""
