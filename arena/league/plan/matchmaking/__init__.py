"""Decides who meets whom in a league: a pure function of a snapshot of the ratings and of chance.

    errors        what keeps a batch from being drawn
    snapshot      the rated entries that a draw may know, rounded and hashed
    shape         how large batches are, and how they are drawn
    information   what deals tell about strengths, in tables of integers     -> shape
    field         the entries of a draw: doubts, costs, owners               -> information
    even_tables   tables at which all meet equally often
    selection     which entries a batch brings together                      -> field
    tables        the tables that are drawn among these                      -> field
    standing      the draw of a batch for standing entries                   -> selection, tables, even_tables
    placement     the draw of a batch for newcomers, and when their placement is over

A draw can be repeated by whoever has the snapshot and the secret. So it computes with integers, and with floating point
numbers only where every machine rounds alike: one addition, subtraction, multiplication, division or square root at a
time, in a fixed order. docs/league.md explains what is drawn and why.
"""
