"""A stored match, frame by frame: what the terminal and the pages draw.

positions      the positions of a match, with what every seat could see in each
frames         the positions that one audience knows of: everybody together, or one seat
marks          rounds, eliminations: where in a match to jump to
answer_clock   the time of each answer and what it left of the bank
replay         a match with its frames, its drawn tables and its verdict
cursor         where one stands in a replay, and the steps from there
json_values    all of it as JSON
scene          a drawn table in words that a terminal and a page understand
renderer       views -> scene, by the game's own painter in `games`, or field by field for games from elsewhere
recent_events  what has just happened at each place, by the log
keys           what the keys do, here and there
terminal       the viewer in a terminal
html           HTML from values, every text escaped
replay_page    the replay page; static: its styles and scripts
document       the same in one file
"""
