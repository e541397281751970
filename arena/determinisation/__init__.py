"""Dealing anew what a seat could not know, so that a match can go on from one of its moments.

    recording_chance  chance whose answers can be changed one at a time
    knowledge        what the seat knew by then: what it was told, asked and answered
    consistent_play  a match as it goes by other cards, as long as the seat can tell no difference
    random_draws     the random numbers that it is done by
    hidden_chance    what of all that was dealt the seat could not know
    mcmc             from one deal that fits what the seat knew to another, until all of them are equally likely
    redeal           all of it together, as the beginning of another match

No game says what is hidden: the rules are asked, by playing the match again.
"""
