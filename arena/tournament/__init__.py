"""Tournaments: who sits where, with which seed, played by referee processes, stored as they end.

    definition   everything that was decided before the first match
    defining     the same from what an organiser wants                     -> definition
    field        bots named by users: sample bots, files, command lines     -> program
    opening      the beginning of a stored match, from which another goes on
    program      whether this machine can start a file at all
    seeds        the secret and what follows from it
    entropy      a public value that is mixed into the secret
    partners     who plays with whom where teams are mixed
    authors      who made the bots, and whether they can be kept apart
    seating      who sits at which table
    apart        the same where bots of one author do not sit together     -> seating
    tiebreak     who comes in first of bots with equal points
    schedule     rounds, tables, rotations and phases: a pure function of definition and secret
    course       how an event goes on: in one go, or in the stages of ...    -> schedule
    swiss, knockout, ladder    ... one of these                             -> course, tiebreak
    stoprule     what may end it before its last round; stopping: when it does
    forecast     what it will be, before it is played                        -> course
    hosting      how bots are run on this machine
    units        phases cut into what one referee process plays            -> schedule, seeds
    backlog      the units that no referee has in hand
    referees     referee processes and the streams to them
    records      a referee's record as a row of the store
    work         one stage: units out, records in, what is lost once more  -> units, backlog, records
    startup      whether any bot comes up                                  -> work
    executor     where referees work: here, or wherever else               -> work, referees
    cluster      ... on the nodes of a Ray cluster                         -> node, shipping
    record_buffer   finished matches on their way to the database         -> work
    database_retry  what the database cannot do now, until it can
    runner       plays what is not stored yet, until done or stopped       -> course, executor, stopping, summary
    single       one match without a tournament                            -> units, referees, records
    stored       definitions as the store keeps them, and back
    standings    the ranking of a stored tournament                        -> arena.ratings
    joint        the ranking of several of them, and how it grew         -> standings
    decisions    what its organiser has decided, as its log tells it
    organiser    what may be decided, and when not                         -> decisions, course
    state        how far a stored tournament is
    ordering     a field in the order of an earlier tournament              -> standings
    audit        collusion, forfeits and seats                             -> standings, arena.ratings
    meetings     who has met whom so far
    summary      what is told of a whole tournament, added up as matches are stored   -> meetings, arena.ratings
    recount      whether the sums that are kept are those of the matches   -> summary, standings
    proof        the matches held against schedule and rules, by several processes at a time   -> recount
    truth        whether all records of a tournament are true              -> course, arena.replay
    soundness    whether what a database says can be meant at all          -> definition, decisions
    errors       what can keep a tournament from being played; cause: why a nursery failed

docs/tournaments.md tells what a tournament is.
"""
