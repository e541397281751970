"""Replays of stored matches: as text, and frame by frame, as the terminal and the pages show them.

positions      the positions of a match, with the view of every seat in each
event_table    a drawn table that events change, and what moved on it
table_events   what events do to it, as the rules declare with their lines; event_frames: the tables between two frames
log_lines      the lines of a log, as messages with their events
phrases        moves as messages
readable       texts as people read them: cards, bids and seats by their names
frames         the positions that are known from one perspective: the whole match, or one seat
marks          rounds, eliminations, faults: the frames to jump to
replay         a match with its frames and drawn tables
story          who won, by what, since when, and the moments that made it so
costly_moves   moves that cost part of the chance to win, in the story
rounds         the rounds of a replay, by which matches of one deal are compared
cursor         the current frame and perspective of a replay, and jumps from there
json_values    a replay as JSON
scene          the drawn table, for terminal and page alike
renderer       views -> scene, by the game's renderer in `games`, or field by field for games from other packages
picture        a drawn table as SVG by itself, for previews of links
rule_pages     the pages of rules as Markdown and HTML; rules_drawer: them and the options beside the table
refusals       why a card or a move cannot be chosen
recent_events  the latest events at each place
keys           the help texts of the keys
terminal       the viewer in a terminal
html           HTML elements; all text is escaped
replay_page    the replay page; static: its styles, scripts and drawings
document       a replay as one HTML file
known_values   what packages know of a match
slow_answers   answers that took long, in one match or in many
owner_view     a match as the owner of some of its bots may read it
"""
