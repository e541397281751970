"""Export leagues to files and import them: what `arena league export` writes and `arena league import` reads.

lines      the lines of the archive of a league
checks     what their types do not say: names, times, decisions and ratings make sense
rows       the lines as the rows that are stored
exporting  a stored league as lines                    -> lines
importing  lines as a league of another database       -> lines, checks, rows

docs/records.md explains them.
"""
