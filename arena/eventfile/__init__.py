"""Tournaments as files that people write: event.toml.

    errors       what can be wrong with one
    toml_table   the keys of a table, read one by one, with sentences for what is wrong
    field_table  the field: [[bot]]                                -> toml_table
    reader       an event file as a definition                     -> field_table
    writer       a definition as an event file

docs/events.md tells the format.
"""
