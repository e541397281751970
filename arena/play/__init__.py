"""Playing by hand: a person at a terminal holds a seat among bot processes.

    match_thread   the match under way in a thread, so that the terminal keeps the main thread    -> arena.tournament
    person         the bot that asks the person: told the log, shown the view, answers in words    -> arena.sdk
    command_interface  the game in a person's words: what may be typed, and what it comes to
    view           what a seat sees, as lines of text
    terminal       lines out, lines in, with completion
    remote_player  the bot that plays what a person answers from elsewhere, from a page
    hosted_match   a match with people, which goes on while nobody looks

The person's seat is an attached one: the same referee, the same record, and no clock for it.
"""
