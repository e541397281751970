"""Tournaments as files that people write: event.toml.

    errors    what can be wrong with one
    table     the keys of a table, read one by one, with sentences for what is wrong
    bots      the field: [[bot]]                                -> table
    reading   an event file as a definition                     -> bots
    writing   a definition as an event file

docs/events.md tells the format.
"""
