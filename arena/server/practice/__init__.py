"""The page on which the owner of bots begins practice leagues, and removes them.

routes  the page and its forms

What is played there is shown by the pages of all leagues (`arena.server.leagues`), to those who may see it
(`Access.league`).
"""
