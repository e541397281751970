"""What those who run a server want to know of it.

heartbeat         whether a loop still goes round
progress          whether leagues and the queue of hand-ins go on
health            `/healthz`                                                  -> progress
requests          counts and times the requests of the site, and logs them
server_counts     counts of hand-ins, batches and entries in the database
metrics           all that is counted, in the format of Prometheus            -> requests, progress
"""
