"""Playing: tournaments, single matches, and a person against bots.

runner          plays what is not stored yet, until done or stopped
played_tournament what it needs of a tournament
dispatcher      one stage: units out, records in, lost units again
backlog         units that no referee has
busy_machine    waits while clocks cannot be fair
capacity        how many bots fit on this machine at a time
work_units      phases cut into what one referee process plays
core_load       how busy a referee and its bots keep a core
executor        where referees work: on this machine, or elsewhere
referees        running referees and the streams to them
environment     the environment variables that they get
referee_process their processes, and those that start before arena is ready for them
hosting         how bots are run on this machine
startup_check   whether any bot comes up
record_rows     a referee's record as rows of the store
record_buffer   finished matches on their way to the database
progress        the progress of a run on stderr
database_retry  repeats what the database cannot do now
awaited_writes  waits until something was written to it
single_match    one match without a tournament
sample_policies moves of sample bots without processes, or any legal ones: for playouts and training
stop_signals    the signals that end a run in good order
failure_report  process failures, in words or as JSON values
exception_groups the cause of a failed nursery
remote/         bots that play from their owners' machines
people/         a person holds a seat among bots
"""
