"""Chess as a game of arena.

game        CHESS, the entry point, with its options
state       ChessState: a game in progress
scores      what bots say of their positions, and the adjudication that follows from it
tablebases  the adjudication by Syzygy tables
opening     what a game begins from
openings    opening books: EPD, FEN, PGN and Polyglot files, known by name and content
polyglot    openings drawn from Polyglot books
books       the book of the package
uci         a UCI engine as a bot: python -m botarena_chess.uci /usr/games/stockfish
engine      the conversation with a UCI engine
pgn         stored matches as PGN
pgn_files   PGN that is written while a tournament is played
match_files  the same as data, for the options --matches-to and --live-to
cli         the command botarena-chess: pgn, and the books of this machine
v1          the message of the view, made from protos/
"""
