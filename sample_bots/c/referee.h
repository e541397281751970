/* The conversation with the referee: lines of JSON on standard input and output (see json.h to read values). */
#ifndef REFEREE_H
#define REFEREE_H

#include <stdint.h>

enum { LONGEST_TEXT = 1024 }; /* bytes of a note, of talk or of a move */

/* One match of the bot, from its start to its end. */
struct match {
    long number;
    char game[64];
    long behaviour;      /* the version of the rules */
    long seats, seat;    /* how many there are, and the bot's own, from 0 in the order of play */
    long move_time_ms;   /* for each answer; 0: no limit */
    long bank_ms;        /* the time bank at the start */
    int fischer;         /* whether unused move time goes to the bank */
    long ready_time_ms;  /* for match_started, with wants_ready; 0: no limit */
    const char *options; /* an object: the options that differ from their defaults, as texts */
    const char *names;   /* an array: the players by seat, where they are revealed */
    const char *events;  /* an array: the rest of the log, in match_ended and with wants_events; else NULL */
    void *memory;        /* whatever the bot keeps for this match; free it in match_ended */
    uint64_t chance;     /* see below() */
    char *start;         /* the line that began it, which the texts above are in */
    struct match *next;
};

/* A question: choose one of the moves of `legal`. */
struct question {
    struct match *match;
    long number;
    const char *legal;  /* an array of texts */
    const char *view;   /* an object: all that the seat may see */
    const char *events; /* an array: the log since the last question of this match, with wants_events; else NULL */
    long bank_ms;       /* what is left of the time bank */
    long charged_us;    /* the time charged for the previous answer of this match */
    int again;          /* whether an earlier process of this bot failed to answer this question */
    char failure[LONGEST_TEXT + 1]; /* why the last look ahead failed */
    char note[LONGEST_TEXT + 1], said[LONGEST_TEXT + 1], move[LONGEST_TEXT + 1];
};

/* A player: what it tells the referee of itself, and the functions that play. Only `name` and `choose` are needed. */
struct bot {
    const char *name, *version;
    const char *game;     /* the one that is played; NULL for any */
    long matches_at_once; /* the most; 0: no limit of its own */
    int wants_events;     /* whether it gets the lines of the log */
    int wants_ready;      /* whether the referee waits for match_started: no clock runs until it returns */
    int wants_positions;  /* whether it looks ahead: best_move, search_move, look_ahead */

    /* Returns the text of a legal move. */
    const char *(*choose)(struct question *question);
    /* Reacts to the start of a match, before its first question: the place to set its memory. */
    void (*match_started)(struct match *match);
    /* Reacts to the end of a match. scores, ranks: arrays by seat, empty if the match did not end by its rules. */
    void (*match_ended)(struct match *match, const char *scores, const char *ranks);
};

/* Answers the referee's questions until it closes standard input. */
void play(const struct bot *bot);

/* Adds a line, written as by printf, to the note of this answer, which the bot's owner finds in the replay. */
void note(struct question *question, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says something to the table with this answer, in games with table talk. It replaces what was said before. */
void say(struct question *question, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends the program as a bot that failed: with the place in its code and a sentence, written as by printf. */
#define FAIL(...) fail(__FILE__, __LINE__, __VA_ARGS__)
void fail(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4), noreturn));

/* Returns whether a move is legal. */
int is_legal(const struct question *question, const char *move);

/* Returns how many moves are legal. */
long count_legal(const struct question *question);

/* Returns a legal move by its index, good until the next call for the question. */
const char *legal_move(struct question *question, long index);

/* Returns the legal move that turns out best in playouts, good until the next call for the question, and notes what all
 * are worth; NULL where it fails. With wants_positions. worlds: in how many worlds each move is played; 0: in as many
 * as the clock of the match allows. policy: who plays: "base" (by rules of thumb, where a package has them for the
 * game, else learnt), "learnt" (what has done well in the playouts before), "random" or a sample bot of the game; NULL:
 * base. */
const char *best_move(struct question *question, long worlds, const char *policy);

/* Does the same by a tree search, whose tree grows where moves turn out well for whoever makes them. It needs more
 * playouts to be better than best_move. observers: whose eyes tell nodes of the tree apart, "every" or "own"; NULL:
 * every. most_nodes: how many nodes the tree may have; 0: 50,000. */
const char *search_move(struct question *question, long worlds, const char *policy, const char *observers,
                        long most_nodes);

/* Looks ahead: asks the model server, and returns the line with its response, good until the next call; NULL where it
 * fails. docs/model-server.md has the requests. With wants_positions. type: of the line, as "worlds". format: its other
 * keys, written as by printf. */
const char *look_ahead(struct question *question, const char *type, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns a number from 0 to n - 1. The only chance a bot should use: it makes the same match play the same again. */
long below(struct match *match, long n);

#endif
