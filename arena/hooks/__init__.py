"""Where packages with features plug into arena: each room calls its own hooks, and no room knows who answers.

specifications   what a package may add: the hooks, and the values that they return
plugins          loads the packages that are installed, and calls their hooks
commands         commands of packages, found without importing anything
executors        where else referees run by packages, found likewise
match_files      files of matches that packages write while they are played, found likewise
installed_entries the entry points of packages, read from their files
published        the packages that are published with arena, and what they add

Nothing of this is loaded in processes of referees and bots.
"""
