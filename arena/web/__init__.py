"""The site: tournaments with their rankings, bots, matches, and the replay player.

access            what a visitor may see; errors: errors whose messages visitors read
ranking_cache     the rankings of tournaments, recomputed when there are new matches, at a limited rate
weakness_cache    reports on why bots lose, as parts of pages; weakness_routes: their URLs
cache_warmup      computes rankings and draws boards before anybody asks
replay_cache      replays of recently shown matches
replay_routes     the JSON of replays; compare_routes: matches of one deal side by side
answer_times      the answer times of a bot; elo_history_cache: the history of its Elo
live_tournament   a running tournament as server-sent events; event_streams: limits on open streams;
                  shared_reads: what is read once for many streams
hosted_matches    the matches that people play here; play_routes: their URLs
analysis_queue    computes what visitors ask for (analysis_tasks): chances to win, costliest decisions
analysis_routes   URLs to have chances to win computed
what_if_matches   matches played on from another move; what_if_routes: their URLs
search_turns      turns of searches, so that few run at a time
open_counter      limits what is open at the same time, by visitor or account
downloads         matches as CSV and Parquet, rankings as LaTeX
sessions          who is signed in; session_routes: the URLs to sign in and out; proxy_sign_in: by a trusted proxy
invitation_routes URLs that make an account, once
hand_in_routes    URLs to hand in bots and follow their checks; live_hand_ins: a check as server-sent events
webhook_routes    URLs to add webhooks, and to see what was delivered
league_routes     URLs of leagues; league_cache: what their pages know; league_feed: their Atom feed (atom)
entry_routes      URLs by which owners challenge with entries of leagues, retire and readmit them
rule_routes       the URLs of the pages of rules
live_pages        pages of leagues whose parts change, as server-sent events; page_parts: the parts; reading_turns:
                  fair scheduling of their reads
refresh           how often something may be computed anew
rate_limit        limits how often something is done
request_body      request bodies with a size limit; parameters: numbers in URLs and forms
proxies           a proxy in front of the site: its clients, the public address
middleware        security headers, same-origin checks, authentication
error_pages       errors as pages, or as JSON for scripts
site              the routes and their handlers
api/              the JSON API
pages/            a module for each kind of page; files: their styles and scripts
monitoring/       health, metrics and the access log
server            serves the site on a port, with trio; http/: the HTTP server
"""
