"""Dates of a league: when a season opens, until when a hand-in counts for it, and when it ends.

They may change after a league was created, so they stand in its log and not in its definition.

control       set the dates of a season, and extend the deadline of an owner
verification  that the log of a league keeps to its dates
"""
