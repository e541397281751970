"""What is settled before a match is played.

definition               everything that was decided before the first match
definition_builder       a checked definition from what an organiser asks for
new_event                a definition in the form in which the store takes it
decisions                what the organiser has decided, from the tournament's log
field                    bots as users name them: sample bots, files, command lines
program_check            whether this machine can start a file
authors                  who made the bots, and whether they can be kept apart
secret                   the secret, and all randomness that follows from it
entropy                  a public value that is mixed into the secret
seating                  which bots sit at which table
partners                 who plays with whom where teams are drawn
author_separation        seating that keeps bots of one author apart
schedule                 rounds, tables, rotations, phases: a pure function of definition and secret
formats                  single-stage and multi-stage events
multi_stage              what the multi-stage ones share
swiss, knockout, ladder  the multi-stage ones
tie_break                the order of bots with equal points
stop_rule                what may end a tournament early
forecast                 matches, time and resolution, before it is played
match_prefix             the beginning of a stored match, from which another goes on
"""
