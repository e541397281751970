"""What a game is, in plain Python: the contract every game keeps and the helpers they share.

    errors    one tree of exceptions
    near      the near miss, for messages
    clean_text  texts that are safe to print
    toml      TOML files that people write, with typed access to their keys
    options   optional rules as a frozen dataclass, parsed from `name=value`
    chance    shuffles, rolls and picks: from the match seed, or from a script
    draws     the specified function of the match seed behind them
    native    the same function in C, where it was built (Cython)
    turns     deals that take turns, such as the openings of a book
    redeal    a match that goes on from another one, with what a seat could not know dealt anew
    events    the log: what happened, and which seats may know it
    moves     what its lines do to the drawn table
    known     what a log says of hidden cards and dice, for bots that look ahead
    game      Game (a set of rules) and State (one match in progress)
    family    GameFamily: many games of one package, by names with a common prefix
    registry  games found by the entry point group `arena.games`
    record    the answers and times of one match as compact bytes, and their replay
    scenario  scenario files: a match in TOML, and what must be true after it

Nothing here does I/O, reads a clock or knows the wire; only the standard library is imported, and marks for a compiler.
"""
