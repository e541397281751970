"""Leagues: standing competitions that play by themselves.

    plan      what is settled before a batch is played
    results   sums, ratings, boards, audits, final tables   -> plan
    run       what draws, plays and rates                   -> plan, results
    control   what organisers and owners decide             -> plan, run
    dates/    when seasons open, until when hand-ins count for them, and when they end  -> control, plan
    announcements/  what organisers announce on the page of a league  -> control
    challenges  matches that owners ask for                  -> control, results, run
    practice/  what an owner practises with versions of its own, which nobody else sees  -> control, plan
    groups    boards of groups of accounts, and who may choose them  -> results
    grants    what organisers grant single entries          -> control
    divisions/  who plays in which division, decided after each span  -> plan, results
    archive/  leagues as files, and back
    verification         that everything stored follows from definition, secrets and matches
    batch_verification   the same of each batch
    season_verification  the same of the ends of seasons    -> freeze_verification
    division_verification  the same of decisions on divisions  -> divisions, freeze_verification
    freeze_verification  that finalists were chosen by the newest results
    row_verification     the same of entries, seasons, snapshots and the newest ratings
    account_closing      what becomes of accounts that are closed, here and below
    integrity            what the values of the tables of leagues must be
    store/    what is stored of leagues: below all else here

docs/league.md explains leagues.
"""
