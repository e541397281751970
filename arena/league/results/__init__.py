"""Results of a league: sums of its matches, and the ratings that follow from them.

    deal_kinds          sums of the deals of tables of one size, by kind
    deal_sums           comparisons per deal -> deals by kind                    -> deal_kinds
    experiment_sums     sums of deals that may repeat others, by experiment      -> deal_kinds
    league_sums         the matches of a batch -> packed sums                    -> deal_sums, experiment_sums
    reachability        which entries can be compared, with finite estimates
    field_comparisons   the comparisons of all entries, and their strengths      -> reachability
    experiment_residuals  points minus expected points, by experiment            -> experiment_sums
    residual_products   the spread of results from deal to deal                  -> deal_kinds
    interval_estimates  variances: exact, sampled or local                       -> residual_products
    flags               what an audit says of entries
    league_ratings      one row per entry                                        -> flags
    audit               entries that seem to play for each other                 -> field_comparisons, flags
    league_fit          the joint fit of all batches, repeated as they are added -> all above
    rating_history      the stored ratings over time
    played_batches      which batches each entry has played lately
    board               the entries by their ratings                             -> rating_history, played_batches
    board_output        a board as JSON and CSV                                  -> board
    stored_fit          the fit of a league with which a program begins          -> league_fit
    comparisons         who is better, and how entries did against each other    -> stored_fit
    upsets              wins that the ratings did not expect
    season_table        the final table of a season                              -> league_fit
    season_report       a season: how far it is, and its final table             -> season_table
    hand_in_notices     what an owner should know of leagues before a bot is accepted
    publication         which secrets are public
    health              which leagues can draw and play, and why others cannot
    answer_time         how long the slowest bot of a batch takes for its answers
    batch_report        what one batch tells by itself                           -> league_fit

Importing this package costs nothing; numpy and scipy are loaded by its modules.
"""
