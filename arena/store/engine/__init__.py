"""What a database is, whatever is stored in it.

sqlite          databases in a file; postgres: on a server
schema          the tables
feature_tables  tables of packages, and their versions
clock           the time of a database, which decides when something was received
connection      how the subjects of a database open transactions; time_limit: of searches; write_marks: whether
                anything was written; write_watch: tells so to whoever waits for it
errors          errors of databases, as sentences
outbox          events that others may read, and their cursors
worker_name     names of processes that take work from a database, and whether they are dead
backoff         let other writers have a turn between transactions
blobs           compressed columns
row_map         rows as values, and back
"""
