"""Bots: the list of all, and the page of each.

routes            the pages
bot_list          the list
bot               the page of a bot
elo_chart         its Elo from tournament to tournament; elo_history_cache: what that shows
answer_time_chart how long it takes to answer; answer_times: what that shows
failures          process failures, on a page of their own and in sections of others
"""
