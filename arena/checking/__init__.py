"""Whether a bot is fit to play: numbered steps, each with a verdict.

check          all steps for one bot
report         steps, verdicts and what the bot printed
probe          one process of the bot on a stream of our own, told what a match would never tell
script         ... the player that speaks with it
conversation   ... what it is told, and what it must say to that
play           matches of the bot at a real referee
tables         which matches: usual ones, and the odd ones at the edges of a game
examination    the check with a duel after it, for submissions
again          a recorded question, asked again
rival          whether it beats another bot, and how surely
"""
