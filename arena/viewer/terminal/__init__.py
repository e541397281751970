"""The viewer in a terminal: `arena replay ID`.

glyphs          cards, dice and chips in characters, in a box of three lines or in one
table_view      a scene in as many lines as there is room for
question_panel  the question and its answer, times and faults; the result
log_panel       the log around a frame, and the bar with the marks of the match
text_overlay    a text over the screen
app             the screen and its keys; bindings: which key asks for what

What is drawn are the scenes that the pages draw too. Everything can be read without colour.
"""
