/* The conversation with the referee: lines of JSON on standard input and output. */
#ifndef REFEREE_H
#define REFEREE_H

/* A seat is to choose from the moves of `legal`; `view` is all that it may see (see json.h to read them). */
struct question {
    long match;
    const char *legal; /* an array of texts */
    const char *view;  /* an object */
};

/* Returns the index of a move in question->legal. */
typedef long choose(const struct question *question);

/* Gets ready for a match, as it loads a network or clears a large table: no clock runs until it returns, but it has only
 * as many milliseconds as `ready_time_ms` in `start` says (0: no limit). start: the line that began the match. */
typedef void started(long match, const char *start);

/* Answers the referee's questions until it closes standard input. game: the one that is played, NULL for any. */
void play(const char *name, const char *game, choose *choose);

/* Plays as `play` does, and gets ready for each match. */
void play_ready(const char *name, const char *game, choose *choose, started *started);

/* Returns the index of a move in question->legal, -1 where it is not legal. */
long index_of(const struct question *question, const char *move);

/* Returns how many moves are legal. */
long count_legal(const struct question *question);

/* Returns a number from 0 to n - 1. The only chance a bot should use: it makes the same match play the same again. */
long below(long match, long n);

#endif
