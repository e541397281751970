"""Tournaments and matches in a database.

row_saving        turns values into rows; row_loading: rows into values
aggregates        aggregate queries for rankings
summaries         stored sums of many matches, and the unsummarised matches
seat_results      the results of a tournament seat by seat
counted_matches   which matches of a tournament its ranking counts
decision_log      the log of a tournament: its organiser's decisions
process_failures  failed processes of bots
runs              which processes play tournaments
speed             how fast a tournament was played
match_filter      SQL conditions: the id range of a tournament, the filters of a list
bot_names         queries by the names under which bots are shown
practice_ids      the ids of matches of practice leagues, which nobody else sees
batch_names       which events are batches of leagues
hidden_results    results of leagues that visitors do not see yet
numbering         whether the rows of seats, faults and processes of an event go together
"""
