"""What is stored of leagues, in the tables that `arena.store.engine.schema` declares.

leagues           leagues: seasons, entries, log; stored_ratings: their ratings
league_rows       what is stored and returned of leagues and batches, as values
league_entries    entries, league_log: logs and locks, season_rows: seasons; in the transactions of others
league_details    what the details of decisions say; entry_grants: what organisers grant entries
league_dates      the dates of a season, as the log of its league has them
outbox_events     what the outbox says of entries and seasons
seasons           the end of a season of a league
batches           batches, leased to runners, on top of batch_queries; batch_results: their results, old_notes: deletes
                  notes of old ones, dropped_batches: those that are not played any more, closed_results: those in
                  which bots of closed accounts still played
practice_leagues  practice leagues: whose they are, what they have used, and how they go
total_sums        the sums of all batches of a league
league_runs       how the runs of leagues get on
imported_leagues  leagues from archives

`Leagues`, `Batches` and the others are made from an open database: `Leagues(store)`.
"""
