"""Estimate chances to win in recorded matches, with playouts.

    errors           the package's exceptions
    deals            sample deals that are consistent with what a perspective knows at a question
    standard_errors  standard errors of means that are never 0 by luck
    playouts         estimate the chances at a question, and compare its moves
    match_chances    the chances throughout a match, at frames chosen by where they change
    analysis_process a long computation in a process of its own

Nobody learns the real future of a match: cards that are not dealt and dice that are not
rolled are drawn anew for every playout.
"""
