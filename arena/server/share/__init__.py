"""What other sites show of pages that people share: previews of links, with pictures.

previews    titles, descriptions and pictures of pages, which their heads have
pictures    pictures of matches, drawn in turn and kept
cards       pictures of rankings; card_routes: their addresses
embed       a replay in a frame of another page
png         SVG as PNG, in a process of its own
routes      the addresses of pictures and frames

A preview shows what the page shows to the same visitor, and those that fetch previews are not signed in.
"""
