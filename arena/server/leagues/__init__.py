"""Leagues: boards, batches, seasons and entries.

routes            the pages and the feed
cache             what the pages know of each league
league_list       the list of leagues, and their part of the home page
board             the page of a league; board_table: its table
batches           the queue, and the batches that were played; batch: one of them
season            a season and its final table; dates: those of the newest season
dates_routes      the page with these dates, on which organisers change them
divisions         the divisions of a league that has any
hidden            that new results are hidden from visitors
groups            the groups that a visitor may choose
entry             the page of an entry; rating_chart: its Elo over time; entry_actions: what its owner does with it
entry_routes      challenges, retiring and readmitting
announcements     what organisers announce
feed              the Atom feed
league_parts      what these pages share
"""
