"""The viewer in a terminal: `arena replay ID`.

board_lines     a board as lines
glyphs          cards, dice and chips as characters, in boxes of three lines or in one line
table_view      a scene, laid out for the space available
question_panel  the question and its answers, times and faults; the result
log_panel       the log around a frame, and the bar with the marks of the match
text_overlay    a text over the screen
app             the screen and its actions; bindings: the key of each action

The scenes are those of the pages. Everything can be read without colour.
"""
