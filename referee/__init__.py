"""referee: the process that knows the rules and runs untrusted bots.

    engine      what a game is: contract, chance, events, views, records    (standard library only)
    games       one file per game, in the order of its rule book            -> engine
    v1          generated stubs of the protocol, never edited
    wire        records and orders as protobuf; makes text from bots harmless -> engine, v1
    codec       what every decision needs: views, turns, answers, the log   -> wire
    match       one match: seats, questions, faults, record                 -> codec
    sandbox     confines bot processes
    process     bot processes: start, watch, end; CPU time and fairness     -> sandbox
    connection  gRPC: a server and socket per bot, streams, flood detection -> wire
    session     a bot in a phase: open questions, clock, crash attribution;
                sessions of local, attached and remote bots                 -> connection, process, match
    slow_start  how many matches a referee has under way at first
    paths       which paths can be text, and folders for temporary files at such paths
    redaction   keeps the secrets of bots out of what is stored             -> v1
    phase       all matches of one set of bot processes                     -> session, match, redaction
    service     phases come in from arena, records go out                   -> phase
    extensions  which modules are compiled, and whether they are built of the present sources
    build_info  what of this installation is compiled                       -> engine, codec, extensions
    __main__    `python -m referee`: the process that arena starts

Nothing here imports arena.
"""

import os

# Other distributions ship these parts, and may lie in other folders.
for _part, _package in {"engine": "botarena-rules", "v1": "botarena-sdk"}.items():
    if not any(os.path.isdir(os.path.join(folder, _part)) for folder in __path__):
        from pkgutil import extend_path

        __path__ = list(extend_path(__path__, __name__))
        if not any(os.path.isdir(os.path.join(folder, _part)) for folder in __path__):
            raise ImportError(
                f"{_package}, which botarena needs, is not installed: install it as botarena was installed"
            )

if os.path.isdir(os.path.join(os.path.dirname(__file__), ".compiled")):
    from referee.extensions import use_compiled

    use_compiled()
