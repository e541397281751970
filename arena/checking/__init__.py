"""Whether a bot is fit to play: numbered steps, each with a verdict.

check              all steps for one bot
report             steps, verdicts and what the bot printed
probe              one process of the bot on a stream of our own, told what a match would never tell
scripted_player    ... the player that speaks with it
script             ... what it is told, and what it must say to that
trial_matches      matches of the bot at a real referee
trial_tables       which matches: usual ones, and the odd ones at the edges of a game
acceptance         the check with a duel after it, for submissions
intake             build, pack, check and store a submission, or refuse it with a sentence
batch_intake       ... a folder of them
repeated_question  a recorded question, asked again
qualifier          whether it beats another bot, and how surely
"""
