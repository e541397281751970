"""What pages share beside their templates.

navigation        the links at the top of all
items             cards and dice in lists, as pictures
numbers           how numbers are written; axes: axes of charts
atom              Atom feeds
faces             the faces of bots, from their names
previews          what other sites show beside links to pages
"""
