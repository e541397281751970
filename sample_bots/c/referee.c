#include "referee.h"

#include "json.h"

#include <stdint.h>
#include <stdio.h>

enum { MATCHES = 1024 };

/* Chance of our own for each match under way, from its seed: so a match plays the same again, whatever is played
 * beside it. */
static struct { long match; uint64_t state; } chances[MATCHES];

static void begin(const char *line) {
    long match = json_number(json_find(line, "match"), 0);
    const char *seed = json_find(line, "bot_seed");
    uint64_t state = 0;
    for (int i = 1; seed && i <= 16; i++) { /* the first 8 bytes, written in hex */
        char digit = seed[i];
        state = state << 4 | (uint64_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    chances[match % MATCHES].match = match;
    chances[match % MATCHES].state = state;
}

long below(long match, long n) { /* splitmix64 */
    uint64_t z = chances[match % MATCHES].state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return n > 0 ? (long)((z ^ z >> 31) % (uint64_t)n) : 0;
}

long index_of(const struct question *question, const char *move) {
    long index = 0;
    for (const char *other = json_first(question->legal); other; other = json_next(other), index++)
        if (json_is(other, move)) return index;
    return -1;
}

long count_legal(const struct question *question) {
    long count = 0;
    for (const char *move = json_first(question->legal); move; move = json_next(move)) count++;
    return count;
}

static void answer(const char *line, choose *choose) {
    struct question question = {
        json_number(json_find(line, "match"), 0), json_find(line, "legal"), json_find(line, "view"),
    };
    long move = choose(&question);
    printf("{\"type\":\"answer\",\"question\":%ld,\"move\":%ld}\n", json_number(json_find(line, "question"), 0), move);
}

static void get_ready(const char *line, started *started) {
    long match = json_number(json_find(line, "match"), 0);
    started(match, line);
    printf("{\"type\":\"ready\",\"match\":%ld}\n", match);
    fflush(stdout);
}

void play(const char *name, const char *game, choose *choose) { play_ready(name, game, choose, NULL); }

void play_ready(const char *name, const char *game, choose *choose, started *started) {
    char *line;
    printf("{\"type\":\"hello\",\"name\":\"%s\"", name);
    if (game) printf(",\"games\":[\"%s\"]", game);
    puts(started ? ",\"wants_ready\":true}" : "}");
    fflush(stdout);
    while ((line = json_line())) {
        const char *type = json_find(line, "type");
        if (json_is(type, "start")) {
            begin(line);
            if (started) get_ready(line, started);
        }
        if (json_is(type, "question")) answer(line, choose);
        if (!json_line_waits()) fflush(stdout); /* answers to questions that came together leave together */
    }
}
