"""Playing by hand: a person holds a seat among bots.

    match_thread       runs a match in a thread, so that the terminal keeps the main thread    -> arena.run
    person             the bot that asks a person at the terminal                               -> arena.sdk
    command_interface  parses what a person types, and prints help
    terminal           output, and input with completion
    event_values       lines of the log as values, which are put into words
    remote_player      the bot that waits for the answers of a person at a page
    hosted_match       a match with people at pages, which runs in the background

A person's seat is an attached one: the same referee, the same record, and no clock.
"""
