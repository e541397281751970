"""What every room reads: values that are stored and shown, errors, texts, durations.

errors             the root of all exceptions raised on purpose
definition         a tournament before its first match, with its bots, clock and settings
stop_rule          conditions that end a tournament early
settings           settings as data: what a field means, its bounds, and its names in files and commands
checking           what others wrote, read by its type: every mistake as a sentence, with the line
struct_types       types made ready for msgspec by one thread at a time
tournament_errors  what can keep a tournament from being played
rows               the values that are stored and loaded
failure_rows       failed processes, as they are stored
canonical_json     values as canonical JSON, and the hash of a definition
pseudonyms         what replaces the names of closed accounts and their bots
display_names      how people read who an account is
versioned_names    names of submitted bots
result             the result of one match, for ratings
visitors           whom connections from elsewhere are counted for
tables             how many may sit at one
durations          50ms, 1s, 2min
given_time         a moment as people write it, with its time zone
thinking           the time that a league gives a bot for its answers in a match
near_path          the near miss of a path that does not exist
server_log         the log of a server, as sentences or as JSON lines
installing         how what is missing is installed here
secrets            secrets of a server, from its environment or a file
texts              texts from outside, safe to print
terminal_width     how wide texts are on a terminal
text_table         tables as text of any width, Markdown, HTML and LaTeX
view_text          a view as lines of text
process_pool       processes that compute for a command, and end with it
snapshot           deep copies of values, to detect mutation
"""
