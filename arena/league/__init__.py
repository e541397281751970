"""Leagues: standing competitions that play by themselves.

    plan    what is settled before a batch is played

docs/league.md explains leagues.
"""
