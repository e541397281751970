"""Export tournaments to files and import them: what `arena tourney export` writes and `arena tourney import` reads.

errors         what can be wrong with a file
exporting      a stored tournament as items of an archive      -> arena.store
files          one reader and one writer of archives as lines of JSON, for leagues too   -> match_lines
match_lines    what the line of a match says beside its record, for `arena ratings`
importing      items as a tournament of another database       -> exporting
failure_items  process failures as items, and back
result_tables  matches as CSV and Parquet, a row for each seat; not imported again

The items are the messages of protos/referee/v1/archive.proto; docs/records.md explains them.
"""
