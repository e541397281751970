"""Pages: tournaments with their rankings, bots, matches, and the replay player.

access           who a visitor is and what they may see; errors: what visitors are told
ranking_cache    the ranking of each tournament, made anew when there is something new, and not too often
cache_warmup     the same before anybody asks
replay_cache     the matches that are looked at, kept ready
answer_times     how long a bot took for its answers; elo_history: how its Elo changed
live_tournament  a tournament under way, as server-sent events; event_streams: how many may listen
hosted_matches   the matches that people play here; play_routes: their URLs
sessions         who is signed in; submission_queue: bots under check; submission_routes: their URLs
rate_limit       how often something may be done
request_body     what a browser sends, read up to a bound; parameters: numbers in URLs and forms
middleware       what is true of every request and answer
site             the addresses, and what answers there
pages/           one file for each kind of page; files: their styles and scripts
server           the site on a port, in trio; http/: what it makes of bad clients
"""
