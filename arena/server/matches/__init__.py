"""Stored matches: the list, the replay, and matches of one deal side by side.

routes            the list, and the page of a match
match_list        the list, with filters
replay            the page of a match; replay_routes: the JSON that its scripts load; replay_cache: recent replays
score_sheet       the result, the rounds and the log of a match, for print and for browsers without JavaScript
compare           matches of one deal side by side; compare_routes: their routes
deal              the matches of one deal, with their results
"""
