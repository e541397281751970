"""Announcements of organisers on the page of a league: written, changed and retracted by decisions in its log.

announcement  announcements as the log of a league has them
control       announce, change and retract
"""
