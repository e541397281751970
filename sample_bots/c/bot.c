/* A bot for arena in plain C. It plays Cucco by counting cards; as `bot random` it plays any game by chance.
 *
 * Lines of JSON come on standard input and go out on standard output. `json.h` finds what is wanted in a line. */
#include "json.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LOWEST = -4, CUCKOO = 15, KINDS = CUCKOO - LOWEST + 1, COPIES = 2, MATCHES = 1024 };

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

static long below(long match, long n) { /* splitmix64 */
    uint64_t z = chances[match % MATCHES].state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (long)((z ^ z >> 31) % (uint64_t)n);
}

/* Takes the cards of an array that we can see out of those that may be anywhere. */
static void seen(const char *array, int left[KINDS]) {
    for (const char *card = json_first(array); card; card = json_next(card)) {
        long number = json_number(card, 99);
        if (number >= LOWEST && number <= CUCKOO && left[number - LOWEST] > 0) left[number - LOWEST]--;
    }
}

/* Returns whether at least half of the cards that may be anywhere are weaker than ours. */
static int worth_keeping(const char *view) {
    long card = json_number(json_find(view, "card"), 4);
    int left[KINDS], weaker = 0, all = 0;
    for (int kind = 0; kind < KINDS; kind++) left[kind] = COPIES;
    left[CUCKOO - LOWEST] = (int)json_number(json_find(view, "cuckoos"), COPIES);
    seen(json_find(view, "discards"), left);
    seen(json_find(view, "known"), left);
    for (int kind = 0; kind < KINDS; kind++) {
        all += left[kind];
        if (kind + LOWEST < card) weaker += left[kind];
    }
    return 2 * weaker >= all;
}

static void answer(const char *line, int by_chance) {
    long question = json_number(json_find(line, "question"), 0);
    const char *legal = json_find(line, "legal");
    if (by_chance) {
        long count = 0;
        for (const char *move = json_first(legal); move; move = json_next(move)) count++;
        long match = json_number(json_find(line, "match"), 0);
        printf("{\"type\":\"answer\",\"question\":%ld,\"move\":%ld}\n", question, below(match, count ? count : 1));
        return;
    }
    const char *move = worth_keeping(json_find(line, "view")) ? "keep" : "exchange";
    for (const char *other = json_first(legal); other; other = json_next(other))
        if (json_is(other, "pass")) move = "pass"; /* a cuckoo in our hand, before somebody else's turn */
    printf("{\"type\":\"answer\",\"question\":%ld,\"move\":\"%s\"}\n", question, move);
}

int main(int count, char **words) {
    int by_chance = count > 1 && strcmp(words[1], "random") == 0;
    char *line;
    puts(by_chance ? "{\"type\":\"hello\",\"name\":\"c-random\"}"
                   : "{\"type\":\"hello\",\"name\":\"c-counter\",\"games\":[\"cucco\"]}");
    fflush(stdout);
    while ((line = json_line())) {
        const char *type = json_find(line, "type");
        if (json_is(type, "start")) begin(line);
        if (json_is(type, "question")) answer(line, by_chance);
        if (!json_line_waits()) fflush(stdout); /* answers to questions that came together leave together */
    }
    return 0;
}
