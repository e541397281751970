"""Practice leagues: an owner's own versions among sample bots, which nobody else sees and which count for nothing.

control  begins and removes them, within the limits of an owner

A practice league is a league with an owner: `arena.league.store.practice_leagues` says whose it is and deletes it,
`arena.league.run.practice_turns` when it plays. `Leagues` finds it only where it is asked for (`practice=True`), and
its matches have ids beyond those of all others (`arena.store.matches.practice_ids`). Its entries are nobody's, so
that versions of one owner meet each other, and no event tells of them.
"""
