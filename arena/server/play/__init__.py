"""Playing by hand.

routes            starting a match, showing it, answering
play              the pages; tiles: the games that can be played, with their cards, players and minutes
hosted_matches    the matches that people play here
"""
