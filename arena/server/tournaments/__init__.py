"""Tournaments: the home page, and the page of each.

routes            the pages and downloads
home              the home page: leagues, and the list of tournaments
tournament        the page of a tournament; meeting_matrices: who met whom
telling_matches   the matches that tell most of a tournament
ranking           the table of a ranking; ranking_cache: rankings as they were computed last
live              a running tournament as server-sent events
downloads         matches as CSV and Parquet, rankings as LaTeX
"""
