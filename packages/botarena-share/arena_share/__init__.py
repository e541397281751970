"""What other sites show of pages that people share: previews of links, with pictures, and replays in frames.

plugin          answers the hooks of arena
previews        titles, descriptions and pictures of pages, which their heads have
cards           pictures of rankings; ranking_routes: their addresses
pictures        pictures that were drawn, in turn and kept
png             SVG as PNG, in a process of its own
embed           a replay in a frame of another page; templates: its markup; files: its style, and the script that copies
                the code of the frame
match_routes    the addresses of pictures of matches, and of frames

A preview shows what the page shows to the same visitor, and those that fetch previews are not signed in.
"""
