"""Plays leagues: batches are leased from the database, played by an executor, and stored with the end of the lease.

batch_sums    the matches of a batch -> the sums from which ratings follow
batch_play    a batch on its way                                            -> batch_sums
backlog       the units of batches, which never end                         -> batch_play
league_work   the batches under way, as the work of an executor             -> backlog
recent_play   what entries did lately
standings     the ratings, and snapshots of them for draws                  -> recent_play
drawing       draws batches of a suitable size
desk          one league: what is entered, rated, drawn and leased          -> standings, drawing
runner        plays the leagues of a database until it is stopped           -> desk, league_work
"""
