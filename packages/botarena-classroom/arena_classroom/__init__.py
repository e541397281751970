"""A class: the bots that it hands in, in one folder, and its accounts.

plugin         answers the hooks of arena; commands: names its command; options: those of `arena submit`
submit_folder  `arena submit --from`: submits a folder and reports each bot
class_folder   the bots in a folder that several people handed in, and whose they are
owners_file    the table that says whose
batch_intake   builds, checks and stores each bot of a folder, or refuses it
check_pool     processes in which bots are checked side by side
similarity     near-copies among bots
roster         the people of a class as a table, and what it changes
import_roster  `arena accounts import`: an account for each row of a roster
errors         what can be wrong
"""
