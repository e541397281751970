"""Tournaments as files that people write: event.toml.

    errors       what can be wrong with one
    field_table  the field: [[bot]]
    reader       an event file as a definition                     -> field_table
    writer       a definition as an event file

docs/events.md describes the format.
"""
