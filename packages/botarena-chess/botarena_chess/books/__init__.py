"""The book of this package: short.pgn, well-known openings of two to ten half-moves."""
