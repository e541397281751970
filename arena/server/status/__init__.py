"""The page on which organisers see whether all goes on.

recent_notices  what the log of this server said lately that asks for a look
routes          the route                                                  -> recent_notices
"""
