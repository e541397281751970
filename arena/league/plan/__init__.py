"""Plans leagues: everything that is decided before a batch is played; pure functions.

definition      everything that was decided when a league was created
anchors         the sample bots whose mean is 0 of its scale
secret_chain    the secrets of a season's days, and of batches
matchmaking/    who meets whom in a batch: a function of ratings and chance
final           the final of a season: its finalists, tables and parts        -> matchmaking
batch_draw      the draw of a batch of any kind                               -> final, matchmaking
"""
