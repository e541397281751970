/* The first legal move of a question is what the test wants to see. */
#include "conformance.h"

#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct memory {
    int asked;
};

/* Returns the values of an array with semicolons between them, good until the call after the next. */
static const char *joined(const char *array) {
    static char rooms[2][LONGEST_TEXT];
    static int turn;
    char *room = rooms[turn = !turn], text[256];
    size_t length = 0;
    room[0] = '\0';
    for (const char *value = json_first(array); value; value = json_next(value)) {
        if (*value == '"') json_text(value, text, sizeof text);
        else snprintf(text, sizeof text, "%ld", json_number(value, 0));
        length += (size_t)snprintf(room + length, LONGEST_TEXT - length, "%s%s", length ? ";" : "", text);
        if (length >= LONGEST_TEXT) break;
    }
    return room;
}

static const char *yes_or_no(int value) { return value ? "true" : "false"; }

static void started(struct match *match) {
    if (!(match->memory = calloc(1, sizeof(struct memory)))) FAIL("there is no memory");
    fprintf(stderr, "started: match %ld of %s, seat %ld of %ld\n", match->number, match->game, match->seat,
            match->seats);
}

static void tell(struct question *question, int asked) {
    struct match *match = question->match;
    char chips[16], fools[16];
    json_text(json_find(match->options, "chips"), chips, sizeof chips);
    json_text(json_find(match->options, "strong_fools"), fools, sizeof fools);
    note(question, "match %ld of %s %ld, seat %ld of %ld, options chips=%s;strong_fools=%s, names %s", match->number,
         match->game, match->behaviour, match->seat, match->seats, chips, fools, joined(match->names));
    note(question, "move time %ld, bank %ld, fischer %s, ready time %ld", match->move_time_ms, match->bank_ms,
         yes_or_no(match->fischer), match->ready_time_ms);
    note(question, "card %ld, events %s, bank %ld, charged %ld, again %s, asked %d",
         json_number(json_find(question->view, "card"), 0), joined(question->events), question->bank_ms,
         question->charged_us, yes_or_no(question->again), asked);
    say(question, "never heard");
    say(question, "seat %ld greets", match->seat);
}

static void look(struct question *question) {
    struct match *match = question->match;
    best_move(question, 20, "counter");
    search_move(question, 20, "counter", "own", 9);
    const char *found = look_ahead(question, "worlds", "\"match\":%ld,\"count\":2", match->number);
    const char *world = json_first(json_find(found, "worlds"));
    long first = json_number(json_find(world, "world"), 0),
         second = json_number(json_find(json_next(world), "world"), 0);
    found = look_ahead(question, "steps", "\"steps\":[{\"world\":%ld,\"moves\":[\"keep\"],\"copy\":true}]", first);
    world = json_first(json_find(found, "worlds"));
    long copy = json_number(json_find(world, "world"), 0);
    long seat = json_number(json_find(json_first(json_find(world, "asked")), "seat"), 0);
    const char *lines =
        joined(json_find(look_ahead(question, "view", "\"world\":%ld,\"seat\":%ld", copy, match->seat), "lines"));
    found = look_ahead(question, "drop", "\"worlds\":[%ld,%ld,%ld]", first, second, copy);
    note(question, "worlds %ld;%ld, copy %ld asks seat %ld, lines %s, kept %ld", first, second, copy, seat, lines,
         json_number(json_find(found, "kept"), -1));
    if (!look_ahead(question, "worlds", "\"match\":%ld,\"count\":1000000", match->number))
        note(question, "%s", question->failure);
}

static void think(void) {
    clock_t began = clock();
    while (clock() - began < CLOCKS_PER_SEC / 25) continue;
}

static const char *conform(struct question *question) {
    struct memory *memory = question->match->memory;
    char first[16];
    long last = count_legal(question) - 1;
    memory->asked++;
    json_text(json_first(question->legal), first, sizeof first);
    if (strcmp(first, "tell") == 0) tell(question, memory->asked);
    if (strcmp(first, "long") == 0) {
        char text[1201] = "";
        for (int i = 0; i < 600; i++) memcpy(text + 2 * i, "\xc3\xa9", 3);
        note(question, "%s", text);
    }
    if (strcmp(first, "draw") == 0) return legal_move(question, 1 + below(question->match, last));
    if (strcmp(first, "illegal") == 0) return "fly";
    if (strcmp(first, "think") == 0) think();
    if (strcmp(first, "keep") == 0) look(question);
    if (strcmp(first, "throw") == 0) FAIL("a mistake on purpose");
    return legal_move(question, last);
}

static void ended(struct match *match, const char *scores, const char *ranks) {
    struct memory *memory = match->memory;
    fprintf(stderr, "ended: match %ld, scores %s, ranks %s, ", match->number, joined(scores), joined(ranks));
    fprintf(stderr, "events %s, asked %d\n", joined(match->events), memory->asked);
    free(memory);
}

const struct bot conformance = {
    .name = "conformance",
    .version = "1.2.3",
    .game = "cambio",
    .matches_at_once = 7,
    .wants_events = 1,
    .wants_ready = 1,
    .wants_positions = 1,
    .choose = conform,
    .match_started = started,
    .match_ended = ended,
};
