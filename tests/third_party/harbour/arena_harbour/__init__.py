"""Harbour, a game for arena: sealed bids for crates of which everybody has seen another part.

harbour   the rules
v1        the message of a seat's view, made from protos/
rules.md  the rules for people
"""
