"""The live page of a league: its tables, move by move.

shown_tables      a match as the page shows it, packed once for all who watch
watched_league    which matches the tables of a league show
routes            the page and its events
"""
