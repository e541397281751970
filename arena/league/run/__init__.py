"""Plays leagues: batches are leased from the database, played by an executor, and stored with the end of the lease.

batch_sums    the matches of a batch -> the sums from which ratings follow
note_budget   how much of the notes of bots a batch keeps
batch_pace    how long a batch may take, and each of its bots in it
batch_play    a batch on its way                                  -> batch_pace, batch_sums, note_budget
backlog       the units of batches, which never end                         -> batch_play
live_matches  the matches of batches under way, for those who watch         -> batch_play
league_work   the batches under way, as the work of an executor             -> backlog, live_matches
recent_play   what entries did lately
start_failures  whether the bots of a batch could be started
unfit_batches  batches that could not be played for want of something on this machine
standings     the ratings, and snapshots of them for draws                  -> recent_play
drawing       draws batches of a suitable size
entry_bots    the bots of entries, unpacked
grant_hosting which entries can have here what they are granted            -> entry_bots
league_entries  the entries of a league, entered and retired with their bots  -> entry_bots
rating        rates what was stored; whose placement is over, who is suspended -> league_entries, standings
batch_drawer  stores batches drawn from the newest ratings                  -> drawing, league_entries, standings
season_end    the end of a season: its final, and the final table
division_keeper  the decisions on divisions that are due                    -> league_entries
problems      why a league cannot be drawn or played for now
scheduler     one league: what is entered, rated, drawn and leased          -> rating, batch_drawer, season_end,
                                                                               division_keeper, start_failures,
                                                                               unfit_batches, problems
run_reports   what a run tells of its leagues to those who watch a server   -> scheduler
lease_keeper  the leases on batches: prolonged, taken over, given back       -> league_work, scheduler
quiet_hours   times of the day in which no batch begins
idle_watch    spares a run its looks as long as nothing was written
note_expiry   deletes what bots wrote in old batches
practice_turns  which practice leagues are played, and when                -> scheduler
season_archives  writes the files of seasons that have ended
runner        plays the leagues of a database until it is stopped           -> scheduler, lease_keeper, quiet_hours,
                                                                               note_expiry, season_archives,
                                                                               run_reports, idle_watch,
                                                                               practice_turns
"""
