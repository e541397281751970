"""PGN as a format of the files that are written while a tournament is played, which is quick to import."""

from arena.hooks.match_files import PluginMatchFile

PGN = PluginMatchFile(("chess", "chess:*"), "botarena_chess.pgn_files:PgnFile", "botarena_chess.pgn_files:LivePgn")
