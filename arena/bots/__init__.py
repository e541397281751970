"""Check whether a bot can play, accept submissions that can, and make new bot projects.

bot_check          all steps of the check of one bot
report             the steps with their verdicts, and the bot's output
probe              starts one process of the bot and connects to it directly
first_words        starts a bot that only waits once more, to see what it sends instead of gRPC
machine_check      whether this machine can start any bot, and has CPU time for it; starvation: how much is too little
scripted_player    sends it questions and collects its answers
script             the questions, including some that a match asks seldom or never
trial_matches      plays matches of the bot at a real referee
findings           the matches and questions at which a check found something
match_budget       the time that these matches may take
trial_pace         how far they are, and how long they will take
kept_phases        what a long check has played already, for the case that it is interrupted
trial_tables       which matches: typical tables, smallest and largest tables, presets
acceptance         the check of a submission, followed by a qualifier if the organiser asks for one
qualifier          a small tournament that shows whether a bot is better than another
intake             builds, packs, checks and stores a submission, or refuses it
hand_ins           what owners hand in, in the database until it is checked and after; hand_in_rows: its values;
                   hand_in_queue: who is next; hand_in_places: the same for pages; hand_in_space: on what disk;
                   hand_in_events: what the outbox says of them
hand_in_worker     checks hand-ins that wait; hand_in_check: one of them, in its own process; hand_in_limits: how long
                   they may take to start and to get ready; hand_in_workers: which programs check, and with what
rejudging          checks hand-ins again that were refused, as organisers decide
check_processes    what processes need in which bots are checked: interrupts, cores, an end with their parent;
                   preloaded: what they have imported when they start
question_export    a question of a stored match, with all that its seat saw before, for a file
fault_questions    the questions of a tournament at which bots made faults
bot_profile        asks a bot the questions of a match again, and measures where its time goes
repeated_question  asks a bot a recorded question again
templates/         new bot projects: what `arena init` writes
"""
