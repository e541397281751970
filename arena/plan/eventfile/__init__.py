"""Tournaments as files that people write: event.toml.

    errors        what can be wrong with one
    setting_table  the settings of a table, read and written
    field_table    the field: [[bot]]                               -> setting_table
    event_reader   an event file as a definition                    -> field_table, setting_table
    event_writer   a definition as an event file                    -> setting_table

docs/events.md describes the format.
"""
