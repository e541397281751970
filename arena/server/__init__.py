"""The site: tournaments with their rankings, bots, matches, and the replay player.

A room for each subject, with its routes, pages, caches and what of it is live:

    tournaments/  the home page, and the page of each tournament
    join          how visitors take part
    leagues/      boards, batches, seasons, entries
    practice/     beginning practice leagues, which only their owner sees
    watch/        the live page of a league: its tables, move by move
    matches/      the list of matches, replays, matches of one deal side by side
    share/        previews of pages on other sites, with pictures of tables
    bots/         the list of bots, the page of each, process failures
    hand_ins/     submitting bots, following their checks
    accounts/     signing in, invitations
    play/         playing by hand
    status/       what goes on and what does not, for organisers
    rules         the pages of rules
    api/          the JSON API

and what they share:

    site          the application: all routes, what is made before anybody asks (cache_warmup), and files/, the styles
                  and scripts
    readings      what organisers read of the database, and what all others do
    access        what a visitor may see; errors: errors whose messages visitors read
    templates/    the templates of the pages: their frame, macros, and a folder for each room
    pages/        what pages share beside their templates: links, numbers, axes, Atom feeds
    requests/     what every request passes, and how it is read and refused; proxies in front of the site
    limits/       how often something is done, and how much at a time
    live/         event streams, and pages whose parts change
    process_settings  threads, memory and garbage collection of a server's process
    monitoring/   health, metrics and the access log
"""
