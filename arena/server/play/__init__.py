"""Playing by hand.

routes            starting a match, showing it, answering
play              the pages
hosted_matches    the matches that people play here
"""
