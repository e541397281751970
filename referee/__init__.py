"""referee: the process that knows the rules and runs untrusted bots.

    engine     what a game is: contract, chance, events, views, records   (standard library only)
    games      one file per game, reads like its rule book                -> engine
    v1         generated stubs of the protocol, never edited
    wire       engine values <-> protos; text from bots is cleaned here   -> engine, v1
    stream     one gRPC stream <-> trio
    grpc_quirks works around two defects of grpc.aio servers
    link       gRPC servers <-> trio; with stream the only file that imports grpc -> stream
    own_sockets  the sockets of this process, those of gRPC among them
    flood      who keeps gRPC busy with what is no message                -> link, own_sockets
    sandbox    how a bot process is confined
    bots       start, watch and end bot processes                         -> sandbox, exit_status
    exit_status  how a process ended: exit code or signal
    player     one seat's process: open questions, clock, faults, guilt   -> bots, wire
    keeper     fair clocks: bots rest and run, and what is not charged    -> processor
    match      one match: ask, verdict, record; chair: a seat of it       -> engine, wire, sharing
    sharing    events that are equal are kept once                        -> engine
    built      whether rules and referee are compiled                     -> engine
    door       where bots come in, each at its own endpoint: hello, welcome or refusal -> flood, player
    life       one bot on the stream, from hello to end: started here, attached or remote -> player, bots
    phase      all matches of one set of processes                        -> life, match
    work       arena's orders: phases come in, records go out             -> phase
    __main__   `python -m referee`: the service that arena gives phases to

Nothing here imports arena.
"""
