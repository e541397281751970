"""Pictures of a table as SVG by themselves: of a frame, for previews of links, or of a round.

picture     the table at a frame as one file
animation   a round as one animated file
table       the parts of a table: places, and what lies between them
zones       the items of a zone, as large as there is room for
faces       cards, dice, chips, tokens and pieces
board       boards of games
geometry    where the seats stand
canvas      shapes and texts as markup
sheets      the drawings and colours of the pages
words       texts in the language of a reader, as long as there is room for

They are drawn as the replay page draws its table (`arena.replay.static`), from the same drawings and colours, in the
light theme. They load nothing, run nothing, and are the same for the same scene.
"""
