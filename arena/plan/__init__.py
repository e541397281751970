"""Plans tournaments: everything that is decided before a match is played.

definition_builder       builds and checks a definition from an organiser's choices
new_event                converts a definition to the row that the store keeps
decisions                the organiser's decisions, read from the tournament's log
field                    finds and checks the bots that users name
grants                   what the organiser grants single bots: the network, devices
bot_clocks               clocks of single bots: time odds
start_times              how long single bots may take to start
secret                   the secret, and the seeds that follow from it
entropy                  a public value that is mixed into the secret
seating                  which bots sit at which table
partners                 who plays with whom if teams are mixed
author_separation        bots of one author kept apart: whether that can be done, and a round-robin that does it
schedule                 rounds, tables, rotations, phases: a pure function of definition and secret
open_sets                what a withdrawn bot leaves unfinished
packed_numbers           numbers of matches as ranges, in the log
formats                  single-stage and multi-stage events
multi_stage              base class of the multi-stage formats
swiss, knockout, ladder  the multi-stage formats
stage_names              what their stages are called
tie_break                the order of bots with equal points
forecast                 matches, duration and resolution of a tournament before it is played
audit_reach              what an audit for collusion will be able to see
match_prefix             the first answers of a stored match, from which another continues
eventfile/               tournaments as files that people write: event.toml
"""
