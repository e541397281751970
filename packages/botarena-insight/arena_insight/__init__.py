"""Insight: what is to be learnt from matches, beside their results.

plugin           answers the hooks of arena
commands         names its commands; analyse_command, tournament_why and league_why are these
analysis         chances to win in stored matches, by playouts
costly_moves     the moves of a match that cost part of the chance to win
stored_analysis  chances and costly moves from the database, or computed; stored_chances: those stored; tables: where
weaknesses       why a bot loses: its choices and results on the same deals as others
report_command   the report of both of the last
report_words     what links to such a report say
weakness_cache   reports on why bots lose, as parts of pages; weakness_routes: their URLs, on top of weakness_pages
analysis_queue   computes what visitors ask for (analysis_tasks): chances to win, costliest decisions
idle_analyses    computes chances to win in matches that somebody opens, in idle time; idle_queue: what waits for it
server_options   the option of `arena serve` for that
analysis_routes  URLs to have chances to win computed; match_tools: the form on the page of a match
what_if          a match played on from another move, by bots; what_if_remark: what is said of it; match_branch: the
                 recorded answers that fit after that move
what_if_options  the options of `arena replay` for that
what_if_matches  those that visitors have had played; what_if_routes: their URLs, on top of what_if_pages
files            scripts of the pages; templates: their markup
"""
