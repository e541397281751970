"""Pages: tournaments with their rankings, bots, matches, and the replay player.

audience    who looks, and what may be told to them
rankings    the ranking of each tournament, made anew when there is something new, and not too often
warming     the same before anybody asks
replays     the matches that are looked at, kept ready
times       how long a bot took for its answers; growth: how its Elo grew
live        a tournament under way, as server-sent events; streams: how many may listen
sittings    the matches that people play here; playing: the addresses for it
sessions    who is signed in; inbox: the bots that are handed in; submitting: the addresses for it
limits      how often something may be done
bodies      what a browser sends, read up to a bound; numbers: those in addresses and forms
safety      what is true of every request and answer
site        the addresses, and what answers there
pages/      one file for each kind of page; files: their styles and scripts
server      the site on a port, in trio; http/: what it makes of bad clients
"""
