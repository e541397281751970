"""A class: the bots that it hands in, in one folder, its accounts and its grades.

plugin         answers the hooks of arena; commands: names its command; options: those of `arena submit`
submit_folder  `arena submit --from`: submits a folder and reports each bot
class_folder   the bots in a folder that several people handed in, and whose they are
owners_file    the table that says whose
batch_intake   builds, checks and stores each bot of a folder, or refuses it
check_pool     processes in which bots are checked side by side
similarity     near-copies among bots
roster         the people of a class as a table, and what it changes
import_roster  `arena accounts import`: an account for each row of a roster
grades         rules that make grades of places and Elo
export_grades  `arena grades`: grades from a board, a final table or a ranking, as Moodle imports them
errors         what can be wrong
"""
