"""A stored match, frame by frame: what the terminal and the pages draw.

boundaries  the positions of a match, with what every seat could see in each
frames      the positions that one audience knows of: everybody together, or one seat
marks       rounds, eliminations: where in a match to jump to
clock       the time of each answer and what it left of the bank
replay      a match with its frames, its drawn tables and its verdict
walk        where one stands in a replay, and the steps from there
values      all of it as JSON
scene       a drawn table in words that a terminal and a page understand
painting    views -> scene, by the game's own painter in `games`, or field by field for games from elsewhere
news        what has just happened at each place, by the log
keys        what the keys do, here and there
terminal    the viewer in a terminal
html        HTML from values, every text escaped
player      the replay page; static: its styles and scripts
document    the same in one file
"""
