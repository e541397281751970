"""Tournaments as files that people write: event.toml.

    errors        what can be wrong with one
    field_table   the field: [[bot]]
    event_reader  an event file as a definition                    -> field_table
    event_writer  a definition as an event file

docs/events.md describes the format.
"""
