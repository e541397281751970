"""Determinisation: redeal what a seat could not know, so that a match can continue from one of its positions.

    overridable_chance  chance whose answers can be changed one at a time
    knowledge           what the seat knew up to a moment: its log, questions and answers
    consistent_play     replay a match with another deal, consistent with what the seat knew
    random_draws        the random numbers of a redeal
    hidden_chance       find the cards and dice that the seat could not know
    mcmc                sample a consistent deal with a Markov chain; all are equally likely

Games do not declare what is hidden: the rules are asked, by replaying the match.
"""
