"""Tuning: the numbers of a bot, by playing it against itself.

commands        names its command; cli is that, with a file for each of its commands in tune_commands
parameters      what is tuned, and where that is declared; tuned_bot: the bot with placeholders in its command
spsa            the search; course: when it is asked and told; searches: all of them by name, tpe among them
plan            what is settled before a run; beginning settles and stores it
iteration_work  iterations as the work of referees; runner plays them
stored_runs     runs in the database; tables: where
reporting       plays a run for a command, and prints it
path_picture    draws the path of each parameter
manifest_edit   writes values into a bot.toml
"""
