"""Chess, Chess960 and variants as games of arena.

family      FAMILY, the entry point of `chess:NAME`: which games there are
game        CHESS and CHESS960, with their options
state       ChessState: a game in progress
rules       what a game needs of its rules; standard: those of chess and Chess960; variants: those of Fairy-Stockfish
scores      what bots say of their positions, and the adjudication that follows from it
tablebases  the adjudication by Syzygy tables
opening     what a game begins from
openings    opening books: EPD, FEN, PGN and Polyglot files, known by name and content
book_index  where the openings of a book begin
movetext    the moves of a game in PGN
polyglot    openings drawn from Polyglot books
books       the book of the package
bot         what the adapters of engines have in common; clock: the clock of the other side
uci         a UCI engine as a bot: python -m botarena_chess.uci /usr/games/stockfish; usi, ucci, xboard: the others
process     an engine as a process; engine: the conversation in UCI; cecp: in xboard's protocol
info        what an engine says of its main line
pgn         stored matches as PGN
pgn_files   PGN that is written while a tournament is played
match_files the same as data, for the options --matches-to and --live-to
replay      the drawn table
cli         the command botarena-chess: pgn, and the books of this machine
v1          the message of the view, made from protos/
"""
